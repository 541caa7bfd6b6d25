#include "harness/cli/topology_from.h"

#include <fmt/format.h>

#include "harness/cli/exit_code.h"
#include "results/import/import.h"
#include "results/import/imported_node_json.h"

namespace splitbench::cli {

int show_pasted_topology(const std::vector<std::string>& files, Format format) {
  ImportedNode node;
  std::vector<std::string> names;
  for (const std::string& file : files) {
    const TextSource source = read_text_source(file);
    read_node(source, node);
    names.push_back(source.file());
  }
  settle(node);
  const nlohmann::ordered_json document = to_json(node, names);
  if (format == Format::json) {
    fmt::print("{}\n", document.dump(2));
  } else {
    fmt::print("{}", pasted_topology_screen(document));
  }
  return kDone;
}

}  // namespace splitbench::cli
