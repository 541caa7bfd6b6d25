// Protocol documents that must be refused, each one change away from a good one.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

namespace splitbench {

inline const std::string kSmallestDocument = R"({
  "schema": "splitbench.protocol/1", "name": "smallest", "purpose": "p",
  "operations": [{ "tokens": 1, "d_model": 2, "d_ff": 4 }]
})";

// Every key, none with its default; the line numbers of the table count in it.
inline const std::string kDocument = R"({
  "schema": "splitbench.protocol/1",
  "name": "every-key",
  "purpose": "A purpose.",
  "expected": "Something.", "source": "A paper.",
  "operations": [
    { "tokens": [1, 8], "d_model": 32, "d_ff": 64, "layers": 3, "dtype": "bf16" },
    { "tokens": 1, "d_model": 2, "d_ff": 4, "activation": "relu" }
  ],
  "ranks": 4,
  "organisation": "split",
  "launch": "graph",
  "cache": "flushed",
  "arms": ["twin", "empty", "serial", "full", "shard", "collective", "unsplit", "split"],
  "sampling": {
    "sessions": 10,
    "rounds": 7,
    "warmup_rounds": 3,
    "block_min_s": 0.001,
    "block_max_s": 0.01,
    "budget_s": 90
  },
  "collective_sweep": { "around": [-1, 1],
                        "grid_bytes": [1024] },
  "acceptance": {
    "model_error": 0.05,
    "model_error_floor_s": 0,
    "least_effect": 0.02,
    "early_stopping": true
  },
  "seed": 9007199254740991
})";

struct BadProtocol {
  std::string from;  // a part of kDocument, the first one that reads so
  std::string to;    // what stands there instead
  std::size_t line;
  std::string pointer;
  std::string message;        // a part of it
  bool by_schema_too = true;  // false: what a JSON Schema cannot say

  std::string text() const {
    std::string text = kDocument;
    return text.replace(text.find(from), from.size(), to);
  }
};

inline void PrintTo(const BadProtocol& bad, std::ostream* out) {
  *out << bad.to;
}

inline const std::vector<BadProtocol> kBadProtocols{
    // Keys.
    {R"("seed")", R"("sead")", 31, "/sead", "unknown key; did you mean 'seed'?"},
    {R"("rounds")", R"("round")", 17, "/sampling/round", "unknown key; did you mean 'rounds'?"},
    {R"("d_ff": 4)", R"("width": 4)", 8, "/operations/1/width",
     "unknown key; expected one of tokens, d_model, d_ff"},
    {R"("grid_bytes")", R"("grid")", 24, "/collective_sweep/grid", "unknown key"},
    {R"("model_error")", R"("model_err")", 26, "/acceptance/model_err", "'model_error'"},
    {R"(  "purpose": "A purpose.",)", "", 1, "", "the key 'purpose' is missing"},
    {R"(, "d_model": 2)", "", 8, "/operations/1", "the key 'd_model' is missing"},
    {R"("ranks": 4)", R"("ranks": 4, "ranks": 4)", 10, "/ranks", "\"ranks\" is given twice", false},
    // Texts and names.
    {"protocol/1", "protocol/2", 2, "/schema", "unknown name \"splitbench.protocol/2\""},
    {R"("splitbench.protocol/1")", "1", 2, "/schema", "expected splitbench.protocol/1, found 1"},
    {"every-key", "Every Key", 3, "/name", "lower-case letters, digits and hyphens"},
    {"every-key", "-every", 3, "/name", "lower-case letters, digits and hyphens"},
    {R"("A purpose.")", R"("")", 4, "/purpose", "a text of 1 to 2000 bytes, found \"\""},
    {R"("A purpose.")", "7", 4, "/purpose", "expected a text, found 7"},
    {R"("Something.")", "null", 5, "/expected", "expected a text, found null"},
    {R"("bf16")", R"("bf61")", 7, "/operations/0/dtype", "one of fp32, tf32, fp16, bf16"},
    {R"("relu")", R"("gelu")", 8, "/operations/1/activation", "did you mean 'relu'?"},
    {R"("split",)", R"("replicas",)", 11, "/organisation", "expected split, found \"replicas\""},
    {R"("graph")", R"("grahp")", 12, "/launch", "unknown name \"grahp\"; did you mean 'graph'?"},
    {R"("graph")", R"(["graph"])", 12, "/launch",
     "expected one of auto, direct, graph, eager, found a list of 1"},
    {R"("flushed")", R"("cold")", 13, "/cache", "expected one of hot, flushed, found \"cold\""},
    // Operations.
    {"[1, 8]", "[]", 7, "/operations/0/tokens", "expected a whole number or a list of them"},
    {"[1, 8]", "[1, 0]", 7, "/operations/0/tokens/1", "from 1 to 2147483647, found 0"},
    {"[1, 8]", "[8, 8]", 7, "/operations/0/tokens/1", "the same operation is listed twice"},
    {"[1, 8]", R"("8")", 7, "/operations/0/tokens", "expected a whole number from 1 to 2147483647"},
    {"[1, 8]", "1.5", 7, "/operations/0/tokens", "found 1.5"},
    {R"("d_ff": 64)", R"("d_ff": 66)", 7, "/operations/0/d_ff", "does not divide over 4 ranks",
     false},
    {R"("d_ff": 64)", R"("d_ff": -64)", 7, "/operations/0/d_ff", "found -64"},
    {R"("d_model": 32)", R"("d_model": 18446744073709551615)", 7, "/operations/0/d_model",
     "found 18446744073709551615"},
    {R"("d_model": 32, "d_ff": 64)", R"("d_model": 2147483644, "d_ff": 2147483644)", 7,
     "/operations/0/d_model", "no machine holds it", false},
    {R"("layers": 3)", R"("layers": 0)", 7, "/operations/0/layers", "found 0"},
    {R"({ "tokens": 1, "d_model": 2, "d_ff": 4, "activation": "relu" })", "[]", 8, "/operations/1",
     "expected an object, found a list of 0"},
    {R"("ranks": 4)", R"("ranks": 1)", 10, "/ranks", "from 2 to 1024, found 1"},
    // Arms.
    {R"("twin")", R"("twins")", 14, "/arms/0", "unknown name \"twins\"; did you mean 'twin'?"},
    {R"("twin")", R"("full")", 14, "/arms/3", "the same arm is listed twice"},
    {R"("shard", )", "", 14, "/arms", "the arm 'shard' is missing; there is no verdict without it"},
    {R"(["twin", "empty", "serial", "full", "shard", "collective", "unsplit", "split"])",
     R"("all")", 14, "/arms", "expected a list, found \"all\""},
    // Sampling.
    {R"("sessions": 10)", R"("sessions": 0)", 16, "/sampling/sessions", "from 1 to 1000, found 0"},
    {R"("sessions": 10)", R"("sessions": 1e1)", 16, "/sampling/sessions", "a whole number", false},
    {R"("rounds": 7)", R"("rounds": 0)", 17, "/sampling/rounds", "from 1 to 1000, found 0"},
    {R"("warmup_rounds": 3)", R"("warmup_rounds": -1)", 18, "/sampling/warmup_rounds", "found -1"},
    {R"("block_min_s": 0.001)", R"("block_min_s": -0.001)", 19, "/sampling/block_min_s",
     "expected a number from 1e-06 to 10.0, found -0.001"},
    {R"("block_min_s": 0.001)", R"("block_min_s": 0.02)", 15, "/sampling",
     "block_max_s is less than block_min_s", false},
    {R"("block_max_s": 0.01)", R"("block_max_s": "10ms")", 20, "/sampling/block_max_s",
     "found \"10ms\""},
    {R"("budget_s": 90)", R"("budget_s": 1e999)", 21, "/sampling/budget_s", "too large", false},
    {R"("budget_s": 90)", R"("budget_s": NaN)", 21, "/sampling/budget_s", "no NaN", false},
    {R"("budget_s": 90)", R"("budget_s": 0)", 21, "/sampling/budget_s", "found 0"},
    {R"("sessions": 10,
    "rounds": 7)",
     R"("sessions": 1000,
    "rounds": 1000)",
     15, "/sampling", "is 3009000; expected at most 20000", false},
    {R"("sessions": 10)", R"("sessions": 12)", 15, "/sampling", "found 12", false},
    // Sweep, acceptance, seed.
    {"[-1, 1]", "[-1, 11]", 23, "/collective_sweep/around/1", "from -10.0 to 10.0, found 11"},
    {"[-1, 1]", "[-1, -1]", 23, "/collective_sweep/around/1", "the same size is listed twice"},
    {"[1024]", "[0]", 24, "/collective_sweep/grid_bytes/0", "found 0"},
    {"[1024]", "[0.5]", 24, "/collective_sweep/grid_bytes/0", "a whole number"},
    {"0.05", "0", 26, "/acceptance/model_error", "from 1e-06 to 1.0, found 0"},
    {"0.02", "true", 28, "/acceptance/least_effect", "found true"},
    {R"("early_stopping": true)", R"("early_stopping": "yes")", 29, "/acceptance/early_stopping",
     "expected true or false, found \"yes\""},
    {"9007199254740991", "9007199254740992", 31, "/seed", "from 0 to 9007199254740991"},
    {"9007199254740991", "-1", 31, "/seed", "found -1"},
};

}  // namespace splitbench
