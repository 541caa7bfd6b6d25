#include "harness/cli/topology_from.h"

#include <fmt/format.h>

#include <utility>

#include "harness/cli/exit_code.h"
#include "harness/cli/say.h"
#include "harness/supervisor/choice.h"
#include "protocols/catalogue.h"
#include "results/import/import.h"
#include "results/import/imported_node_json.h"
#include "results/normality.h"

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
  nlohmann::ordered_json document = to_json(node, names);
  const KnownNode known{.node = std::move(node), .runs = {}, .files = names};
  const auto catalogue = load_gpu_catalogue(protocol_directories(executable_directory()));
  document["normal"] = to_json(normality_of(known, gpu_of(known, catalogue, "")));
  if (format == Format::json) {
    fmt::print("{}\n", document.dump(2));
  } else {
    print_screen(pasted_topology_screen(document));
  }
  return kDone;
}

}  // namespace splitbench::cli
