#include "results/import/nccl_tests.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

#include "results/import/nccl_tests_row.h"

namespace splitbench {
namespace {

// Without what a comment begins with.
std::string_view uncommented(std::string_view line) {
  line = trimmed(line);
  while (line.starts_with('#') && !line.starts_with("#wrong")) line = trimmed(line.substr(1));
  return line;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// "all_reduce" of ".../all_reduce_perf -b 8" and of "all_reduce_perf_mpi".
std::string collective_in(std::string_view line) {
  constexpr std::string_view kSuffix = "_perf";
  const std::size_t end = line.find(kSuffix);
  if (end == std::string_view::npos) return {};
  std::size_t begin = end;
  while (begin > 0 && (std::isalnum(static_cast<unsigned char>(line[begin - 1])) != 0 ||
                       line[begin - 1] == '_')) {
    --begin;
  }
  std::string_view name = line.substr(begin, end - begin);
  if (name.starts_with("nccl_")) name.remove_prefix(5);
  return std::string(name);
}

// "Rank  0 Group  0 Pid    880 on    host device  0 [0xa4] NVIDIA A100", the group not always
// there, the blank after "on" sometimes lost, and a host with blanks.
std::optional<RunDevice> device_in(std::string_view line) {
  if (!line.starts_with("Rank ")) return std::nullopt;
  const auto rank = whole_number_after(line, "Rank ");
  const std::size_t device = line.find(" device ");
  const std::size_t open = line.find('[', device == std::string_view::npos ? line.size() : device);
  const std::size_t close = line.find(']', open == std::string_view::npos ? line.size() : open);
  if (!rank || *rank > 1'000'000 || close == std::string_view::npos) return std::nullopt;
  const std::size_t on = std::min(line.find(" on"), device);
  return RunDevice{.rank = static_cast<int>(*rank),
                   .host = std::string(trimmed(line.substr(on, device - on))),
                   .number = whole_number_after(line.substr(device), " device "),
                   .bus = std::string(line.substr(open + 1, close - open - 1)),
                   .name = std::string(trimmed(line.substr(close + 1)))};
}

// What says why a run did not end.
bool is_failure(std::string_view line) {
  constexpr std::array kSigns{"Test NCCL failure", "Test CUDA failure", "NCCL failure",
                              "Segmentation fault", "Invalid number of GPUs"};
  return std::any_of(kSigns.begin(), kSigns.end(),
                     [line](std::string_view sign) { return contains(line, sign); });
}

std::string library_in(std::string_view line) {
  for (const auto& [before, name] :
       {std::pair<std::string_view, std::string_view>{"NCCL version ", "NCCL "},
        {"RCCL version : ", "RCCL "}}) {
    const std::size_t at = line.find(before);
    if (at == std::string_view::npos) continue;
    const auto words = words_of(line.substr(at + before.size()));
    if (!words.empty() && std::isdigit(static_cast<unsigned char>(words[0].front())) != 0) {
      return fmt::format("{}{}", name, words[0].substr(0, words[0].find_first_of("+-")));
    }
  }
  return {};
}

// "P2P" of "Channel 00/0 : 0[0] -> 1[1] via P2P/direct pointer". Source: src/transport/*.cc of
// NVIDIA/nccl.
std::string transport_in(std::string_view line) {
  constexpr std::string_view kVia = " via ";
  const std::size_t at = line.find(kVia);
  if (at == std::string_view::npos) return {};
  const std::string_view way = line.substr(at + kVia.size());
  for (const std::string_view transport : {"P2P", "SHM", "NET"}) {
    if (way.starts_with(transport) && way.substr(3).starts_with('/')) return std::string(transport);
  }
  return {};
}

// Of a whole row: size, count and type, a group of times. Fewer before the times are a beginning.
constexpr std::size_t kFewestWords = 7;

class Reader {
 public:
  explicit Reader(const TextSource& source) : source_(source) {}

  std::vector<CollectiveRun> read() {
    for (const TextLine& line : source_.lines()) read_line(line, uncommented(line.text));
    finish();
    for (CollectiveRun& run : runs_) examine(run);
    return std::move(runs_);
  }

 private:
  void read_line(const TextLine& line, std::string_view text) {
    if (text.empty()) return;
    if (contains(text, " NCCL INFO ") || contains(text, " NCCL WARN ")) return read_log(text);
    if (read_start(line, text) || read_device(line, text) || read_columns(line, text)) return;
    if (read_row(line, text) || read_end(text)) return;
    if (is_failure(text)) failure_ = Remark{line.number, std::string(text.substr(0, 120))};
    if (const std::string name = collective_in(text); !name.empty()) named_ = name;
    if (const std::string library = library_in(text); !library.empty()) library_ = library;
  }

  void read_log(std::string_view text) {
    if (const auto ranks = whole_number_after(text, " nranks ");
        ranks && *ranks > 0 && *ranks < 1'000'000 && (!open_ || run_.rows.empty())) {
      logged_ranks_ = static_cast<int>(*ranks);
    }
    if (const std::string library = library_in(text); !library.empty()) library_ = library;
    if (std::string transport = transport_in(text); !transport.empty()) {
      transports_.insert(std::move(transport));
    }
  }

  bool read_start(const TextLine& line, std::string_view text) {
    if (text.starts_with("nccl-tests version ") || text.starts_with("rccl-tests")) {
      if (open_ && !run_.rows.empty()) finish();
      library_ = library_version(whole_number_after(text, "nccl-library=").value_or(0));
      return true;
    }
    if (text.starts_with("Collective test starting:")) {
      if (open_ && (has_rows() || header_)) finish();
      named_ = collective_in(text);
      return true;
    }
    if (!text.starts_with("nThread ")) return false;
    if (open_ && (has_rows() || header_)) finish();
    begin(line.number);
    header_ = true;
    const auto threads = whole_number_after(text, "nThread ");
    const auto devices = whole_number_after(text, "nGpus ");
    if (threads && devices && *threads < 1000 && *devices < 1000 && *threads * *devices > 1) {
      run_.ranks = static_cast<int>(*threads * *devices);
    }
    return true;
  }

  bool read_device(const TextLine& line, std::string_view text) {
    auto device = device_in(text);
    if (!device) return false;
    if (open_ && has_rows()) finish();
    begin(line.number);
    if (run_.devices.size() == kMostRunDevices) {
      source_.fail(line.number, fmt::format("more than {} devices in a run", kMostRunDevices));
    }
    run_.devices.push_back(std::move(*device));
    return true;
  }

  bool read_columns(const TextLine& line, std::string_view text) {
    if (text.starts_with("out-of-place") || text.starts_with("in-place")) {
      in_place_first_ = text.starts_with("in-place");
      return true;
    }
    if (is_unit_line(text)) {
      read_units(line, text);
      return true;
    }
    const auto columns = columns_in(text);
    if (!columns) return false;
    if (open_ && has_rows()) finish();
    begin(line.number);
    columns_ = *columns;
    columns_.in_place_first = in_place_first_;
    run_.times_of_host = columns_.times_of_host;
    return true;
  }

  void read_units(const TextLine& line, std::string_view text) {
    const std::string unit = foreign_unit(text);
    if (unit.empty()) return;
    begin(line.number);
    run_.flaw =
        Remark{line.number,
               fmt::format("a column in {}: expected (us) and (GB/s), as nccl-tests writes", unit)};
  }

  bool read_row(const TextLine& line, std::string_view text) {
    if (head_ && ends_row(text)) {
      const std::string whole = head_->text + " " + std::string(text);
      const std::size_t number = std::exchange(head_, std::nullopt)->line;
      add_row(line, number, whole);
      return true;
    }
    if (ends_row(text) && (open_ || !line.tag.empty())) {
      refuse(line.number, "cut: its beginning is missing");
      return true;
    }
    if (!begins_row(text)) return read_unread(line, text);
    if (!open_ && words_of(text).size() < kFewestWords) return false;
    drop_head();
    if (words_of(text).size() < kFewestWords) {
      head_ = Remark{line.number, std::string(text)};  // the rest may follow
      return true;
    }
    add_row(line, line.number, text);
    return true;
  }

  bool read_unread(const TextLine& line, std::string_view text) {
    const std::string why = unread_size(text, columns_);
    if (why.empty()) return false;
    refuse(line.number, why);
    return true;
  }

  void add_row(const TextLine& line, std::size_t number, std::string_view text) {
    Answer<CollectiveRow> row = row_in(text, columns_);
    if (!row) return refuse(number, row.reason());
    CollectiveRow value = *row;
    value.line = number;
    value.tag = line.tag;
    if (!run_.rows.empty() &&
        (value.dtype != run_.rows.front().dtype || value.redop != run_.rows.front().redop)) {
      begin_variant(number);
    }
    begin(number);
    columns_.groups = value.out_of_place && value.in_place ? 2 : 1;
    run_.rows.push_back(std::move(value));
  }

  void refuse(std::size_t number, const std::string& reason) {
    begin(number);
    run_.refused_rows.push_back({number, reason});
  }

  bool read_end(std::string_view text) {
    if (!open_) return false;
    if (text.starts_with("Out of bounds values")) {
      const std::size_t colon = text.find(':');
      const auto words = words_of(text.substr(std::min(colon, text.size() - 1) + 1));
      if (!words.empty()) run_.out_of_bounds = number_in(words[0]);
      return true;
    }
    if (!text.starts_with("Collective test concluded"))
      return text.starts_with("Avg bus bandwidth");
    if (run_.collective.empty()) run_.collective = collective_in(text);
    finish();
    return true;
  }

  bool has_rows() const { return !run_.rows.empty() || !run_.refused_rows.empty(); }

  void begin(std::size_t line) {
    if (open_) return;
    open_ = true;
    run_.line = line;
    run_.collective = std::exchange(named_, {});
  }

  // The same run, of another type or operation.
  void begin_variant(std::size_t line) {
    CollectiveRun next = run_;
    next.line = line;
    next.rows.clear();
    next.refused_rows.clear();
    const auto columns = columns_;
    const auto ranks = logged_ranks_;
    const auto transports = transports_;
    finish();
    run_ = std::move(next);
    columns_ = columns;
    logged_ranks_ = ranks;
    transports_ = transports;
    open_ = true;
  }

  void drop_head() {
    if (head_) refuse(head_->line, "cut, or wrapped by a terminal: it has no times");
    head_.reset();
  }

  void finish() {
    drop_head();
    if (open_) {
      run_.collective_named = !run_.collective.empty();
      run_.library = library_;
      run_.transports = transports_;
      if (run_.devices.empty() && logged_ranks_) run_.ranks = logged_ranks_;
      if (failure_ && !has_rows())
        run_.flaw = Remark{failure_->line, "it failed: " + failure_->text};
      if (failure_ && has_rows()) {
        run_.notes.push_back(fmt::format("line {}: {}", failure_->line, failure_->text));
      }
      if (runs_.size() == kMostRuns) {
        source_.fail(run_.line, fmt::format("more than {} runs in one text", kMostRuns));
      }
      runs_.push_back(std::move(run_));
    }
    run_ = {};
    columns_ = {};
    failure_.reset();
    logged_ranks_.reset();
    transports_.clear();
    open_ = header_ = in_place_first_ = false;
  }

  const TextSource& source_;
  std::vector<CollectiveRun> runs_;
  CollectiveRun run_;
  bool open_ = false;    // something of run_ was read
  bool header_ = false;  // its first line was
  bool in_place_first_ = false;
  NcclTestsColumns columns_;
  std::optional<Remark> head_;  // of a row whose times are yet to come
  std::optional<Remark> failure_;
  std::optional<int> logged_ranks_;
  std::set<std::string> transports_;
  std::string named_;  // the last collective that was named and is not yet a run's
  std::string library_;
};

}  // namespace

bool looks_like_nccl_tests(const TextSource& source) {
  return std::any_of(source.lines().begin(), source.lines().end(), [](const TextLine& line) {
    const std::string_view text = uncommented(line.text);
    return columns_in(text) || text.starts_with("nThread ") ||
           text.starts_with("Collective test starting:") ||
           (begins_row(text) && words_of(text).size() > 7 && row_in(text, {}));
  });
}

std::vector<CollectiveRun> read_nccl_tests(const TextSource& source) {
  return Reader(source).read();
}

}  // namespace splitbench
