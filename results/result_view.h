// A result document as what is compared, gated and followed over time: the measured times and
// parameters of every point, with what tells like from unlike.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "model/answer.h"
#include "model/statistics.h"
#include "results/environment.h"
#include "results/node.h"
#include "results/run_record.h"

namespace splitbench {

// Of every interval in a result.
inline constexpr double kResultConfidence = 0.95;

struct PointView {
  // Operation, ranks, launch, cache, organisation: points of one key are of one series.
  nlohmann::ordered_json key;
  std::string label;  // the key in words: "128 x 768 x 3072, 4 layers, fp32, 2 ranks, graph, hot"
  double collectives = 0.0;
  Answer<Estimate> t1 = not_estimated();       // s, logarithmic; so are the others but for latency
  Answer<Estimate> tn = not_estimated();       // s
  Answer<Estimate> speedup = not_estimated();  // T1 / T_N
  Answer<Estimate> serial = not_estimated();   // S, s
  Answer<Estimate> compute = not_estimated();  // C, s
  Answer<Estimate> efficiency = not_estimated();  // eta
  Answer<Estimate> latency = not_estimated();     // l, s, linear
  Answer<Estimate> bandwidth = not_estimated();   // B, bytes/s
  // How far two equal things seem to differ (comparison.aa); none where nobody looked.
  Answer<double> least_effect = Answer<double>::none("nothing was compared");
  std::string split_verdict;  // empty where nothing was judged
  std::string model_verdict;  //
};

struct ResultView {
  std::string id;
  std::string backend;
  TimesAre times_are = TimesAre::measured;
  RunOutcome outcome = RunOutcome::partial;
  std::string protocol;  // its name
  std::string started_utc;
  std::vector<std::string> command;  // that made it
  std::string fingerprint;           // of the node
  std::string devices;               // summary() of the node
  std::string no_verdict;            // why nothing may be judged; empty where it may
  Environment environment;
  std::vector<PointView> points;
};

// `source`: the name of the text in messages. Spreads are won back from the 95 % intervals, over as
// many sessions as the document counts. Throws InvalidInput, "SOURCE: /POINTER: expected ...", for
// a text that is no splitbench.result/1, lacks what is read here, or has a value outside of its
// interval, more sessions than a protocol may, or an A/A least effect that no times can give.
ResultView result_view(std::string_view text, const std::string& source);

// What tells one run from another: id, time, protocol, outcome, backend, kind of times, machine.
nlohmann::ordered_json to_json(const ResultView& view);

// The point of this key; null where the run has none.
const PointView* find_point(const ResultView& view, const nlohmann::ordered_json& key);

}  // namespace splitbench
