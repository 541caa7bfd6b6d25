#include "harness/proof/published_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <system_error>

#include "model/statistics.h"
#include "protocols/document.h"
#include "results/import/tsv.h"

namespace splitbench::proof {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProducts = "mlp-";
constexpr std::string_view kDenseProducts = "mlp-vidur-";
constexpr std::string_view kDenseModel = "-llama-2-7b";  // d_model 4096, d_ff 11008
constexpr std::string_view kAllReduce = "allreduce-";
constexpr std::string_view kDenseAllReduce = "allreduce-vidur-";

// Microseconds of the two products, the activation with the first.
struct Products {
  std::vector<double> first;
  std::vector<double> second;
};

// The dense tables have one row for each degree of the split, some twice.
GivenFile as_mlp_table(const GivenFile& file) {
  const Tsv tsv =
      read_tsv(file.text, file.name,
               {{"tokens", true}, {"tensor_parallel", true}, {"up_us"}, {"act_us"}, {"down_us"}});
  std::map<double, std::map<double, Products>> by_tokens;
  for (const Row& row : tsv.rows) {
    const std::vector<double>& v = row.values;
    Products& products = by_tokens[v[0]][v[1]];
    products.first.push_back(v[2] + v[3]);
    products.second.push_back(v[4]);
  }
  std::string text =
      "tokens\td_model\td_ff\tgemm1_full_us\tgemm2_full_us\tgemm1_half_us\tgemm2_half_us\n";
  for (const auto& [tokens, by_ranks] : by_tokens) {
    const auto whole = by_ranks.find(1.0);
    const auto half = by_ranks.find(2.0);
    if (whole == by_ranks.end() || half == by_ranks.end()) continue;
    text += fmt::format("{:.0f}\t4096\t11008\t{}\t{}\t{}\t{}\n", tokens,
                        median(whole->second.first), median(whole->second.second),
                        median(half->second.first), median(half->second.second));
  }
  return {.name = file.name, .text = std::move(text)};
}

GivenFile as_collective_table(const GivenFile& file) {
  const Tsv tsv = read_tsv(file.text, file.name, {{"message_bytes", true}, {"median_us"}});
  std::string text = "ranks\tmessage_bytes\tlatency_us\n";
  for (const Row& row : tsv.rows) {
    text += fmt::format("2\t{:.0f}\t{}\n", row.values[0], row.values[1]);
  }
  return {.name = file.name, .text = std::move(text)};
}

// The first line of comment, which names the source.
std::string source_of(const GivenFile& file) {
  const std::string_view line = std::string_view(file.text).substr(0, file.text.find('\n'));
  constexpr std::string_view kMark = "# source: ";
  return line.starts_with(kMark) ? std::string(line.substr(kMark.size())) : "no source given";
}

PublishedTables pair(const fs::path& products, const fs::path& all_reduce, bool dense) {
  const GivenFile mlp{.name = products.string(), .text = read_document(products)};
  const GivenFile collective{.name = all_reduce.string(), .text = read_document(all_reduce)};
  return {.name = all_reduce.stem().string().substr(kAllReduce.size()),
          .dense = dense,
          .sources = {source_of(mlp), source_of(collective)},
          .tables =
              dense ? replay::read_tables(as_mlp_table(mlp), {as_collective_table(collective)}, "")
                    : replay::read_tables(mlp, {collective}, "")};
}

// Whether the all-reduce belongs to these products, by their names without extension.
bool belongs(std::string_view all_reduce, std::string_view products) {
  const bool dense = products.starts_with(kDenseProducts);
  if (all_reduce.starts_with(kDenseAllReduce) != dense) return false;
  if (!dense) {
    products.remove_prefix(kProducts.size() - 1);  // "-GPU"
    return all_reduce.starts_with(kAllReduce) && all_reduce.ends_with(products);
  }
  if (!products.ends_with(kDenseModel)) return false;
  products.remove_prefix(kDenseProducts.size());
  products.remove_suffix(kDenseModel.size());
  return all_reduce.substr(kDenseAllReduce.size()).starts_with(std::string(products) + "-");
}

std::vector<fs::path> tables_in(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".tsv") files.push_back(entry.path());
  }
  if (error) throw BadDocument(folder.string(), "", {}, "cannot be read: " + error.message());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::vector<PublishedTables> published_tables(const fs::path& folder) {
  const std::vector<fs::path> files = tables_in(folder);
  std::vector<PublishedTables> pairs;
  for (const fs::path& all_reduce : files) {
    for (const fs::path& products : files) {
      const std::string name = products.stem().string();
      if (!name.starts_with(kProducts) || !belongs(all_reduce.stem().string(), name)) continue;
      pairs.push_back(pair(products, all_reduce, name.starts_with(kDenseProducts)));
    }
  }
  if (!pairs.empty()) return pairs;
  throw BadDocument(folder.string(), "", {},
                    "has no pair of tables; expected mlp-GPU.tsv with "
                    "allreduce-IMPLEMENTATION-GPU.tsv, or mlp-vidur-GPU-llama-2-7b.tsv with "
                    "allreduce-vidur-GPU-LINK.tsv");
}

}  // namespace splitbench::proof
