#include "results/prediction_document.h"

#include <cmath>

#include "results/answer_writer.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

Json inputs(const SplitParameters& p) {
  Json in;
  in["serial_s"] = p.serial.value();
  in["compute_s"] = p.compute.value();
  in["efficiency"] = p.efficiency;
  in["collectives"] = p.collectives;
  in["latency_s"] = p.latency.value();
  in["wire_bytes"] = p.bytes.value();
  in["bandwidth_bytes_per_s"] = std::isinf(p.bandwidth.value()) || p.bandwidth.value() == 0.0
                                    ? Json(nullptr)
                                    : Json(p.bandwidth.value());
  in["ranks"] = p.ranks;
  in["serial_extra_s"] = p.serial_extra.value();
  return in;
}

}  // namespace

Json prediction_document(const SplitParameters& p) {
  Json document;
  document["schema"] = "splitbench.prediction/1";
  document["inputs"] = inputs(p);
  document["t1_s"] = one_device_time(p).value();
  document["communication_s"] = communication_time(p).value();
  document["tn_s"] = split_time(p).value();
  document["overlap_bound_s"] = overlap_bound(p).value();

  Json reasons = Json::object();
  AnswerWriter answers(document, reasons);
  answers.write("speedup", speedup(p));
  answers.write("parallel_efficiency", parallel_efficiency(p));
  answers.write("break_even_compute_s", break_even_compute(p));
  answers.write("min_bandwidth_bytes_per_s", min_bandwidth(p));
  answers.write("min_efficiency", min_efficiency(p));
  answers.write("max_latency_s", max_latency(p));
  if (std::isinf(p.bandwidth.value())) {
    answers.give_reason("inputs.bandwidth_bytes_per_s", "infinite: a byte costs nothing");
  } else if (p.bandwidth.value() == 0.0) {
    answers.give_reason("inputs.bandwidth_bytes_per_s", "not given: nothing is exchanged");
  }
  document["split_verdict"] = name(compare(one_device_time(p), split_time(p)));
  document["reasons"] = std::move(reasons);

  Json notes = Json::array();
  if (const auto least = min_efficiency(p); least && *least > 1.0) {
    notes.push_back("min_efficiency is above 1: not by local tuning alone");
  }
  document["notes"] = std::move(notes);
  return document;
}

Json replicas_document(const Replicas& replicas) {
  const ReplicaThroughput throughput = replica_throughput(replicas);
  Json document;
  document["schema"] = "splitbench.replicas/1";
  document["inputs"] = {{"devices", replicas.devices},
                        {"samples_per_s", replicas.samples_per_second},
                        {"scaling_efficiency", replicas.scaling_efficiency}};
  document["ideal_samples_per_s"] = throughput.ideal_per_second;
  document["actual_samples_per_s"] = throughput.actual_per_second;
  document["lost_samples_per_s"] = throughput.lost_per_second;
  document["speedup"] = throughput.speedup;
  return document;
}

Json jobs_document(const JobList& list) {
  Json document;
  document["schema"] = "splitbench.jobs/1";
  Json lengths = Json::array();
  for (const Seconds length : list.lengths) lengths.push_back(length.value());
  document["inputs"] = {
      {"lengths_s", std::move(lengths)},
      {"devices", list.devices},
      {"assembly_s", list.assembly.value()},
      {"max_concurrent", list.max_concurrent == 0 ? Json(nullptr) : Json(list.max_concurrent)}};
  document["one_device_s"] = one_device_total(list).value();
  document["schedules"] = Json::array();
  for (const Assignment assignment :
       {Assignment::fixed, Assignment::availability, Assignment::longest_first}) {
    const Schedule plan = schedule(list, assignment);
    Json entry;
    entry["assignment"] = name(assignment);
    entry["jobs_end_s"] = plan.jobs_end.value();
    entry["total_s"] = plan.total.value();
    entry["speedup"] =
        plan.total.value() > 0 ? Json(one_device_total(list) / plan.total) : Json(nullptr);
    entry["device_busy_s"] = Json::array();
    entry["device_idle_s"] = Json::array();
    for (const Seconds busy : plan.device_busy) {
      entry["device_busy_s"].push_back(busy.value());
      entry["device_idle_s"].push_back((plan.jobs_end - busy).value());
    }
    entry["jobs"] = Json::array();
    for (const PlacedJob& placed : plan.jobs) {
      entry["jobs"].push_back({{"job", placed.job},
                               {"device", placed.device},
                               {"start_s", placed.start.value()},
                               {"end_s", placed.end.value()}});
    }
    document["schedules"].push_back(std::move(entry));
  }
  return document;
}

}  // namespace splitbench
