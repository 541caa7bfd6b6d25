#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "harness/cli/budget_bar.h"
#include "harness/cli/estimate_screen.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/node_options.h"
#include "harness/cli/options.h"
#include "harness/cli/predict_cases.h"
#include "harness/cli/predict_sweep.h"
#include "harness/cli/program.h"
#include "harness/cli/say.h"
#include "harness/cli/screen_text.h"
#include "model/invalid_input.h"
#include "model/quantity_text.h"
#include "results/prediction_document.h"

namespace splitbench::cli {
namespace {

constexpr std::size_t kMostJobs = 100'000;

struct PredictOptions {
  Format format = Format::table;
  bool cases = false;
  SplitParameters parameters;
  std::string sweep;
  int replica_devices = 0;
  Replicas replicas;
  std::string jobs;
  JobList job_list;
  NodeOptions node;
};

// "12min" or "8x12min", appended to `lengths`.
void append_jobs(const std::string& text, std::vector<Seconds>& lengths) {
  const std::size_t times = text.find('x');
  const long long count = times == std::string::npos ? 1 : parse_count(text.substr(0, times));
  const Seconds length = parse_seconds(times == std::string::npos ? text : text.substr(times + 1));
  if (count < 1 || static_cast<std::size_t>(count) > kMostJobs - lengths.size()) {
    throw InvalidInput("", fmt::format("'{}' makes more than {} jobs, or none", text, kMostJobs));
  }
  lengths.insert(lengths.end(), static_cast<std::size_t>(count), length);
}

// "8x12min,30min": lengths separated by commas, each with an optional count in front.
std::vector<Seconds> parse_jobs(const std::string& text) {
  std::vector<Seconds> lengths;
  try {
    for (const std::string& part : comma_separated(text)) append_jobs(part, lengths);
  } catch (const InvalidInput& error) {
    throw InvalidInput("jobs", error.what());
  }
  return lengths;
}

void print_document(const nlohmann::ordered_json& document) {
  fmt::print("{}\n", document.dump(2));
}

std::string verdict_line(const SplitParameters& p) {
  const Outcome outcome = compare(one_device_time(p), split_time(p));
  const Answer<double> gain = speedup(p);
  return fmt::format("Split over {} ranks: {}{}\n", p.ranks, upper(name(outcome)),
                     gain ? fmt::format(", speedup {:.4g}", *gain) : "");
}

template <class T>
void print_answer(const char* label, const Answer<T>& answer, const char* remark = "") {
  std::string value = "none";
  if (answer) {
    if constexpr (std::is_same_v<T, double>) {
      value = fmt::format("{:.4g}", *answer);
    } else {
      value = to_text(*answer);
    }
  }
  fmt::print("  {:<34} {:>11}  {}\n", label, value, answer ? remark : "");
  if (!answer) fmt::print("      {}\n", answer.reason());
}

void print_prediction(const SplitParameters& p) {
  fmt::print("{}\n{}\n", verdict_line(p), budget_chart(p));
  const Seconds fixed = static_cast<double>(p.collectives) * p.latency;
  fmt::print("  {:<34} {:>11} {:>11}\n", "", "one device", "split");
  const auto row = [](const char* label, Seconds whole, Seconds split) {
    fmt::print("  {:<34} {:>11} {:>11}\n", label, to_text(whole), to_text(split));
  };
  row("serial                S", p.serial, p.serial + p.serial_extra);
  row("divisible             C, C/(N eta)", p.compute, divided_compute_time(p));
  row("collectives, fixed    Q l", Seconds(0), fixed);
  row("collectives, bytes    Q V/B", Seconds(0), communication_time(p) - fixed);
  row("total                 T1, T_N", one_device_time(p), split_time(p));
  fmt::print("\n");
  print_answer("speedup               T1/T_N", speedup(p));
  print_answer("parallel efficiency   speedup/N", parallel_efficiency(p));
  print_answer("break-even compute    C*", break_even_compute(p), "faster above it");
  print_answer("least bandwidth       B_min", min_bandwidth(p), "faster above it");
  const Answer<double> least = min_efficiency(p);
  print_answer("least efficiency      eta_min", least,
               least && *least > 1.0 ? "not by local tuning alone" : "faster above it");
  print_answer("largest fixed cost    l_max", max_latency(p), "faster below it");
  fmt::print("  {:<34} {:>11}  {}\n", "with perfect overlap  lower bound",
             to_text(overlap_bound(p)), "no prediction");
}

std::string sweep_value(const SweepParameter& parameter, double value) {
  if (parameter.suffix == "_s") return to_text(Seconds(value));
  if (parameter.suffix == "_bytes") return to_text(Bytes(value));
  if (parameter.suffix == "_bytes_per_s") return to_text(BytesPerSecond(value));
  return fmt::format("{:.6g}", value);
}

void print_sweep_json(const SplitParameters& base, const Sweep& sweep) {
  const std::string suffix(sweep.parameter->suffix);
  nlohmann::ordered_json document = prediction_document(base);
  document["swept"] = std::string(sweep.parameter->name);
  document["faster_intervals"] = nlohmann::ordered_json::array();
  for (const FasterInterval& interval : faster_intervals(base, sweep)) {
    document["faster_intervals"].push_back({{"from" + suffix, interval.from},
                                            {"to" + suffix, interval.to},
                                            {"from_is_first", interval.from_is_first},
                                            {"to_is_last", interval.to_is_last}});
  }
  // The points are written one at a time: a hundred thousand of them need not be held at once.
  std::string text = document.dump();
  text.back() = ',';
  fmt::print("{}\n\"sweep\":[", text);
  SplitParameters parameters = base;
  for (std::size_t i = 0; i < sweep.values.size(); ++i) {
    sweep.parameter->set(parameters, sweep.values[i]);
    fmt::print("{}{}", i == 0 ? "\n" : ",\n", prediction_document(parameters).dump());
  }
  fmt::print("]}}\n");
}

void print_sweep_table(const SplitParameters& base, const Sweep& sweep) {
  fmt::print("  {:>12} {:>11} {:>11} {:>9}\n", sweep.parameter->name, "T1", "T_N", "speedup");
  SplitParameters p = base;
  for (const double value : sweep.values) {
    sweep.parameter->set(p, value);
    const Answer<double> gain = speedup(p);
    fmt::print("  {:>12} {:>11} {:>11} {:>9}  {}\n", sweep_value(*sweep.parameter, value),
               to_text(one_device_time(p)), to_text(split_time(p)),
               gain ? fmt::format("{:.4f}", *gain) : "none",
               name(compare(one_device_time(p), split_time(p))));
  }
  const auto intervals = faster_intervals(base, sweep);
  fmt::print("\nThe split is faster {}\n", intervals.empty() ? "nowhere on this sweep." : "for");
  for (const FasterInterval& interval : intervals) {
    fmt::print("  {} from {} to {}{}\n", sweep.parameter->name,
               sweep_value(*sweep.parameter, interval.from),
               sweep_value(*sweep.parameter, interval.to),
               interval.to_is_last ? ", the end of the sweep" : "");
  }
}

void print_replicas(const Replicas& replicas) {
  const ReplicaThroughput throughput = replica_throughput(replicas);
  fmt::print("{} replicas of {:g} samples/s each, scaling efficiency {:g}\n\n", replicas.devices,
             replicas.samples_per_second, replicas.scaling_efficiency);
  fmt::print("  ideal   I = d v    {:>12.6g} samples/s\n", throughput.ideal_per_second);
  fmt::print("  actual  A = d v E  {:>12.6g} samples/s\n", throughput.actual_per_second);
  fmt::print("  lost    I - A      {:>12.6g} samples/s\n", throughput.lost_per_second);
  fmt::print("  speedup d E        {:>12.6g}\n", throughput.speedup);
}

std::string duration_text(Seconds time) {
  return time.value() < 120.0 ? to_text(time) : fmt::format("{:g} min", time.value() / 60.0);
}

void print_jobs(const JobList& list) {
  const Seconds alone = one_device_total(list);
  std::vector<std::pair<Assignment, Schedule>> plans;
  for (const Assignment assignment :
       {Assignment::fixed, Assignment::availability, Assignment::longest_first}) {
    plans.emplace_back(assignment, schedule(list, assignment));
  }
  fmt::print("{} jobs on {} device(s), then {} of assembly; one device takes {}\n\n",
             list.lengths.size(), list.devices, duration_text(list.assembly), duration_text(alone));
  fmt::print("  {:<14} {:>12} {:>12} {:>9} {:>16}\n", "assignment", "jobs end", "total", "speedup",
             "longest idle");
  for (const auto& [assignment, plan] : plans) {
    const Seconds least_busy = *std::min_element(plan.device_busy.begin(), plan.device_busy.end());
    fmt::print("  {:<14} {:>12} {:>12} {:>9} {:>16}\n", name(assignment),
               duration_text(plan.jobs_end), duration_text(plan.total),
               plan.total.value() > 0 ? fmt::format("{:.4g}", alone / plan.total) : "none",
               duration_text(plan.jobs_end - least_busy));
  }
}

// The options that describe a split, with the name a sweep gives each.
struct SplitOption {
  std::string sweep_name;
  CLI::Option* option;
  bool of_a_device;  // and not of the collectives
};

// Refuses a split that is not fully described: a default would be an invented measurement.
void require_all(const std::vector<SplitOption>& options, const PredictOptions& chosen,
                 const std::string& swept) {
  const bool exchanges = chosen.parameters.collectives > 0 || swept == "collectives";
  std::string missing;
  for (const SplitOption& needed : options) {
    if (needed.option->count() > 0 || needed.sweep_name == swept) continue;
    if (!exchanges && needed.option->count() == 0 && !needed.of_a_device) continue;
    missing += " " + needed.option->get_name();
  }
  if (!missing.empty()) {
    throw InvalidInput("",
                       fmt::format("predict needs{}\nExample: splitbench predict --serial 0.8ms "
                                   "--compute 12ms --efficiency 0.8 --collectives 4 "
                                   "--latency 30us --bytes 2MB --bandwidth 10GB/s",
                                   missing));
  }
}

int predict_split(const PredictOptions& options, const std::vector<SplitOption>& split_options) {
  if (options.sweep.empty()) {
    require_all(split_options, options, "");
    check(options.parameters);
    if (options.format == Format::json) {
      print_document(prediction_document(options.parameters));
    } else {
      print_prediction(options.parameters);
    }
    return kDone;
  }
  const Sweep sweep = parse_sweep(options.sweep);
  require_all(split_options, options, std::string(sweep.parameter->name));
  SplitParameters base = options.parameters;
  for (const double end : {sweep.values.back(), sweep.values.front()}) {
    sweep.parameter->set(base, end);
    check(base);
  }
  if (options.format == Format::json) {
    print_sweep_json(base, sweep);
  } else {
    print_sweep_table(base, sweep);
  }
  return kDone;
}

// What the user measured already takes the place of its range.
int predict_node(const PredictOptions& options, const std::vector<SplitOption>& split_options) {
  EstimateRequest request = estimate_request(options.node, options.parameters.ranks);
  for (const SplitOption& split : split_options) {
    if (split.option->count() == 0) continue;
    if (split.sweep_name == "serial") request.serial = options.parameters.serial;
    if (split.sweep_name == "compute") request.compute = options.parameters.compute;
    if (split.sweep_name == "efficiency") request.efficiency = options.parameters.efficiency;
  }
  const nlohmann::ordered_json document = estimate_document(request);
  if (options.format == Format::json) {
    print_document(document);
  } else {
    print_screen(estimate_screen(document));
  }
  return kDone;
}

int predict_replicas(PredictOptions options) {
  options.replicas.devices = options.replica_devices;
  if (options.format == Format::json) {
    print_document(replicas_document(options.replicas));
  } else {
    print_replicas(options.replicas);
  }
  return kDone;
}

int predict_jobs(PredictOptions options) {
  options.job_list.lengths = parse_jobs(options.jobs);
  if (options.format == Format::json) {
    print_document(jobs_document(options.job_list));
  } else {
    print_jobs(options.job_list);
  }
  return kDone;
}

}  // namespace

void add_predict(CLI::App& program, Action& action) {
  CLI::App& app = *program.add_subcommand(
      "predict", "The model as a calculator: parameters in, times, break-evens and verdict out");
  app.footer(
      "Example:\n"
      "  splitbench predict --serial 0.8ms --compute 12ms --efficiency 0.8 --collectives 4 \\\n"
      "      --latency 30us --bytes 2MB --bandwidth 10GB/s --sweep compute=0.5ms:64ms:log:8\n"
      "  splitbench predict --node topo.txt nccl.log --gpu 'H100 SXM' --operation llama-3-8b\n"
      "  splitbench predict --replicas 64 --samples-per-second 2000 --scaling-efficiency 0.9\n"
      "  splitbench predict --jobs 8x12min --devices 2 --assembly 10min");
  auto options = std::make_shared<PredictOptions>();
  SplitParameters& p = options->parameters;
  p.collectives = 0;

  add_format(app, options->format);
  CLI::Option* cases =
      app.add_flag("--cases", options->cases, "The exact example and the worked cases");

  std::vector<SplitOption> split{
      {"serial", add_quantity(app, "--serial", p.serial, "S, time that is not divided"), true},
      {"compute", add_quantity(app, "--compute", p.compute, "C, divisible time on one device"),
       true},
      {"efficiency",
       add_number(app, "--efficiency", p.efficiency, "eta, C / (N x the shard's time)"), true},
      {"collectives",
       add_count(app, "--collectives", std::int64_t{0}, p.collectives, "Q, serialized collectives"),
       true},
      {"latency", add_quantity(app, "--latency", p.latency, "l, fixed cost of one collective"),
       false},
      {"bytes", add_quantity(app, "--bytes", p.bytes, "V, wire bytes of one collective"), false},
      {"bandwidth", add_quantity(app, "--bandwidth", p.bandwidth, "B, bytes per second, or inf"),
       false}};
  CLI::Option* ranks =
      add_count(app, "--ranks", 1, p.ranks, "N, devices to split over (default 2)");
  CLI::Option* extra =
      add_quantity(app, "--serial-extra", p.serial_extra, "Serial time that only the split has");
  CLI::Option* sweep =
      app.add_option("--sweep", options->sweep, "NAME=FROM:TO:lin|log:COUNT, one parameter varied");

  CLI::Option* replicas = add_count(app, "--replicas", 1, options->replica_devices,
                                    "Data parallelism instead: d devices, each whole");
  CLI::Option* samples = add_number(app, "--samples-per-second",
                                    options->replicas.samples_per_second, "v, of one device alone");
  CLI::Option* scaling =
      add_number(app, "--scaling-efficiency", options->replicas.scaling_efficiency,
                 "E in (0, 1], measured at this d");
  replicas->needs(samples)->needs(scaling);
  samples->needs(replicas);
  scaling->needs(replicas);

  CLI::Option* jobs =
      app.add_option("--jobs", options->jobs, "Independent jobs instead: 8x12min,30min");
  CLI::Option* devices =
      add_count(app, "--devices", 1, options->job_list.devices, "Devices for the jobs (default 1)");
  CLI::Option* assembly = add_quantity(app, "--assembly", options->job_list.assembly,
                                       "Time after the last job, on one device");
  CLI::Option* concurrent = add_count(app, "--max-concurrent", 1, options->job_list.max_concurrent,
                                      "Jobs that may run at once (licences)");
  for (CLI::Option* option : {devices, assembly, concurrent}) option->needs(jobs);

  std::vector<CLI::Option*> split_only{ranks, extra, sweep};
  for (const SplitOption& option : split) split_only.push_back(option.option);
  for (CLI::Option* option : split_only) {
    option->excludes(replicas)->excludes(jobs)->excludes(cases);
  }
  replicas->excludes(jobs)->excludes(cases);
  jobs->excludes(cases);

  const std::vector<CLI::Option*> node = add_node_options(app, options->node);
  for (CLI::Option* option : node) {
    option->excludes(replicas)->excludes(jobs)->excludes(cases)->excludes(extra)->excludes(sweep);
    for (const SplitOption& other : split) {
      if (!other.of_a_device) option->excludes(other.option);
    }
  }

  app.callback([options, split, replicas, jobs, node, &action] {
    const bool by_node = std::any_of(node.begin(), node.end(),
                                     [](const CLI::Option* given) { return given->count() > 0; });
    action = [options, split, by_node, by_replicas = replicas->count() > 0,
              by_jobs = jobs->count() > 0] {
      if (by_node) return predict_node(*options, split);
      if (options->cases) return print_cases(options->format);
      if (by_replicas) return predict_replicas(*options);
      if (by_jobs) return predict_jobs(*options);
      return predict_split(*options, split);
    };
  });
}

}  // namespace splitbench::cli
