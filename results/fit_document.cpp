#include "results/fit_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <set>
#include <utility>

#include "model/collective_curve.h"
#include "model/invalid_input.h"
#include "model/quantity_text.h"
#include "model/wire.h"
#include "protocols/document.h"
#include "results/answer_writer.h"
#include "results/joined_runs.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kFewestSizes = 3;
constexpr std::size_t kMostSizes = 4096;  // to find breaks takes time with their square

struct Chosen {
  const FitInput* input = nullptr;
  const CollectiveRun* run = nullptr;
};

[[noreturn]] void refuse(const FitInput& input, const Remark& remark) {
  throw BadDocument(input.file, "", {.line = std::max<std::size_t>(remark.line, 1), .column = 1},
                    remark.text);
}

std::string or_unknown(const std::string& collective) {
  return collective.empty() ? "a collective that nothing names" : collective;
}

// Runs of an all-reduce; a text that has none, or one that must not be used, ends it.
std::vector<Chosen> all_reduces(const FitInput& input) {
  const auto& runs = input.imported.runs;
  std::vector<Chosen> chosen;
  std::set<std::string> others;
  for (const CollectiveRun& run : runs) {
    const bool is_other = !run.collective.empty() && run.collective != kAllReduce;
    if (is_other) others.insert(run.collective);
    if (is_other) continue;
    if (run.flaw) refuse(input, *run.flaw);
    if (run.collective.empty()) {
      others.insert(or_unknown(run.collective));
    } else {
      chosen.push_back({&input, &run});
    }
  }
  if (chosen.empty()) {
    refuse(input,
           {runs.empty() ? 1 : runs.front().line,
            runs.empty() ? std::string("no run in it")
                         : fmt::format("no all-reduce in it, but {}", fmt::join(others, ", "))});
  }
  return chosen;
}

std::set<int> known_ranks(const std::vector<Chosen>& chosen) {
  std::set<int> ranks;
  for (const Chosen& one : chosen) {
    if (one.run->ranks) ranks.insert(*one.run->ranks);
  }
  return ranks;
}

int ranks_for(const FitRequest& request, const std::vector<Chosen>& chosen) {
  const std::set<int> known = known_ranks(chosen);
  if (request.ranks) return *request.ranks;
  if (known.size() > 1) {
    throw InvalidInput("ranks", fmt::format("there are runs of {} ranks; expected one of them",
                                            fmt::join(known, ", ")));
  }
  if (known.empty()) {
    const Chosen& first = chosen.front();
    refuse(*first.input,
           {first.run->line, "how many ranks took part is not in it; expected --ranks COUNT"});
  }
  return *known.begin();
}

std::vector<Chosen> of_ranks(const std::vector<Chosen>& all, int ranks) {
  std::vector<Chosen> chosen;
  std::copy_if(all.begin(), all.end(), std::back_inserter(chosen),
               [ranks](const Chosen& one) { return !one.run->ranks || *one.run->ranks == ranks; });
  if (chosen.empty()) {
    throw InvalidInput("ranks", fmt::format("no run of {} ranks; there are runs of {}", ranks,
                                            fmt::join(known_ranks(all), ", ")));
  }
  return chosen;
}

void add_once(Json& list, const std::string& text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

class Fit {
 public:
  Fit(const FitRequest& request, std::vector<Chosen> chosen, int ranks)
      : request_(request), chosen_(std::move(chosen)), ranks_(ranks) {}

  Json document() {
    collect();
    check_sizes();
    const CollectiveCurve curve(points_);
    Json document;
    document["schema"] = kFitSchema;
    document["source"] = source();
    document["segments"] = Json::array();
    for (std::size_t i = 0; i < curve.segments().size(); ++i) {
      document["segments"].push_back(
          segment(curve.segments()[i], "segments." + std::to_string(i) + "."));
    }
    document["at"] = request_.at ? at(curve, *request_.at) : Json(nullptr);
    document["normal"] = Json::array();
    if (request_.normal) document["normal"] = to_json({*request_.normal});
    if (!request_.normal) reasons_["normal"] = request_.normal.reason();
    document["warnings"] = warnings_;
    document["reasons"] = reasons_;
    return document;
  }

 private:
  const std::string& dtype() const { return chosen_.front().run->rows.front().dtype; }

  void collect() {
    std::vector<RunOfFile> joined;
    for (const Chosen& one : chosen_) {
      const CollectiveRun& run = *one.run;
      for (const std::string& note : run.notes) add_once(warnings_, note);
      for (const Remark& row : run.refused_rows) {
        refused_.push_back({{"file", one.input->file}, {"line", row.line}, {"reason", row.text}});
      }
      if (run.rows.front().dtype != dtype()) {
        add_once(warnings_, fmt::format("rows of type {} are left out", run.rows.front().dtype));
        continue;
      }
      for (const CollectiveRow& row : run.rows) add_row(*one.input, row);
      joined.push_back({one.input->file, &run});
    }
    if (const std::string note = spread_note(joined_spread(joined)); !note.empty()) {
      add_once(warnings_, note);
    }
    if (!refused_.empty()) {
      add_once(
          warnings_,
          fmt::format(
              "{} left out: {}:{}: {}{}",
              refused_.size() == 1 ? std::string("1 row is")
                                   : fmt::format("{} rows are", refused_.size()),
              refused_[0]["file"].get<std::string>(), refused_[0]["line"].get<std::size_t>(),
              refused_[0]["reason"].get<std::string>(),
              refused_.size() == 1 ? "" : ", and others (source.refused_rows of --format json)"));
    }
  }

  void check_sizes() const {
    std::set<double> sizes;
    for (const SizeTime& point : points_) sizes.insert(point.wire.value());
    if (sizes.size() >= kFewestSizes && sizes.size() <= kMostSizes) return;
    const Chosen& first = chosen_.front();
    refuse(*first.input,
           {first.run->line, fmt::format("times of {} size{}; expected {} to {}, of which a line "
                                         "takes {}",
                                         sizes.size(), sizes.size() == 1 ? "" : "s", kFewestSizes,
                                         kMostSizes, kFewestSizes)});
  }

  void add_row(const FitInput& input, const CollectiveRow& row) {
    if (!(row.size > Bytes(0))) {
      refused_.push_back({{"file", input.file}, {"line", row.line}, {"reason", "0 bytes"}});
      return;
    }
    points_.push_back({wire_bytes(row.size, ranks_), row.time().time});
  }

  Json source() const {
    const CollectiveRun& run = *chosen_.front().run;
    Json formats = Json::array();
    Json files = Json::array();
    for (const Chosen& one : chosen_) {
      add_once(formats, one.input->imported.format);
      add_once(files, one.input->file);
    }
    Json source{{"format", fmt::format("{}", fmt::join(formats, ", "))},
                {"files", files},
                {"ranks", ranks_},
                {"collective", kAllReduce}};
    if (!dtype().empty()) source["dtype"] = dtype();
    if (!run.library.empty()) source["library"] = run.library;
    if (!run.devices.empty()) source["devices"] = device_names(run);
    source["rows"] = points_.size();
    source["refused_rows"] = refused_;
    return source;
  }

  static Json device_names(const CollectiveRun& run) {
    Json names = Json::array();
    for (const RunDevice& device : run.devices) names.push_back(device.name);
    return names;
  }

  // Wire bytes as message bytes again.
  std::int64_t message(Bytes wire) const {
    return std::llround(wire / wire_bytes(Bytes(1), ranks_));
  }

  void add_line(Json& object, const CurvePiece& piece, const std::string& path) {
    AnswerWriter writer(object, reasons_, path);
    object["latency_s"] = piece.latency.value();
    writer.write("bandwidth_bytes_per_s", piece.bandwidth);
    writer.write("latency_interval_s", piece.latency_interval);
    writer.write("bandwidth_interval_bytes_per_s", piece.bandwidth_interval);
    object["max_relative_error"] = largest_error(piece);
  }

  // Of every time, where the line is through the means of those of one size.
  double largest_error(const CurvePiece& piece) const {
    double largest = piece.max_relative_error;
    for (const SizeTime& point : points_) {
      if (point.wire < piece.smallest || point.wire > piece.largest) continue;
      largest = std::max(largest, std::abs(piece.at(point.wire) / point.time - 1.0));
    }
    return largest;
  }

  Json segment(const CurvePiece& piece, const std::string& key) {
    Json object{{"from_bytes", message(piece.smallest)}, {"to_bytes", message(piece.largest)}};
    add_line(object, piece, key);
    object["points"] = piece.points;
    return object;
  }

  Json at(const CollectiveCurve& curve, Bytes size) {
    const auto [smallest, largest] =
        std::minmax_element(points_.begin(), points_.end(),
                            [](const SizeTime& a, const SizeTime& b) { return a.wire < b.wire; });
    const Bytes wire = wire_bytes(size, ranks_);
    if (wire < smallest->wire || wire > largest->wire) {
      throw InvalidInput(
          "at", fmt::format("{} is outside of the sizes that were measured, {} to {} "
                            "bytes",
                            to_text(size), message(smallest->wire), message(largest->wire)));
    }
    Json object{{"bytes", size.value()}, {"wire_bytes", wire.value()}};
    const Answer<CurvePiece> piece = curve.around(wire);
    if (curve.near_break(wire)) {
      add_once(warnings_,
               "bimodal: the size is within a quarter octave of where the line breaks, so that it "
               "may follow another line in another run");
    }
    if (!piece) {
      AnswerWriter writer(object, reasons_, "at.");
      for (const char* key : {"time_s", "latency_s", "bandwidth_bytes_per_s", "valid_for_bytes"}) {
        writer.write_none(key, piece.reason());
      }
      return object;
    }
    object["time_s"] = piece->at(wire).value();
    add_line(object, *piece, "at.");
    object["valid_for_bytes"] = Json::array({message(piece->smallest), message(piece->largest)});
    return object;
  }

  const FitRequest& request_;
  std::vector<Chosen> chosen_;
  int ranks_;
  std::vector<SizeTime> points_;
  Json refused_ = Json::array();
  Json warnings_ = Json::array();
  Json reasons_ = Json::object();
};

}  // namespace

Json fit_document(const FitRequest& request) {
  std::vector<Chosen> all;
  for (const FitInput& input : request.inputs) {
    const std::vector<Chosen> some = all_reduces(input);
    all.insert(all.end(), some.begin(), some.end());
  }
  const int ranks = ranks_for(request, all);
  return Fit(request, of_ranks(all, ranks), ranks).document();
}

}  // namespace splitbench
