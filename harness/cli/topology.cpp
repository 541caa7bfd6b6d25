#include "harness/preflight/topology.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "harness/cli/exit_code.h"
#include "harness/cli/options.h"
#include "harness/cli/program.h"
#include "harness/cli/topology_from.h"
#include "harness/cli/topology_screen.h"
#include "harness/error.h"
#include "harness/preflight/preflight.h"
#include "harness/supervisor/choice.h"
#include "protocols/catalogue.h"
#include "results/flow.h"

namespace splitbench::cli {
namespace {

using Json = nlohmann::ordered_json;

struct TopologyOptions {
  Format format = Format::table;
  Seconds deadline{60};
  std::vector<int> devices;
  std::vector<std::string> from;  // files to look at instead of what is here
};

PreflightPlan plan_of(const TopologyOptions& options) {
  PreflightPlan plan;
  plan.devices.devices = options.devices;
  plan.devices.ranks = static_cast<int>(options.devices.size());  // 0: all
  plan.risks = {Risk::management, Risk::peers, Risk::copies};
  plan.silence = options.deadline;
  return plan;
}

const Link& link_of(const std::vector<Link>& links, const Json& devices, const BestPair& pair) {
  for (const Link& link : links) {
    if (devices[static_cast<std::size_t>(link.a)].at("index") == pair.a &&
        devices[static_cast<std::size_t>(link.b)].at("index") == pair.b) {
      return link;
    }
  }
  throw HarnessError("copies of devices that were not asked about");
}

// The first point of the default protocol, as an example of what is sent.
Operation example() {
  const auto file = find_protocol("default", protocol_directories(executable_directory()));
  return load_protocol_file(file).points.front();
}

void write_use(Json& document, const std::vector<Link>& links, const Preflight& preflight) {
  document["use"] = nullptr;
  document["flow"] = Json::array();
  const auto pair = best_pair(preflight.facts);
  if (!pair) {
    const Json& copies = preflight.facts["copies"];
    document["reasons"]["use"] = copies.value("not_examined", "copies took no time");
    return;
  }
  const Link& link = link_of(links, document["devices"], *pair);
  document["use"] = {{"a", pair->a},
                     {"b", pair->b},
                     {"bytes_per_s", pair->bytes_per_s},
                     {"path", name(link.path)},
                     {"is_one_of_many", pair->is_one_of_many}};
  document["flow"] = flow(example(), 2, std::span(&link, 1));
}

Json document_of(const Preflight& preflight) {
  const std::vector<Link> links = links_of(preflight.facts);
  Json document{{"schema", "splitbench.topology/1"}};
  document["times_are"] = preflight.facts["runtime"].at("stand_in").get<bool>()
                              ? name(TimesAre::stand_in)
                              : name(TimesAre::measured);
  document["devices"] = devices_of(preflight.facts);
  document["links"] = Json::array();
  for (const Link& link : links) document["links"].push_back(to_json(link));
  document["copies"] = preflight.facts["copies"].value("copies", Json::array());
  document["reasons"] = Json::object();
  write_use(document, links, preflight);
  document["checks"] = to_json(preflight.results);
  return document;
}

int topology(const TopologyOptions& options) {
  const Preflight preflight =
      look_with_a_module(built_modules(known_backend("cuda")), plan_of(options));
  require_sound(preflight.results);
  const Json& runtime = preflight.facts.at("runtime");
  if (!runtime.contains("devices")) {
    throw HarnessError("what devices there are is not known: " +
                       runtime.value("not_examined", "nobody looked"));
  }
  const Json document = document_of(preflight);
  if (options.format == Format::json) {
    fmt::print("{}\n", document.dump(2));
  } else {
    fmt::print("{}", topology_screen(document));
  }
  return kDone;
}

}  // namespace

void add_topology(CLI::App& program, Action& action) {
  CLI::App& app = *program.add_subcommand("topology", "What is here and how it is joined");
  app.footer("Example:\n  splitbench topology --format json");
  auto options = std::make_shared<TopologyOptions>();
  add_format(app, options->format);
  add_deadline(app, options->deadline, "The longest silence of a library; 60 s");
  add_devices(app, options->devices);
  app.add_option(
      "--from", options->from,
      "What nvidia-smi, p2pBandwidthLatencyTest, nvbandwidth or NCCL's XML say of a node, "
      "instead of what is here; several files of one node, - is standard input");
  app.callback([options, &action] {
    action = [options] {
      return options->from.empty() ? topology(*options)
                                   : show_pasted_topology(options->from, options->format);
    };
  });
}

}  // namespace splitbench::cli
