// The analytical model of a split operation, and its inverse questions.
//
//   T1 = S + C                  on one device
//   T_N = S + X + C/(N eta) + H with H = Q (l + V/B)
//
// Source of every formula: docs/formulas.md "Split time". X, the extra serial time that splitting
// adds, belongs to T_N alone: it moves the break-even, it does not cancel.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/answer.h"
#include "model/quantity.h"

namespace splitbench {

struct SplitParameters {
  Seconds serial{};              // S, what is not divided
  Seconds compute{};             // C, divisible time on one device
  double efficiency = 1.0;       // eta = C / (N C_shard); may exceed 1, never clamped
  std::int64_t collectives = 0;  // Q
  Seconds latency{};             // l, fixed cost of one collective
  Bytes bytes{};                 // V, wire bytes of one collective
  BytesPerSecond bandwidth{};    // B; infinity is allowed: no cost per byte
  int ranks = 2;                 // N
  Seconds serial_extra{};        // X, in T_N only
};

// Throws InvalidInput, with the member's name, for what is negative, not finite (bandwidth may be
// infinite), zero where a quotient needs it, or fewer than one rank.
void check(const SplitParameters& parameters);

// The functions below take checked parameters.

Seconds one_device_time(const SplitParameters& parameters);       // T1
Seconds collective_time(const SplitParameters& parameters);       // l + V/B
Seconds communication_time(const SplitParameters& parameters);    // H
Seconds divided_compute_time(const SplitParameters& parameters);  // C/(N eta)
Seconds split_time(const SplitParameters& parameters);            // T_N
Seconds overlap_bound(const SplitParameters& parameters);         // S + X + max(C/(N eta), H)

Answer<double> speedup(const SplitParameters& parameters);              // T1/T_N
Answer<double> parallel_efficiency(const SplitParameters& parameters);  // speedup/N

// C*: compute at which T1 = T_N. None where N eta <= 1.
Answer<Seconds> break_even_compute(const SplitParameters& parameters);
// B_min: bandwidth at which T1 = T_N. None where even an infinite one does not reach it, or where
// nothing is exchanged.
Answer<BytesPerSecond> min_bandwidth(const SplitParameters& parameters);
// eta_min: efficiency at which T1 = T_N; above 1 it cannot be had by local tuning alone. None where
// C <= H + X.
Answer<double> min_efficiency(const SplitParameters& parameters);
// l_max: fixed cost at which T1 = T_N. None where not positive, or where nothing is exchanged.
Answer<Seconds> max_latency(const SplitParameters& parameters);

enum class Outcome { faster, slower, tie };
std::string_view name(Outcome outcome);

// Tie: equal but for rounding, 1e-12 of T1. A measured comparison has a least effect instead.
Outcome compare(Seconds one_device, Seconds split);

}  // namespace splitbench
