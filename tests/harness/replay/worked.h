// Tables whose answers can be computed by hand. Microseconds.
//
// d_model 1000, d_ff 4000, fp16: a message is 2000 bytes a token.
//   whole   100 + 10 m     half   60 + 5 m     all-reduce  20 + V/1000, but 100 more from 1 MB on
//   T1      100 + 10 m     T_N    80 + 7 m,  180 + 7 m from 500 tokens on
// so the split is faster throughout, by 20 + 3 m, or 3 m - 80 from 500 tokens on.
#pragma once

#include <string>

namespace splitbench::replay {

inline std::string mlp_text(const std::string& more_columns = "", const std::string& more = "") {
  std::string text =
      "# source: by hand\ntokens\td_model\td_ff\tgemm1_full_us\tgemm2_full_us\tgemm1_half_us\t"
      "gemm2_half_us" +
      more_columns + "\n";
  for (int m = 1; m <= 1024; m *= 2) {
    const int full = 50 + 5 * m;
    text += std::to_string(m) + "\t1000\t4000\t" + std::to_string(full) + "\t" +
            std::to_string(full) + "\t" + std::to_string(30 + 2 * m) + "\t" +
            std::to_string(30 + 3 * m) + more + "\n";
  }
  return text;
}

// One that costs `fixed` and a microsecond a 1000 bytes, at powers of 2 times 2000 bytes; `jump`
// more from a megabyte on.
inline std::string collective_text(int fixed, int jump = 0) {
  std::string text = "ranks\tmessage_bytes\tlatency_us\n";
  for (int m = 1; m <= 1024; m *= 2) {
    text += "2\t" + std::to_string(2000 * m) + "\t" +
            std::to_string(fixed + 2 * m + (m >= 500 ? jump : 0)) + "\n";
  }
  return text;
}

}  // namespace splitbench::replay
