#include "results/import/nccl_tests_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "protocols/document_value.h"
#include "results/import/json_part.h"

namespace splitbench {
namespace {

constexpr std::size_t kMostRows = 100'000;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 53;
constexpr std::size_t kLongestName = 2048;

// A number, or none where it is null or the string "nan".
std::optional<double> number_or_none(const DocumentValue& object, std::string_view key) {
  const auto value = object.member(key);
  if (!value || value->is_null()) return std::nullopt;
  if (value->is_text()) {
    if (value->text(16) != "nan") value->refuse("a number or \"nan\"");
    return std::nullopt;
  }
  return value->number(0.0, 1e300);
}

constexpr std::array kGroups{"out_of_place", "in_place"};

// Option -C: how long the host took to launch.
constexpr const char* kTimeOfHost = "cpu_time";
bool has_time_of_host(const DocumentValue& group) {
  return group.member(kTimeOfHost).has_value();
}

std::optional<CollectiveTime> time_in(const DocumentValue& row, std::string_view key) {
  const auto group = row.member(key);
  if (!group || group->is_null()) return std::nullopt;
  const auto time = number_or_none(*group, has_time_of_host(*group) ? kTimeOfHost : "time");
  if (!time) return std::nullopt;
  return CollectiveTime{.time = Seconds(1e-6 * *time),
                        .algorithm_gb_per_s = number_or_none(*group, "alg_bw").value_or(0.0),
                        .bus_gb_per_s = number_or_none(*group, "bus_bw").value_or(0.0),
                        .wrong = number_or_none(*group, "nwrong")};
}

DocumentValue needed(const DocumentValue& object, std::string_view key) {
  auto value = object.member(key);
  if (!value) object.fail(fmt::format("expected a key '{}', as nccl-tests writes it", key));
  return *value;
}

std::optional<long long> number_of(const DocumentValue& device) {
  if (!device.member("device")) return std::nullopt;
  return device.whole("device", 0, 0, 1'000'000);
}

void add_devices(CollectiveRun& run, const DocumentValue& config) {
  const auto devices = config.member("devices");
  if (!devices) return;
  for (const DocumentValue& device : devices->elements(kMostRunDevices)) {
    run.devices.push_back({.rank = static_cast<int>(device.whole("rank", 0, 0, 1'000'000)),
                           .host = needed(device, "hostname").text(kLongestName),
                           .number = number_of(device),
                           .bus = needed(device, "device_hex").text(kLongestName),
                           .name = printable(needed(device, "device_info").text(kLongestName))});
  }
}

// Of every process only the first device is listed, whose ranks are as many as its threads times
// their devices.
std::optional<int> ranks_in(const CollectiveRun& run, const DocumentValue& config) {
  if (run.devices.empty()) return std::nullopt;
  const auto each =
      static_cast<int>(config.whole("nthreads", 1, 1, 1024) * config.whole("ngpus", 1, 1, 1024));
  int last = 0;
  for (const RunDevice& device : run.devices) last = std::max(last, device.rank);
  const auto listed = static_cast<int>(run.devices.size());
  return listed == last + 1 && listed >= each ? listed : last + each;
}

std::string program_in(const DocumentValue& document) {
  const auto arguments = document.member("args");
  if (!arguments || !arguments->is_array()) return {};
  const auto list = arguments->elements(kMostRows);
  if (list.empty() || !list.front().is_text()) return {};
  const std::string name =
      printable(std::filesystem::path(list.front().text(kLongestName)).filename().string());
  const std::size_t end = name.find("_perf");
  return end == std::string::npos ? std::string() : name.substr(0, end);
}

class Reader {
 public:
  Reader(const Document& document, std::size_t line) : root_(document), line_(line) {}

  std::vector<CollectiveRun> read() {
    CollectiveRun head;
    head.line = line_;
    head.collective = program_in(root_);
    head.collective_named = !head.collective.empty();
    head.library = library_version(root_.whole("nccl_version", 0, 0, 1'000'000));
    const DocumentValue config = needed(root_, "config");
    add_devices(head, config);
    head.ranks = ranks_in(head, config);
    if (const auto bounds = root_.member("out_of_bounds")) {
      head.out_of_bounds = number_or_none(*bounds, "count");
    }
    add_rows(head);
    return std::move(runs_);
  }

 private:
  void add_rows(const CollectiveRun& head) {
    CollectiveRun run = head;
    if (const auto results = root_.member("results")) {
      for (const DocumentValue& row : results->elements(kMostRows)) {
        CollectiveRow value = row_in(row);
        for (const char* key : kGroups) {
          const auto group = row.member(key);
          if (group && !group->is_null() && has_time_of_host(*group)) run.times_of_host = true;
        }
        if (!run.rows.empty() &&
            (value.dtype != run.rows.front().dtype || value.redop != run.rows.front().redop)) {
          finish(std::exchange(run, head));
        }
        if (value.out_of_place || value.in_place) {
          run.rows.push_back(std::move(value));
        } else {
          run.refused_rows.push_back({value.line, "it has no time"});
        }
      }
    }
    finish(std::move(run));
  }

  CollectiveRow row_in(const DocumentValue& row) const {
    CollectiveRow value;
    value.line = line_;
    value.size = Bytes(static_cast<double>(needed(row, "size").whole(0, kMostBytes)));
    value.dtype = printable(needed(row, "type").text(kLongestName));
    value.redop = needed(row, "redop").text(kLongestName);
    value.out_of_place = time_in(row, kGroups[0]);
    value.in_place = time_in(row, kGroups[1]);
    return value;
  }

  void finish(CollectiveRun run) {
    if (!root_.member("end_time")) {
      run.flaw = Remark{line_, "the run did not end: there is no end_time"};
    }
    examine(run);
    if (runs_.size() == kMostRuns) root_.fail(fmt::format("more than {} runs", kMostRuns));
    runs_.push_back(std::move(run));
  }

  DocumentValue root_;
  std::size_t line_;
  std::vector<CollectiveRun> runs_;
};

}  // namespace

bool looks_like_nccl_tests_json(const TextSource& source) {
  return has_json_key(source, "nccl_version") && has_json_key(source, "config");
}

std::vector<CollectiveRun> read_nccl_tests_json(const TextSource& source) {
  const auto document = json_part(source);
  if (!document) source.fail(1, "expected a JSON document of nccl-tests");
  return Reader(*document, document->position("").line).read();
}

}  // namespace splitbench
