// What was measured at one point (an operation on N ranks), arm by arm, before any analysis.
//
// Two types that do not convert: ParameterSamples is all that a prediction may see, and has no
// place for the whole operation, unsplit (T1) or split (T_N); ValidationSamples holds what the
// prediction is compared with. Source of the arms: docs/methodology.md, "Arms" and "One sample".
//
// Times are seconds as measured, in flat row-major vectors. Every interval between two stamps holds
// the fixed cost e of the stamps once, the interval of a layer like that of a whole arm.
// Blocks of void rounds are not put in here. A collective runs once a layer: Q = layers.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/quantity.h"

namespace splitbench {

// One arm in one round: its repeats, one after another, on `ranks` ranks.
struct Block {
  int round = 0;
  int device = 0;                     // the device of an arm of one rank; else not used
  int ranks = 1;                      // ranks that were stamped: 1 or all
  int layers = 0;                     // layers that were stamped; 0: the whole arm only
  std::vector<double> seconds;        // repeats x ranks: end less start
  std::vector<double> layer_seconds;  // repeats x layers x ranks
  // Mean clock of the slowest device meanwhile; nothing where it was not recorded.
  std::optional<double> clock_hz;

  std::size_t repeats() const { return seconds.size() / static_cast<std::size_t>(ranks); }
};

enum class ParameterArm {
  empty,             // one rank: two stamps and nothing between
  empty_all_ranks,   //
  serial,            // one rank: the serial parts only
  serial_all_ranks,  // stamped per layer
  full,              // one device: the divisible work
  shard,             // all ranks at once, stamped per layer: the divided work
  shard_alone,       // one rank, the others idle
  collective,        // all ranks: one collective at V
  // All ranks: Q collectives at V back to back, the time of one. No prediction uses it.
  collective_pipelined,
};
enum class ValidationArm {
  unsplit,  // one device: T1
  twin,     // the same once more
  // All ranks: T_N. Its layer_seconds, where stamped, are those of the collective alone, from a
  // rank's arrival to its end: two stamps more in every layer.
  split,
  split_without_collective,
};
inline constexpr std::array kParameterArms{ParameterArm::empty,
                                           ParameterArm::empty_all_ranks,
                                           ParameterArm::serial,
                                           ParameterArm::serial_all_ranks,
                                           ParameterArm::full,
                                           ParameterArm::shard,
                                           ParameterArm::shard_alone,
                                           ParameterArm::collective,
                                           ParameterArm::collective_pipelined};
inline constexpr std::array kValidationArms{ValidationArm::unsplit, ValidationArm::twin,
                                            ValidationArm::split,
                                            ValidationArm::split_without_collective};
std::string_view name(ParameterArm arm);
std::string_view name(ValidationArm arm);

// The blocks of one session by arm; an arm that was not measured has none.
template <class Arm, std::size_t Count>
class ArmBlocks {
 public:
  std::vector<Block>& operator[](Arm arm) { return blocks_[static_cast<std::size_t>(arm)]; }
  const std::vector<Block>& operator[](Arm arm) const {
    return blocks_[static_cast<std::size_t>(arm)];
  }

 private:
  std::array<std::vector<Block>, Count> blocks_;
};

// The collective at another size than V.
struct SweepSize {
  Bytes wire{};
  std::vector<Block> blocks;
};

struct ParameterSession {
  int session = 0;
  ArmBlocks<ParameterArm, kParameterArms.size()> arms;
  std::vector<SweepSize> sweep;
};

struct ValidationSession {
  int session = 0;
  ArmBlocks<ValidationArm, kValidationArms.size()> arms;
};

struct ParameterSamples {
  int ranks = 2;   // N
  int layers = 1;  // L = Q
  Bytes wire{};    // V
  std::vector<ParameterSession> sessions;
};

struct ValidationSamples {
  int ranks = 2;
  int layers = 1;
  bool fits_one_device = true;  // false: the operation is too large for `unsplit`
  std::vector<ValidationSession> sessions;
};

// Throw InvalidInput, naming session, arm and round, for times that are negative or not finite,
// vectors whose size is not what the counts say, a session given twice, fewer than 2 ranks, an arm
// on another number of ranks than it must have or without the layers it must have.
void check(const ParameterSamples& samples);
void check(const ValidationSamples& samples);

// How one repeat of a block is read as one number, in seconds.
using Reading = double (*)(const Block& block, std::size_t repeat);
double longest_rank(const Block& block, std::size_t repeat);   // max over ranks
double shortest_rank(const Block& block, std::size_t repeat);  // min over ranks
// The sum over layers of the longest and of the shortest rank; of a block without layers, that of
// the whole arm.
double longest_by_layer(const Block& block, std::size_t repeat);
double shortest_by_layer(const Block& block, std::size_t repeat);

// Of a parameter arm; every validation arm is read by its longest rank.
Reading reading(ParameterArm arm);

// The median of a block's repeats, of which there is at least one.
double block_median(const Block& block, Reading reading);

// The median of the blocks' medians: what one session says. Nothing where there is no block, or
// none on `device` if given.
std::optional<double> session_median(std::span<const Block> blocks, Reading reading,
                                     std::optional<int> device = std::nullopt);

// How many intervals between two stamps a reading by layer sums in these blocks, which are stamped
// alike: their layers, or 1. Each holds the fixed cost of the stamps once.
int intervals_by_layer(std::span<const Block> blocks);

// Likewise the median of the recorded clocks.
std::optional<double> session_clock_hz(std::span<const Block> blocks);

}  // namespace splitbench
