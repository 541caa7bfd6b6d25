#include "protocols/gpu_catalogue.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <system_error>
#include <utility>

#include "model/invalid_input.h"
#include "model/link_class.h"
#include "protocols/document_value.h"
#include "protocols/nearest.h"

namespace splitbench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostModels = 256;
constexpr std::size_t kMostNames = 8;
constexpr std::size_t kLongestText = 400;
constexpr double kMostRate = 1e20;
// Tools print what is usable, in units of their own: within a tenth of the datasheet's.
constexpr double kSameMemory = 0.1;

constexpr std::array kTypes{DataType::fp32, DataType::tf32, DataType::fp16, DataType::bf16};

std::string source_of(const DocumentValue& root, const DocumentValue& group) {
  const auto sources = root.member("sources");
  const auto key = group.member("source");
  const std::string wanted = key->text(kLongestText);
  const auto source = sources->member(wanted);
  if (!source) key->refuse("the name of one of the sources");
  source->check_keys({"title", "date"}, {});
  return source->member("title")->text(kLongestText) + ", " + source->member("date")->text(10);
}

void read_peak(GpuModel& gpu, const DocumentValue& root, const DocumentValue& group) {
  group.check_keys({"source"}, {"fp32", "tf32", "fp16", "bf16"});
  gpu.peak_source = source_of(root, group);
  for (const DataType type : kTypes) {
    if (const auto rate = group.member(name(type))) {
      gpu.peak[type] = FlopsPerSecond(rate->number(1e9, kMostRate));
    }
  }
}

void read_memory(GpuModel& gpu, const DocumentValue& root, const DocumentValue& group) {
  group.check_keys({"source", "bytes"}, {"bytes_per_s"});
  gpu.memory_source = source_of(root, group);
  gpu.memory = Bytes(group.member("bytes")->number(1e9, 1e15));
  if (const auto rate = group.member("bytes_per_s")) {
    gpu.memory_rate = BytesPerSecond(rate->number(1e9, kMostRate));
  }
}

void read_link(GpuModel& gpu, const DocumentValue& root, const DocumentValue& group) {
  group.check_keys({"source", "kind"}, {"links", "bytes_per_s_each_way"});
  gpu.link_source = source_of(root, group);
  GpuLink link{.kind = group.member("kind")->text(40)};
  if (link.kind != "none") {
    group.check_keys({"source", "kind", "links", "bytes_per_s_each_way"}, {});
    link.links = static_cast<int>(group.whole("links", 0, 1, 1000));
    link.each_way = BytesPerSecond(group.number("bytes_per_s_each_way", 0, 1e9, kMostRate));
  }
  gpu.link = std::move(link);
}

GpuModel read_gpu(const DocumentValue& root, const DocumentValue& value) {
  value.check_keys({"names", "memory", "pcie"}, {"peak_flops_per_s", "gpu_link"});
  GpuModel gpu;
  gpu.family = root.member("family")->text(kLongestText);
  for (const DocumentValue& each : value.member("names")->elements(kMostNames)) {
    gpu.names.push_back(each.text(80));
  }
  if (gpu.names.empty()) value.member("names")->refuse("a name or more");
  if (const auto peak = value.member("peak_flops_per_s")) read_peak(gpu, root, *peak);
  read_memory(gpu, root, *value.member("memory"));
  if (const auto link = value.member("gpu_link")) read_link(gpu, root, *link);
  const auto pcie = value.member("pcie");
  pcie->check_keys({"source", "generation", "width"}, {});
  gpu.pcie_source = source_of(root, *pcie);
  gpu.pcie_generation = static_cast<int>(pcie->whole("generation", 0, 1, 6));
  gpu.pcie_width = static_cast<int>(pcie->whole("width", 0, 1, 32));
  if (const auto rate = pcie_rate(gpu.pcie_generation, gpu.pcie_width); !rate) {
    pcie->fail(rate.reason());
  }
  return gpu;
}

// Letters and digits in lower case, without the brands that stand before a model's own name.
std::string plain(std::string_view name) {
  std::string text;
  for (const char c : name) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) != 0) text += static_cast<char>(std::tolower(letter));
  }
  for (const std::string_view brand : {"nvidia", "geforce", "tesla", "amd", "instinct"}) {
    if (text.starts_with(brand)) text.erase(0, brand.size());
  }
  return text;
}

bool is_called(const GpuModel& gpu, const GpuName& name) {
  const std::string wanted = plain(name.name);
  const bool memory_differs =
      name.is_cut && name.memory && std::abs(*name.memory / gpu.memory - 1.0) > kSameMemory;
  return !wanted.empty() && !memory_differs &&
         std::any_of(gpu.names.begin(), gpu.names.end(), [&](const std::string& each) {
           return name.is_cut ? plain(each).starts_with(wanted) : plain(each) == wanted;
         });
}

// Models whose name has all of `part` in it, by their first names.
std::string names_with(const std::vector<GpuModel>& catalogue, const std::string& part) {
  std::string text;
  for (const GpuModel& gpu : catalogue) {
    const bool has = std::any_of(gpu.names.begin(), gpu.names.end(), [&](const std::string& each) {
      return is_part_of_name(part, each);
    });
    if (has) text += (text.empty() ? "" : ", ") + gpu.names.front();
  }
  return text;
}

std::string unknown_text(const std::vector<GpuModel>& catalogue, const GpuName& name) {
  const std::string text = "the catalogue has no GPU called '" + name.name + "'";
  const std::string near = names_with(catalogue, name.name);
  if (!near.empty()) return text + "; it has " + near;
  std::vector<std::string_view> names;
  for (const GpuModel& gpu : catalogue)
    names.insert(names.end(), gpu.names.begin(), gpu.names.end());
  return text + suggestion(name.name, names);
}

}  // namespace

std::vector<GpuModel> read_gpu_catalogue(std::string text, const std::string& file) {
  const Document document(std::move(text), file);
  const DocumentValue root(document);
  root.check_keys({"schema", "family", "sources", "gpus"}, {});
  constexpr std::array<std::string_view, 1> kSchemas{"splitbench.catalogue/1"};
  root.member("schema")->one_of(kSchemas);
  std::vector<GpuModel> gpus;
  for (const DocumentValue& gpu : root.member("gpus")->elements(kMostModels)) {
    gpus.push_back(read_gpu(root, gpu));
  }
  return gpus;
}

std::vector<GpuModel> load_gpu_catalogue(const std::vector<fs::path>& directories) {
  for (const fs::path& directory : directories) {
    const fs::path folder = directory / "catalogue";
    std::error_code error;
    if (!fs::is_directory(folder, error)) continue;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::vector<GpuModel> catalogue;
    for (const fs::path& file : files) {
      std::vector<GpuModel> gpus = read_gpu_catalogue(read_document(file), file.string());
      std::move(gpus.begin(), gpus.end(), std::back_inserter(catalogue));
    }
    return catalogue;
  }
  throw InvalidInput("",
                     "the catalogue of GPUs is not there; expected a folder 'catalogue' beside "
                     "the protocols");
}

bool is_part_of_name(std::string_view part, std::string_view name) {
  const std::string wanted = plain(part);
  return !wanted.empty() && plain(name).find(wanted) != std::string::npos;
}

Answer<GpuModel> find_gpu(const std::vector<GpuModel>& catalogue, const GpuName& name) {
  std::vector<const GpuModel*> found;
  for (const GpuModel& gpu : catalogue) {
    if (is_called(gpu, name)) found.push_back(&gpu);
  }
  if (found.size() == 1) return *found.front();
  if (found.empty()) return Answer<GpuModel>::none(unknown_text(catalogue, name));
  std::string several;
  for (const GpuModel* gpu : found) several += (several.empty() ? "" : ", ") + gpu->names.front();
  return Answer<GpuModel>::none("'" + name.name + "' is cut, and may be " + several);
}

}  // namespace splitbench
