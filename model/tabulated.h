// A split made of tables: T1 = L (S + C) and T_N = L (S + C_shard + H) of L layers whose parts were
// read from tables of times. Source: docs/formulas.md "Split time"; docs/replay.md.
//
// A table has one number for a time, so nothing here is over sessions. What has an interval has it
// from reading between a table's entries: the distances of the parts' ends are added by the root of
// their squares (G. Y. Zou, A. Donner, "Construction of confidence limits about effect measures",
// Statistics in Medicine 27, 2008), which takes the errors of two tables as independent.
#pragma once

#include "model/operation.h"
#include "model/table_curve.h"
#include "model/verdict.h"

namespace splitbench {

// Of one layer.
struct TabulatedLayer {
  TableTime serial;      // S, on every device; an entry of 0 s where no table has it
  TableTime full;        // C, both products on one device
  TableTime shard;       // C_shard, of one of N
  TableTime collective;  // H
};

struct TabulatedSplit {
  TableTime one_device;  // T1
  TableTime split;       // T_N
  double speedup = 0.0;  // T1 / T_N
  Answer<Interval> speedup_interval = Answer<Interval>::none("not read");
  // FASTER, SLOWER, TIE by the interval; by the value where every part is an entry.
  SplitVerdict verdict;
};

// `least_effect` on the scale of ln(T1 / T_N).
TabulatedSplit tabulated_split(const TabulatedLayer& layer, std::int64_t layers,
                               double least_effect);

// Of T_N that was put together from other entries, over its prediction.
struct TabulatedComparison {
  double relative_error = 0.0;  // T_N / prediction - 1
  Answer<Interval> interval = Answer<Interval>::none("not read");
  ModelVerdict verdict;
};
TabulatedComparison compare(const TableTime& predicted, Seconds tn,
                            const AcceptanceCriteria& criteria);

}  // namespace splitbench
