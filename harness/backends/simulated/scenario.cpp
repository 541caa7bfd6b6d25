#include "harness/backends/simulated/scenario.h"

#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "protocols/document_value.h"

namespace splitbench::simulated {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kLongest = 1000;  // s
constexpr double kShortestPeriod = 1e-5;
constexpr double kHighest = 1e18;  // of rates and bytes
constexpr double kMostFactor = 1e3;
constexpr double kMostSd = 3;
constexpr std::size_t kMostEntries = 256;
constexpr std::int64_t kMostCounted = 1'000'000;

constexpr std::array<Named<Work>, kWorks> kWork{{
    {Work::start, "start", ""},
    {Work::serial, "serial", ""},
    {Work::product, "product", ""},
    {Work::shard, "shard", ""},
    {Work::collective, "collective", ""},
}};
constexpr std::array<Named<Distribution>, 5> kDistributions{{
    {Distribution::normal, "normal", ""},
    {Distribution::t3, "t3", ""},
    {Distribution::exponential, "exponential", ""},
    {Distribution::lognormal, "lognormal", ""},
    {Distribution::bimodal, "bimodal", ""},
}};
constexpr std::array<Named<FaultKind>, 2> kFaults{{
    {FaultKind::hang, "hang", ""},
    {FaultKind::wrong_data, "wrong-data", ""},
}};

// No template argument is deduced from an array that becomes a span.
template <class Enum, class Table>
std::span<const Named<Enum>> view(const Table& table) {
  return table;
}

// Reads one object, member by member, as describe() names them.
class Reader {
 public:
  Reader(const DocumentValue& at, const Bounds& bounds) : at_(at), bounds_(bounds) {}

  void required(std::string_view key) { required_.push_back(key); }

  void number(std::string_view key, double& value, double least, double most) {
    if (const auto found = member(key)) value = found->number(least, most);
  }
  void number(std::string_view key, std::optional<double>& value, double least, double most) {
    if (const auto found = member(key)) value = found->number(least, most);
  }
  void rank(std::string_view key, int& value) {
    if (const auto found = member(key))
      value = static_cast<int>(found->whole(0, bounds_.ranks - 1));
  }
  void rank(std::string_view key, std::optional<int>& value) {
    if (const auto found = member(key))
      value = static_cast<int>(found->whole(0, bounds_.ranks - 1));
  }
  void layer(std::string_view key, std::optional<int>& value) {
    const std::int64_t most = bounds_.layers.value_or(kMostCounted + 1) - 1;
    if (const auto found = member(key)) value = static_cast<int>(found->whole(0, most));
  }
  void count(std::string_view key, std::optional<int>& value) {
    if (const auto found = member(key)) value = static_cast<int>(found->whole(0, kMostCounted));
  }
  template <class Enum>
  void choice(std::string_view key, Enum& value, std::span<const Named<Enum>> table) {
    if (const auto found = member(key)) value = found->choice(table);
  }
  template <class Enum>
  void choices(std::string_view key, std::vector<Enum>& values,
               std::span<const Named<Enum>> table) {
    const auto found = member(key);
    if (!found) return;
    values.clear();
    for (const DocumentValue& one : found->elements(kMostEntries)) {
      values.push_back(one.choice(table));
    }
  }
  template <class Part>
  void object(std::string_view key, Part& part) {
    if (const auto found = member(key)) read(*found, part);
  }
  template <class Part>
  void list(std::string_view key, std::vector<Part>& parts) {
    const auto found = member(key);
    if (!found) return;
    parts.clear();
    for (const DocumentValue& one : found->elements(kMostEntries)) {
      read(one, parts.emplace_back());
    }
  }

  // After all members: there are no others.
  void finish() const { at_.check_keys(required_, optional_); }

 private:
  std::optional<DocumentValue> member(std::string_view key) {
    optional_.push_back(key);
    return at_.member(key);
  }
  template <class Part>
  void read(const DocumentValue& at, Part& part) const {
    Reader reader(at, bounds_);
    describe(reader, part);
    reader.finish();
  }

  DocumentValue at_;
  Bounds bounds_;
  std::vector<std::string_view> required_;
  std::vector<std::string_view> optional_;
};

class Writer {
 public:
  Json take() { return std::move(json_); }

  void required(std::string_view) {}
  void number(std::string_view key, double value, double, double) { put(key, value); }
  void number(std::string_view key, std::optional<double> value, double, double) {
    put(key, value);
  }
  void rank(std::string_view key, std::optional<int> value) { put(key, value); }
  void layer(std::string_view key, std::optional<int> value) { put(key, value); }
  void count(std::string_view key, std::optional<int> value) { put(key, value); }
  template <class Enum>
  void choice(std::string_view key, Enum value, std::span<const Named<Enum>> table) {
    put(key, std::optional(name_in(table, value)));
  }
  template <class Enum>
  void choices(std::string_view key, const std::vector<Enum>& values,
               std::span<const Named<Enum>> table) {
    Json names = Json::array();
    for (const Enum value : values) names.push_back(name_in(table, value));
    json_[std::string(key)] = names;
  }
  template <class Part>
  void object(std::string_view key, Part& part) {
    json_[std::string(key)] = written(part);
  }
  template <class Part>
  void list(std::string_view key, std::vector<Part>& parts) {
    Json all = Json::array();
    for (Part& part : parts) all.push_back(written(part));
    json_[std::string(key)] = all;
  }

 private:
  template <class Value>
  void put(std::string_view key, const std::optional<Value>& value) {
    if (value) json_[std::string(key)] = *value;
  }
  void put(std::string_view key, double value) { json_[std::string(key)] = value; }
  template <class Part>
  static Json written(Part& part) {
    Writer writer;
    describe(writer, part);
    return writer.take();
  }

  Json json_ = Json::object();
};

template <class Visitor>
void describe(Visitor& v, Segment& s) {
  v.number("to_bytes", s.to_bytes, 1, kHighest);
  v.number("latency_s", s.latency_s, 0, kLongest);
  v.number("bandwidth_bytes_per_s", s.bandwidth_bytes_per_s, 1, kHighest);
}

template <class Visitor>
void describe(Visitor& v, SessionEffects& s) {
  v.choice("distribution", s.distribution, view<Distribution>(kDistributions));
  v.number("machine", s.machine, 0, kMostSd);
  v.number("work", s.work, 0, kMostSd);
  v.number("arm", s.arm, 0, kMostSd);
  v.number("rank", s.rank, 0, kMostSd);
}

template <class Visitor>
void describe(Visitor& v, MachineState& s) {
  v.number("sd", s.sd, 0, kMostSd);
  v.number("autocorrelation", s.autocorrelation, 0, 0.999999);
}

template <class Visitor>
void describe(Visitor& v, Tail& t) {
  v.number("probability", t.probability, 0, 1);
  v.number("factor", t.factor, 0, kMostFactor);
  v.number("shape", t.shape, 0.5, 100);
}

template <class Visitor>
void describe(Visitor& v, Settling& s) {
  v.number("size", s.size, 0, kMostSd);
  v.number("time_s", s.time_s, 1e-9, kLongest);
}

template <class Visitor>
void describe(Visitor& v, Noise& n) {
  v.object("session", n.session);
  v.object("state", n.state);
  v.object("tail", n.tail);
  v.object("settling", n.settling);
  v.number("layer_cv", n.layer_cv, 0, kMostSd);
  v.number("drift_per_s", n.drift_per_s, -1, 1);
  v.number("start_s", n.start_s, 0, kLongest);
}

template <class Visitor>
void describe(Visitor& v, Slowdown& s) {
  v.required("factor");
  v.number("factor", s.factor, 1 / kMostFactor, kMostFactor);
  v.choices("work", s.work, view<Work>(kWork));
  v.rank("rank", s.rank);
  v.number("from_s", s.from_s, 0, kHighest);
  v.number("to_s", s.to_s, 0, kHighest);
  v.number("period_s", s.period_s, kShortestPeriod, kHighest);
  v.number("busy_s", s.busy_s, 0, kHighest);
}

template <class Visitor>
void describe(Visitor& v, Delay& d) {
  v.required("seconds");
  v.number("seconds", d.seconds, 0, kLongest);
  v.choice("at", d.at, view<Work>(kWork));
  v.rank("rank", d.rank);
  v.layer("layer", d.layer);
  v.choices("arms", d.arms, arms());
}

template <class Visitor>
void describe(Visitor& v, Fault& f) {
  v.required("fault");
  v.choice("fault", f.fault, view<FaultKind>(kFaults));
  v.rank("rank", f.rank);
  v.number("after_s", f.after_s, 0, kHighest);
  v.count("session", f.session);
}

template <class Visitor>
void describe(Visitor& v, Scenario& s) {
  v.number("serial_s", s.serial_s, 0, kLongest);
  v.number("serial_extra_s", s.serial_extra_s, 0, kLongest);
  v.number("product_s", s.product_s, 0, kLongest);
  v.number("flops_per_s", s.flops_per_s, 1, kHighest);
  v.number("shard_efficiency", s.shard_efficiency, 1 / kMostFactor, kMostFactor);
  v.number("shared_factor", s.shared_factor, 1 / kMostFactor, kMostFactor);
  v.list("collective", s.collective);
  v.number("contention", s.contention, 1, kMostFactor);
  v.number("stamp_s", s.stamp_s, 0, kLongest);
  v.number("stamp_all_ranks_s", s.stamp_all_ranks_s, 0, kLongest);
  v.number("memory_bytes", s.memory_bytes, 1, kHighest);
  v.object("noise", s.noise);
  v.list("slowdowns", s.slowdowns);
  v.list("delays", s.delays);
  v.list("faults", s.faults);
}

// Ascending sizes, and a last segment for all that is larger.
void check_segments(const DocumentValue& list, const std::vector<Segment>& segments) {
  if (segments.empty()) list.refuse("a list of one segment or more");
  const auto elements = list.elements(kMostEntries);
  double before = 0;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const std::optional<double> to = segments[i].to_bytes;
    const bool last = i + 1 == segments.size();
    if (last && to) elements[i].fail("the last segment has no to_bytes: it holds all larger sizes");
    if (!last && (!to || *to <= before)) {
      elements[i].fail("expected to_bytes above that of the segment before");
    }
    before = to.value_or(before);
  }
}

}  // namespace

Scenario load_scenario(std::string text, std::string file, const Bounds& bounds) {
  const Document document(std::move(text), std::move(file));
  const DocumentValue root(document);
  Scenario scenario;
  Reader reader(root, bounds);
  describe(reader, scenario);
  reader.finish();
  if (const auto list = root.member("collective")) check_segments(*list, scenario.collective);
  return scenario;
}

nlohmann::ordered_json to_json(Scenario scenario) {
  Writer writer;
  describe(writer, scenario);
  return writer.take();
}

}  // namespace splitbench::simulated
