// One run of a collective as another tool printed it: who took part, and a row for each size.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/quantity.h"

namespace splitbench {

struct CollectiveTime {
  Seconds time{};
  double algorithm_gb_per_s = 0.0;  // as printed: size over time, two decimals
  double bus_gb_per_s = 0.0;        // likewise, times the factor of the collective and ranks
  std::optional<double> wrong;      // values that were; none where nobody looked
};

struct CollectiveRow {
  std::size_t line = 0;
  Bytes size{};       // per rank, of the message of an all-reduce
  std::string dtype;  // "float", "half", "bfloat16", ...
  std::string redop;  // "sum", ...; empty or "none" where the collective reduces nothing
  std::string tag;    // of the line, see TextLine
  std::optional<CollectiveTime> out_of_place;
  std::optional<CollectiveTime> in_place;

  // Out of place, where there is that; nccl-tests has one of the two at least.
  const CollectiveTime& time() const { return out_of_place ? *out_of_place : *in_place; }
};

// Something at a line, and what of it.
struct Remark {
  std::size_t line = 0;
  std::string text;

  friend bool operator==(const Remark&, const Remark&) = default;
};

struct RunDevice {
  int rank = 0;
  std::string host;                 // to tell devices apart, never shown: see docs/importers.md
  std::optional<long long> number;  // CUDA's, which CUDA_VISIBLE_DEVICES and _ORDER change
  std::string bus;  // "0000:1b:00", or "0x1b" of older versions, which is not unique
  std::string name;
};

// As CollectiveRun::collective names it.
inline constexpr const char* kAllReduce = "all_reduce";

// More of either in one text is no log that anybody keeps.
inline constexpr std::size_t kMostRuns = 1000;
inline constexpr std::size_t kMostRunDevices = 4096;

struct CollectiveRun {
  std::size_t line = 0;           // where it begins
  std::string collective;         // "all_reduce", "broadcast", ...; empty where nothing tells
  bool collective_named = false;  // else it was told from the columns
  std::optional<int> ranks;
  bool ranks_from_bandwidths = false;  // else from the list of devices or what NCCL logged
  std::vector<RunDevice> devices;      // by rank, as far as they are listed
  std::string library;                 // "NCCL 2.29.2", "RCCL 2.22.3"; empty where nothing tells
  std::set<std::string> transports;    // "P2P", "SHM", "NET": what NCCL logged of its channels
  std::vector<CollectiveRow> rows;
  std::vector<Remark> refused_rows;     // cut, or not understood
  bool times_of_host = false;           // "cputime": of launching, not of the collective
  std::optional<double> out_of_bounds;  // wrong values that the tool counted over all rows
  std::vector<std::string> notes;
  std::optional<Remark> flaw;  // why its times must not be used
};

// NCCL's version as its header counts it: 22902 is "NCCL 2.29.2", 2708 was 2.7.8.
std::string library_version(long long code);

// Why the time of a row is none of an all-reduce of its size: less than 1 ns, more than a day, or
// not what the row says of algbw. Empty where it may be one.
std::string implausible(const CollectiveRow& row);

// "0000:1b:00", and not "0x1b".
bool is_whole_address(const std::string& bus);

// Whether the ranks that are listed are on more than one host, and whether two are on one GPU.
bool is_on_several_hosts(const CollectiveRun& run);
bool shares_a_device(const CollectiveRun& run);

// Finds what is wrong with a run and, where it does not say so itself, which collective it was and
// of how many ranks: busbw/algbw is 2(n-1)/n of an all-reduce of n ranks, see model/wire.h.
// Flaws: rows of independent jobs, wrong results, one rank, no rows. Rows of an all-reduce that are
// implausible become refused ones. Of a job that went through its sizes several times one row is
// left for each.
void examine(CollectiveRun& run);

}  // namespace splitbench
