#include "harness/proof/picture/picture.h"

#include <fmt/format.h>

#include <array>

namespace splitbench::proof {
namespace {

constexpr double kMargin = 14.0;

std::string source_of(const Json& document, const std::string& of_what) {
  const Json& order = document.at("order");
  const Json& commit = document.at("commit");
  return fmt::format("splitbench-selftest, {}, commit {}, {} seeds (seed {}): {}",
                     document.at("run").at("started_utc").get<std::string>().substr(0, 10),
                     commit.is_null() ? "unknown" : commit.get<std::string>(),
                     order.at("seeds").get<int>(), order.at("seed").get<std::uint64_t>(), of_what);
}

}  // namespace

const Json* rows_of(const Json& document, std::string_view study) {
  for (const Json& one : document.at("studies")) {
    const Json& rows = one.at("rows");
    if (one.at("name").get<std::string>() == study && !rows.empty()) return &rows;
  }
  return nullptr;
}

double percent_of(const Json& cell) {
  return cell.is_number() ? cell.get<double>() : 100.0 * cell.at("share").get<double>();
}

const Series& series_of_sessions(int sessions) {
  static const std::array<Series, 3> all{Series{"6 sessions", "a", Mark::circle},
                                         Series{"10 sessions", "b", Mark::square},
                                         Series{"20 sessions", "c", Mark::diamond}};
  const std::size_t fewest = sessions <= 6 ? 0 : 1;
  return all[sessions <= 10 ? fewest : 2];
}

Spot legend(Svg& svg, Spot at, const std::vector<Series>& series) {
  constexpr double kLetter = 6.4;
  for (const Series& one : series) {
    svg.mark({at.x + 4.0, at.y - 4.0}, one.mark, one.look);
    svg.text({at.x + 13.0, at.y}, one.name, "text");
    at.x += 33.0 + kLetter * static_cast<double>(one.name.size());
  }
  return at;
}

Svg begin_picture(const Json& document, Spot size, const std::string& title,
                  const std::string& description, const std::string& of_what) {
  Svg svg(size.x, size.y, title, description);
  svg.text({kMargin, 24.0}, title, "title");
  svg.text({kMargin, size.y - 10.0}, source_of(document, of_what), "small faint");
  return svg;
}

}  // namespace splitbench::proof
