#include "harness/preflight/topology.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "harness/cli/check_screen.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/looking.h"
#include "harness/cli/options.h"
#include "harness/cli/program.h"
#include "harness/cli/refusal.h"
#include "harness/cli/run_options.h"
#include "harness/cli/say.h"
#include "harness/cli/topology_expect.h"
#include "harness/cli/topology_from.h"
#include "harness/cli/topology_screen.h"
#include "harness/error.h"
#include "harness/preflight/preflight.h"
#include "protocols/catalogue.h"
#include "results/flow.h"
#include "results/normality.h"

namespace splitbench::cli {
namespace {

using Json = nlohmann::ordered_json;

struct TopologyOptions {
  Format format = Format::table;
  bool quiet = false;
  Seconds deadline{60};
  std::vector<int> devices;
  ExpectOptions expect;
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

// What a run on these devices takes without a protocol, as an example of what is sent.
Protocol example() {
  return load_protocol_file(
      find_protocol(default_protocol("cuda"), protocol_directories(executable_directory())));
}

void write_flow(Json& document, const Link& link) {
  const Protocol protocol = example();
  document["flow_of"] = {{"protocol", protocol.name},
                         {"operation", to_json(protocol.points.front())}};
  document["flow"] = flow(protocol.points.front(), 2, std::span(&link, 1));
}

void write_use(Json& document, const std::vector<Link>& links, const Preflight& preflight) {
  document["use"] = nullptr;
  document["flow_of"] = nullptr;
  document["flow"] = Json::array();
  const auto pair = best_pair(preflight.facts);
  if (!pair) {
    const Json& copies = preflight.facts["copies"];
    document["reasons"]["use"] = copies.value("not_examined", "copies took no time");
    document["reasons"]["flow_of"] = "there is no pair to use";
    return;
  }
  const Link& link = link_of(links, document["devices"], *pair);
  document["use"] = {{"a", pair->a},
                     {"b", pair->b},
                     {"bytes_per_s", pair->bytes_per_s},
                     {"path", name(link.path)},
                     {"is_one_of_many", pair->is_one_of_many}};
  write_flow(document, link);
}

// Null where the runtime did not come so far as to say what it is.
Json times_are(const Json& runtime) {
  if (!runtime.contains("stand_in")) return nullptr;
  return name(runtime["stand_in"].get<bool>() ? TimesAre::stand_in : TimesAre::measured);
}

// What was copied here beside what is usual of such links. Stand-ins have no links.
Json normal_of(const Json& document) {
  if (document["times_are"] != "measured" || document["devices"].empty()) return Json::array();
  const auto catalogue = load_gpu_catalogue(protocol_directories(executable_directory()));
  const KnownNode known = known_node_of(document);
  return to_json(normality_of(known, gpu_of(known, catalogue, "")));
}

// All that was found, however far that came.
Json document_of(const Preflight& preflight) {
  const std::vector<Link> links = links_of(preflight.facts);
  Json document{{"schema", "splitbench.topology/1"}};
  document["times_are"] = times_are(preflight.facts.at("runtime"));
  document["devices"] = devices_of(preflight.facts);
  document["links"] = Json::array();
  for (const Link& link : links) document["links"].push_back(to_json(link));
  document["copies"] = preflight.facts["copies"].value("copies", Json::array());
  document["reasons"] = Json::object();
  if (document["times_are"].is_null()) document["reasons"]["times_are"] = "no library was loaded";
  if (document["devices"].empty()) {
    document["reasons"]["devices"] =
        preflight.facts["runtime"].value("not_examined", "see the checks");
  }
  write_use(document, links, preflight);
  document["normal"] = normal_of(document);
  document["checks"] = to_json(preflight.results);
  return document;
}

int topology(const TopologyOptions& options) {
  const Preflight preflight = look_at_gpus(plan_of(options), options.quiet);
  const Json document = document_of(preflight);
  if (options.format == Format::json) {
    fmt::print("{}\n", document.dump(2));
    say(refusal_text(preflight.results));
  } else {
    print_screen(topology_screen(document) + check_screen(failures(preflight.results)));
  }
  if (const auto refusal = refusal_of(preflight.results)) return *refusal;
  return document["devices"].empty() ? kFault : kDone;
}

// What is here or was pasted, held against a promise or made into one.
int judge(const TopologyOptions& options) {
  const PromiseCheck check(options.expect);
  if (!options.from.empty()) return check.judge(known_node_of(options.from), options.format);
  const Preflight preflight = look_at_gpus(plan_of(options), options.quiet);
  if (const auto refusal = refusal_of(preflight.results)) {
    say(refusal_text(preflight.results));
    return *refusal;
  }
  return check.judge(known_node_of(document_of(preflight)), options.format);
}

}  // namespace

void add_topology(CLI::App& program, Action& action) {
  CLI::App& app = *program.add_subcommand("topology", "What is here and how it is joined");
  app.footer(
      "Example:\n"
      "  splitbench topology --format json\n"
      "  splitbench topology --promise > good.json\n"
      "  splitbench topology --expect good.json --from topo.txt --from p2p.txt");
  auto options = std::make_shared<TopologyOptions>();
  add_format(app, options->format);
  app.add_flag("--quiet", options->quiet, "No progress");
  add_deadline(app, options->deadline, "The longest silence of a library; 60 s");
  add_devices(app, options->devices);
  app.add_option(
      "--from", options->from,
      "What nvidia-smi, p2pBandwidthLatencyTest, nvbandwidth or NCCL's XML say of a node, "
      "instead of what is here; several files of one node, - is standard input");
  add_expect_options(app, options->expect);
  app.callback([options, &action] {
    action = [options] {
      if (is_asked(options->expect)) return judge(*options);
      return options->from.empty() ? topology(*options)
                                   : show_pasted_topology(options->from, options->format);
    };
  });
}

}  // namespace splitbench::cli
