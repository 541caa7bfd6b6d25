// Logs of nccl-tests and rccl-tests, composed in the layouts that they print (src/util.cu and
// src/common.cu of NVIDIA/nccl-tests 2.8 to 2.18, ROCm/rccl-tests); figures made up, but for
// busbw = algbw 2(n-1)/n of an all-reduce.
#include "results/import/nccl_tests.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "protocols/document.h"

namespace splitbench {
namespace {

constexpr const char* kHeader =
    "# nThread 1 nGpus 2 minBytes 8 maxBytes 1048576 step: 2(factor) warmup iters: 5 iters: 20 "
    "agg iters: 1 validation: 1 graph: 0\n"
    "#\n"
    "# Using devices\n";
constexpr const char* kTwoDevices =
    "#  Rank  0 Group  0 Pid   4711 on    node-a device  0 [0000:b4:00] NVIDIA GeForce RTX 3090\n"
    "#  Rank  1 Group  0 Pid   4711 on    node-a device  1 [0000:b5:00] NVIDIA GeForce RTX 3090\n";
constexpr const char* kColumns =
    "#                                               out-of-place                       in-place\n"
    "#       size         count      type   redop    root     time   algbw   busbw #wrong     time "
    " "
    " algbw   busbw #wrong\n"
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us) "
    " "
    "(GB/s)  (GB/s)\n";
constexpr const char* kRows =
    "           8             2     float     sum      -1    12.25    0.00    0.00      0    12.00 "
    "   0.00    0.00      0\n"
    "     1048576        262144     float     sum      -1    250.5    4.19    4.19      0    251.5 "
    "   4.17    4.17    N/A\n";
constexpr const char* kEnd =
    "# Out of bounds values : 0 OK\n"
    "# Avg bus bandwidth    : 2.09\n"
    "#\n";

std::vector<CollectiveRun> read(const std::string& text) {
  return read_nccl_tests(TextSource(text, "t.log"));
}

CollectiveRun only_run(const std::string& text) {
  const auto runs = read(text);
  EXPECT_EQ(runs.size(), 1U);
  return runs.empty() ? CollectiveRun{} : runs.front();
}

std::string flaw(const std::string& text) {
  const CollectiveRun run = only_run(text);
  return run.flaw ? std::to_string(run.flaw->line) + ": " + run.flaw->text : "none";
}

std::string whole_log() {
  return std::string("$ ./build/all_reduce_perf -b 8 -e 1M -f 2 -g 2\n") + kHeader + kTwoDevices +
         kColumns + kRows + kEnd;
}

TEST(NcclTests, ReadsAWholeLog) {
  const CollectiveRun run = only_run(whole_log());
  EXPECT_EQ(run.collective, "all_reduce");
  EXPECT_TRUE(run.collective_named);
  EXPECT_EQ(run.ranks, 2);
  EXPECT_FALSE(run.flaw);
  ASSERT_EQ(run.devices.size(), 2U);
  EXPECT_EQ(run.devices[1].rank, 1);
  EXPECT_EQ(run.devices[1].bus, "0000:b5:00");
  EXPECT_EQ(run.devices[1].name, "NVIDIA GeForce RTX 3090");
  ASSERT_EQ(run.rows.size(), 2U);
  const CollectiveRow& row = run.rows[1];
  EXPECT_EQ(row.line, 11U);
  EXPECT_EQ(row.size, Bytes(1048576));
  EXPECT_EQ(row.dtype, "float");
  EXPECT_EQ(row.redop, "sum");
  EXPECT_DOUBLE_EQ(row.out_of_place->time.value(), 250.5e-6);
  EXPECT_DOUBLE_EQ(row.out_of_place->algorithm_gb_per_s, 4.19);
  EXPECT_EQ(row.out_of_place->wrong, 0.0);
  EXPECT_DOUBLE_EQ(row.in_place->time.value(), 251.5e-6);
  EXPECT_FALSE(row.in_place->wrong);  // N/A: nobody looked
}

// How the same log looks after it has passed through other hands.
TEST(NcclTests, ReadsItIndentedQuotedTaggedAndWithoutHashes) {
  const std::string log = whole_log();
  const auto with_prefix = [&log](const std::string& prefix) {
    std::string text;
    std::size_t begin = 0;
    while (begin < log.size()) {
      const std::size_t end = log.find('\n', begin);
      text += prefix + log.substr(begin, end - begin) + "\r\n";
      begin = end + 1;
    }
    return text;
  };
  std::string without_hashes = log;
  std::erase(without_hashes, '#');
  for (const std::string& text : {with_prefix("    "), with_prefix("> "), with_prefix(" 0: "),
                                  with_prefix("[1,0]<stdout>:"), "```\n" + log + "```\n"}) {
    const CollectiveRun run = only_run(text);
    EXPECT_EQ(run.collective, "all_reduce") << text;
    EXPECT_EQ(run.ranks, 2) << text;
    EXPECT_EQ(run.rows.size(), 2U) << text;
    EXPECT_EQ(run.rows.at(1).in_place->time, Seconds(1e-6 * 251.5)) << text;
  }
  // A page that takes "#" for a heading, but for that of the column.
  const std::size_t first = without_hashes.find(" wrong");
  without_hashes.replace(without_hashes.find("busbw wrong"), 11, "busbw #wrong");
  without_hashes.replace(without_hashes.rfind("busbw wrong"), 11, "busbw #wrong");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(only_run(without_hashes).rows.size(), 2U);
}

TEST(NcclTests, SkipsTheLogBetween) {
  const CollectiveRun run =
      only_run(std::string("NCCL version 2.20.5+cuda12.4\n") + kHeader + kTwoDevices +
               "node-a:880:887 [0] NCCL INFO comm 0x55 rank 0 nranks 2 cudaDev 0 busId a4000 - "
               "Init START\n" +
               kColumns + "node-a:880:887 [0] NCCL INFO Launch mode Parallel\n" + kRows + kEnd);
  EXPECT_EQ(run.library, "NCCL 2.20.5");
  EXPECT_EQ(run.rows.size(), 2U);
  EXPECT_FALSE(run.flaw);
}

// Of versions before 2.13: no operation and no root, a deviation instead of a count.
TEST(NcclTests, ReadsOlderLayouts) {
  const CollectiveRun run = only_run(
      "#                                             out-of-place                    in-place\n"
      "#       size         count    type   redop     time   algbw   busbw  error     time   algbw "
      " "
      " busbw  error\n"
      "#        (B)    (elements)                     (us)  (GB/s)  (GB/s)            (us)  (GB/s) "
      " "
      "(GB/s)\n"
      "     1048576        262144   float     sum    47.54   22.06   33.09  2e-07    49.35   21.25 "
      " "
      " 31.87  4e-07\n");
  ASSERT_EQ(run.rows.size(), 1U);
  EXPECT_EQ(run.rows[0].redop, "sum");
  EXPECT_EQ(run.rows[0].out_of_place->wrong, 0.0);  // what rounding leaves is not wrong
  EXPECT_FALSE(run.flaw);
  // busbw/algbw = 33.09/22.06 = 1.5 = 2 * 3/4
  EXPECT_EQ(run.ranks, 4);
  EXPECT_TRUE(run.ranks_from_bandwidths);
  EXPECT_EQ(run.collective, "all_reduce");
  EXPECT_FALSE(run.collective_named);
}

TEST(NcclTests, ReadsRowsWhoseOperationIsEmpty) {
  const CollectiveRun run = only_run(
      "#       size         count    type   redop     time   algbw   busbw  error     time   algbw "
      " "
      " busbw  error\n"
      "           0             0   float             1.63    0.00    0.00    N/A     1.38    0.00 "
      " "
      "  0.00    N/A\n"
      "           0             0   float             1.35    0.00    0.00    N/A     1.34    0.00 "
      " "
      "  0.00    N/A\n"
      "     1048576         32768   float            31.00   33.82   29.60  0e+00    31.34   33.46 "
      " "
      " 29.28    N/A\n");
  ASSERT_EQ(run.rows.size(), 3U);
  EXPECT_EQ(run.rows[2].redop, "");
  EXPECT_EQ(run.collective, "");  // nothing tells that it was an all-to-all
  EXPECT_FALSE(run.flaw);         // sizes that were rounded to 0 are no repetition
}

TEST(NcclTests, ReadsTablesOfOneGroupOfReportsPerIterationAndOfTimestamps) {
  const CollectiveRun one = only_run(
      "#       size    count   type  redop  root   time   algbw   busbw  #wrong\n"
      "   1048576  262144  float   sum    -1  250.5  4.19   4.19       0\n");
  ASSERT_EQ(one.rows.size(), 1U);
  EXPECT_TRUE(one.rows[0].out_of_place && !one.rows[0].in_place);

  const CollectiveRun each = only_run(
      "#  size  count  type  redop  root  time  algbw  busbw  #wrong  i_min  i_max  i_p99  i_cv%  "
      "time  algbw  busbw  #wrong  i_min  i_max  i_p99  i_cv%  timestamp\n"
      "  1048576  262144  float  sum  -1  250.5  4.19  4.19  0  240.1  290.2  288.0  3.10  251.5  "
      "4.17  4.17  0  241.0  280.0  279.0  2.50  2026-02-03 04:05:06\n");
  ASSERT_EQ(each.rows.size(), 1U);
  EXPECT_DOUBLE_EQ(each.rows[0].in_place->time.value(), 251.5e-6);
}

TEST(NcclTests, ReadsALineThatAnotherProcessBroke) {
  const CollectiveRun run =
      only_run(std::string(kHeader) + kTwoDevices + kColumns +
               "     1048576        262144     float     sum      -1\n"
               "node-a:880:887 [0] NCCL INFO Launch mode Parallel\n"
               "    250.5    4.19    4.19      0    251.5    4.17    4.17      0\n");
  ASSERT_EQ(run.rows.size(), 1U);
  EXPECT_EQ(run.rows[0].size, Bytes(1048576));
  EXPECT_TRUE(run.refused_rows.empty());
}

TEST(NcclTests, SaysWhichRowsAreCut) {
  // No header, the first row without its beginning, the last without its end.
  const CollectiveRun run = only_run(
      "[0]     366.5    1.43    2.74      0[0]     340.8    1.54    2.95      0\n"
      "[0]     1048576        262144     float     sum      -1[0]    1626.5    0.64    1.24      "
      "0[0]    2302.3    0.46    0.87      0\n"
      "[0]    33554432       8388608     float     sum      -1[0]    2180.1   15.39   29.50      "
      "0[0]    2285.2   14.68   28.14      0\n"
      "[0]   1073741824     2684\n");
  EXPECT_EQ(run.rows.size(), 2U);
  EXPECT_EQ(run.refused_rows,
            (std::vector<Remark>{{1, "cut: its beginning is missing"},
                                 {4, "cut, or wrapped by a terminal: it has no times"}}));
  EXPECT_EQ(run.ranks, 24);  // 29.50/15.39 = 1.917 = 2 * 23/24
  EXPECT_FALSE(run.flaw);
}

TEST(NcclTests, ReadsSeveralRunsOfOneText) {
  const auto runs =
      read(std::string("# nccl-tests version 2.17.8 nccl-headers=22902 nccl-library=22902\n"
                       "# Collective test starting: all_reduce_perf\n") +
           kHeader + kTwoDevices + kColumns + kRows + kEnd +
           "# Collective test concluded: all_reduce_perf\n"
           "# nccl-tests version 2.17.8 nccl-headers=22902 nccl-library=22902\n"
           "# Collective test starting: sendrecv_perf\n" +
           kHeader + kTwoDevices + kColumns + kRows + kEnd);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].collective, "all_reduce");
  EXPECT_EQ(runs[0].library, "NCCL 2.29.2");
  EXPECT_EQ(runs[1].collective, "sendrecv");
  EXPECT_EQ(runs[1].rows.size(), 2U);
}

TEST(NcclTests, TakesEveryTypeForARunOfItsOwn) {
  const auto runs = read(std::string(kHeader) + kTwoDevices + kColumns + kRows +
                         "           8             4      half     sum      -1    12.25    0.00    "
                         "0.00      0    12.00    0.00    0.00      0\n");
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].rows.front().dtype, "float");
  EXPECT_EQ(runs[1].rows.front().dtype, "half");
  EXPECT_EQ(runs[1].ranks, 2);
  EXPECT_FALSE(runs[1].flaw);
}

TEST(NcclTests, ReadsDevicesAsVersionsListThem) {
  const CollectiveRun run = only_run(
      "# Using devices\n"
      "#   Rank  0 Pid  21284 on          node-b device  0 [0000:2f:00.0] AMD Instinct MI100\n"
      "#  Rank  1 Group  0 Pid  19124 onnode-b device  1 [0x86] NVIDIA GeForce RTX 4090\n"
      "#  Rank  2 Group  0 Pid 1976149 on NODE A device  2 [0000:04:00] NVIDIA H100 80GB HBM3\n" +
      std::string(kColumns) + kRows);
  ASSERT_EQ(run.devices.size(), 3U);
  EXPECT_EQ(run.devices[0].name, "AMD Instinct MI100");
  EXPECT_EQ(run.devices[1].bus, "0x86");
  EXPECT_EQ(run.devices[2].name, "NVIDIA H100 80GB HBM3");
}

TEST(NcclTests, NotesTwoRanksOnOneGpu) {
  const std::string devices =
      "#  Rank  0 Group  0 Pid   4711 on    node-a device  0 [0000:02:00] NVIDIA GeForce RTX 5090\n"
      "#  Rank  1 Group  0 Pid   4712 on    node-a device  0 [0000:02:00] NVIDIA GeForce RTX "
      "5090\n";
  const CollectiveRun run = only_run(kHeader + devices + kColumns + kRows);
  EXPECT_EQ(run.notes.back(),
            "two ranks are on one GPU: these times say nothing of a link between GPUs");
}

// What must never be fitted.
TEST(NcclTestsFlaw, WrongResults) {
  const std::string counted = std::string(kHeader) + kTwoDevices + kColumns + kRows +
                              "    67108864      16777216     float     sum      -1    69831    "
                              "0.96    0.96  3.55843e+07   "
                              " 69256    0.97    0.97  0\n";
  EXPECT_EQ(flaw(counted), "11: wrong results: 35584300 wrong values at 67.11 MB");
  EXPECT_EQ(flaw(std::string(kHeader) + kTwoDevices + kColumns + kRows +
                 "# Out of bounds values : 128 FAILED\n"),
            "1: wrong results: 128 values are out of bounds");
}

TEST(NcclTestsFlaw, OneRank) {
  const std::string device =
      "#  Rank  0 Group  0 Pid   4711 on    node-a device  0 [0x01] NVIDIA A10G\n";
  EXPECT_EQ(
      flaw("# nThread 1 nGpus 1 minBytes 8 maxBytes 8 step: 2(factor)\n" + device + kColumns +
           "    33554432       8388608     float     sum      -1    19.56  1715.44    0.00     "
           " 0     0.78  43046.10    0.00    N/A\n"),
      "1: one rank: nothing was communicated");
}

TEST(NcclTestsFlaw, IndependentJobs) {
  // Built without MPI: every process runs alone and prints.
  EXPECT_EQ(
      flaw(std::string(kColumns) + kRows +
           "           8             2     float     sum      -1    46.80    0.00    0.00     "
           " 0    56.22    0.00    0.00      0\n"),
      "6: independent jobs print into one stream: after 1.049 MB there is 8 B");
  EXPECT_EQ(flaw(std::string(kHeader) + kTwoDevices + kTwoDevices + kColumns + kRows),
            "1: independent jobs print into one stream: rank 0 is listed twice");
  const std::string rows = kRows;
  const std::size_t second = rows.find('\n') + 1;
  EXPECT_EQ(flaw("0: " + rows.substr(0, second) + "1: " + rows.substr(second)),
            "2: independent jobs print into one stream: rows of rank 0 and rank 1");
}

std::string rows_of_times(double small, double large) {
  return fmt::format(
      "           8             2     float     sum      -1 {:8.2f}    0.00    0.00      0\n"
      "     1048576        262144     float     sum      -1 {:8.2f} {:7.2f} {:7.2f}      0\n",
      small, large, 1048.576 / large, 1048.576 / large);
}

constexpr const char* kOneGroup =
    "#       size         count      type   redop    root     time   algbw   busbw #wrong\n";

// Stopped in its fourth pass. Of 12, 14, 13 and 15 us the second smallest is used, of 250, 252 and
// 251 us too.
TEST(NcclTests, OfAJobThatRepeatsAllSizesTheMiddleIsUsed) {
  const std::string fourth = rows_of_times(15, 253);
  const CollectiveRun run = only_run(
      std::string(kHeader) + kTwoDevices + kOneGroup + rows_of_times(12, 250) +
      rows_of_times(14, 252) + rows_of_times(13, 251) + fourth.substr(0, fourth.find('\n') + 1));
  ASSERT_FALSE(run.flaw) << run.flaw->text;
  ASSERT_EQ(run.rows.size(), 2U);
  EXPECT_DOUBLE_EQ(run.rows[0].time().time.value(), 13e-6);
  EXPECT_DOUBLE_EQ(run.rows[1].time().time.value(), 251e-6);
  ASSERT_FALSE(run.notes.empty());
  EXPECT_EQ(run.notes.back(), "all sizes were run 4 times: of each the time in the middle is used");
}

TEST(NcclTestsFlaw, SizesThatGoBackAsNoPassDoes) {
  const std::string rows = rows_of_times(12, 250);
  const std::string small = rows.substr(0, rows.find('\n') + 1);
  EXPECT_EQ(flaw(std::string(kHeader) + kTwoDevices + kOneGroup + rows + small + small),
            "9: independent jobs print into one stream: after 1.049 MB there is 8 B");
}

TEST(NcclTests, AHeaderThatIsCutIsNoHeader) {
  const std::string columns = kOneGroup;
  const CollectiveRun run =
      only_run(columns.substr(0, columns.find(" #wrong")) + "\n" + rows_of_times(12, 250));
  EXPECT_EQ(run.rows.size(), 2U);
  EXPECT_TRUE(run.refused_rows.empty());
}

TEST(NcclTestsFlaw, NoRows) {
  EXPECT_EQ(flaw(std::string(kHeader) + kTwoDevices + kColumns),
            "1: a header and no rows: the run did not end");
  EXPECT_EQ(flaw(std::string(kHeader) + kTwoDevices +
                 "node-a: Test NCCL failure common.cu:958 'unhandled cuda error'\n"),
            "6: it failed: node-a: Test NCCL failure common.cu:958 'unhandled cuda error'");
}

TEST(NcclTests, AreToldFromOtherText) {
  EXPECT_TRUE(looks_like_nccl_tests(TextSource(whole_log(), "t")));
  EXPECT_TRUE(looks_like_nccl_tests(TextSource(kRows, "t")));  // rows alone
  EXPECT_FALSE(looks_like_nccl_tests(TextSource("GPU0 GPU1\nGPU0 X NV4\n", "t")));
}

TEST(NcclTests, KeepsTheWayThatNcclLogged) {
  const std::string log = whole_log();
  const std::size_t columns = log.find(kColumns);
  const CollectiveRun run = only_run(
      log.substr(0, columns) +
      "node-a:4711:4720 [0] NCCL INFO Channel 00/0 : 0[b4000] -> 1[b5000] via SHM/direct/direct\n"
      "node-a:4711:4720 [0] NCCL INFO connected via the network\n" +
      log.substr(columns));
  EXPECT_EQ(run.transports, std::set<std::string>{"SHM"});
}

// Option -C: the first column is what launching takes, and the rates are the collective's.
TEST(NcclTests, TimesOfTheHostAreNoTimesOfACollective) {
  std::string columns = kColumns;
  for (std::size_t at = 0; (at = columns.find(" time ")) != std::string::npos;) {
    columns.replace(at, 6, " cputime ");
  }
  EXPECT_EQ(flaw("all_reduce_perf\n" + std::string(kTwoDevices) + columns + kRows),
            "2: cputime is what the host takes to launch, not what the collective takes: expected "
            "a log of nccl-tests without -C");
}

// 1 MiB in 250.5 us are 4.19 GB/s.
TEST(NcclTests, RefusesARowWhoseTimeIsNotItsSizeOverItsRate) {
  const auto with_row = [](const std::string& size, const std::string& time) {
    return only_run("all_reduce_perf\n" + std::string(kTwoDevices) + kColumns + size +
                    " 262144 float sum -1 " + time + " 4.19 4.19 0 251.5 4.17 4.17 0\n");
  };
  EXPECT_EQ(with_row("1048576", "250.5").rows.size(), 1U);
  struct Odd {
    const char* size;
    const char* time;
    const char* why;
  };
  for (const Odd& odd : {
           Odd{"1048576", "25.05", "1.049 MB in 25.05 us are 41.9 GB/s, and algbw says 4.19"},
           Odd{"1048576", "1e308", "a time of 1e+302 s is none of an all-reduce"},
           Odd{"1048576", "1e-308", "a time of 1e-314 s is none of an all-reduce"},
           Odd{"9223372036854775807", "250.5", "a size of more than 2^53 bytes"},
       }) {
    const CollectiveRun run = with_row(odd.size, odd.time);
    EXPECT_TRUE(run.rows.empty());
    ASSERT_EQ(run.refused_rows.size(), 1U) << odd.why;
    EXPECT_EQ(run.refused_rows[0].text, odd.why);
    EXPECT_EQ(run.flaw->text, std::string("no whole row: ") + odd.why);
  }
}

// A sweep of types names its devices once, so that each type's run has them all.
// Sizes as people rewrite them, and what is none: in the table each is a row that is left out.
TEST(NcclTests, ARowWhoseSizeCannotBeReadIsRefusedAndNotForgotten) {
  const auto refused = [](const std::string& size, const std::string& count) {
    const CollectiveRun run = only_run(
        std::string(kHeader) + kTwoDevices + kColumns + kRows + size + "  " + count +
        "  float     sum      -1    500.5    4.19    4.19      0    501.5    4.17    4.17    0\n" +
        kEnd);
    EXPECT_FALSE(run.flaw);
    EXPECT_EQ(run.rows.size(), 2U);
    return run.refused_rows;
  };
  using Remarks = std::vector<Remark>;
  EXPECT_EQ(refused("2,097,152", "524,288"), (Remarks{{11, "'2,097,152' is no size"}}));
  EXPECT_EQ(refused("2048K", "524288"), (Remarks{{11, "'2048K' is no size"}}));
  EXPECT_EQ(refused("2097152", "512K"), (Remarks{{11, "'512K' is no count of values"}}));
  EXPECT_EQ(refused("-2097152", "524288"), (Remarks{{11, "'-2097152' is no size"}}));
  EXPECT_EQ(refused("9999999999999999999999999", "524288"),
            (Remarks{{11, "'9999999999999999999999999' is no size"}}));
  EXPECT_EQ(refused("2", "524288"), (Remarks{{11, "524288 values are more than 2 bytes"}}));
  // Other output between the rows is no row.
  EXPECT_EQ(refused("step 1 of 2:\n#", ""), Remarks{});
}

// In ms, 0.01225 would be 12.25 ns.
TEST(NcclTestsFlaw, UnitsThatAreNone) {
  for (const char* unit : {"(ms)", "(ns)", "(MB/s)"}) {
    std::string text = whole_log();
    const std::size_t line = text.find("(elements)");
    const bool rate = std::string(unit).ends_with("/s)");
    const std::size_t at = text.find(rate ? "(GB/s)" : "(us)", line);
    text.replace(at, rate ? 6 : 4, unit);
    EXPECT_EQ(flaw(text), "9: a column in " + std::string(unit) +
                              ": expected (us) and (GB/s), as nccl-tests writes");
  }
  std::string kilo = whole_log();
  kilo.replace(kilo.find("(B)"), 3, "(KB)");
  EXPECT_EQ(flaw(kilo), "9: a column in (KB): expected (us) and (GB/s), as nccl-tests writes");
}

// As kubectl logs --timestamps prints it.
TEST(NcclTests, ReadsALogWithTimestamps) {
  std::string text = whole_log();
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    text.insert(at, "2026-11-30T12:00:00.123456789Z ");
  }
  const CollectiveRun run = only_run(text);
  EXPECT_FALSE(run.flaw);
  EXPECT_EQ(run.ranks, 2);
  EXPECT_EQ(run.rows.size(), 2U);
}

TEST(NcclTests, RefusesMoreDevicesAndRunsThanAnyLogHas) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      read(text);
    } catch (const BadDocument& error) {
      return error.message();
    }
    return "";
  };
  std::string devices = "all_reduce_perf\n";
  for (int rank = 0; rank <= 4096; ++rank) {
    devices += "# Rank " + std::to_string(rank) + " Pid 1 on h device 0 [0] X\n";
  }
  EXPECT_EQ(refusal(devices), "more than 4096 devices in a run");
  std::string runs = "all_reduce_perf\n" + std::string(kColumns);
  for (int i = 0; i <= 1000; ++i) {
    runs += std::to_string(8 + i) + (i % 2 == 0 ? " 2 float" : " 2 half") +
            " sum -1 12.25 0.00 0.00 0 12.00 0.00 0.00 0\n";
  }
  EXPECT_EQ(refusal(runs), "more than 1000 runs in one text");
}

}  // namespace
}  // namespace splitbench
