// The JSON of nccl-tests (--output_file), in the shape that src/util.cu of version 2.18 writes.
#include "results/import/nccl_tests_json.h"

#include <gtest/gtest.h>

#include "protocols/document.h"

namespace splitbench {
namespace {

std::string row(const std::string& size, const std::string& type, const std::string& time,
                const std::string& wrong, const std::string& bus = "4.19") {
  const std::string group =
      R"({"time":)" + time + R"(,"alg_bw":4.19,"bus_bw":)" + bus + R"(,"nwrong":)" + wrong + "}";
  return R"({"size":)" + size + R"(,"count":262144,"type":")" + type +
         R"(","redop":"sum","root":"    -1","out_of_place":)" + group + R"(,"in_place":)" + group +
         R"(,"actual_iterations":20,"experiment_name":"AllReduce"})";
}

std::string device(int rank) {
  return R"({"rank":)" + std::to_string(rank) +
         R"(,"group":0,"pid":4711,"hostname":"node-a","device":0,"device_hex":"0000:b4:00",)"
         R"("device_info":"NVIDIA H100 80GB HBM3"})";
}

std::string document(const std::string& rows, const std::string& devices = device(0),
                     const std::string& end = R"(,"end_time":"2026-02-03 04:05:06")") {
  return R"({"version":2,"start_time":"2026-02-03 04:04:06",)"
         R"("args":["./build/all_reduce_perf","-g","2"],"env":["AWS_SECRET=hunter2"],)"
         R"("nccl_version":22902,"config":{"nthreads":1,"ngpus":2,"parallel_init":"false",)"
         R"("devices":[)" +
         devices + R"(]},"results":[)" + rows +
         R"(],"out_of_bounds":{"count":0,"okay":"true"},)"
         R"("average_bus_bandwidth":{"bandwidth":4.19,"okay":"unchecked"},"errors":[])" +
         end + "}";
}

std::vector<CollectiveRun> read(const std::string& text) {
  return read_nccl_tests_json(TextSource(text, "t.json"));
}

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const BadDocument& error) {
    return error.what();
  }
  return "";
}

TEST(NcclTestsJson, ReadsARun) {
  const auto runs = read(document(row("1048576", "float", "250.5", "0")));
  ASSERT_EQ(runs.size(), 1U);
  const CollectiveRun& run = runs[0];
  EXPECT_EQ(run.collective, "all_reduce");
  EXPECT_EQ(run.library, "NCCL 2.29.2");
  // One device of a process is listed, and it drives two.
  EXPECT_EQ(run.ranks, 2);
  ASSERT_EQ(run.rows.size(), 1U);
  EXPECT_DOUBLE_EQ(run.rows[0].in_place->time.value(), 250.5e-6);
  EXPECT_EQ(run.rows[0].out_of_place->wrong, 0.0);
  EXPECT_FALSE(run.flaw);
}

TEST(NcclTestsJson, ReadsItAmongWhatATerminalShows) {
  const auto runs = read("$ cat out.json\nNCCL version 2.29.2\n" +
                         document(row("1048576", "float", "250.5", "0")) + "\n$\n");
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].line, 3U);
}

TEST(NcclTestsJson, CountsRanksOfProcesses) {
  // Of two processes, the second begins at rank 2; busbw is 2 * 3/4 of algbw.
  const std::string of_four = row("1048576", "float", "250.5", "0", "6.285");
  EXPECT_EQ(read(document(of_four, device(0) + "," + device(2)))[0].ranks, 4);
  EXPECT_EQ(read(document(row("8", "float", "9", "0"), device(0) + "," + device(1)))[0].ranks, 2);
}

TEST(NcclTestsJson, TakesNullAndNanForNothing) {
  const auto unchecked = read(document(row("1048576", "float", "250.5", "null")));
  EXPECT_FALSE(unchecked[0].rows[0].out_of_place->wrong);
  EXPECT_FALSE(unchecked[0].flaw);
  const auto none = read(
      document(row("8", "float", "\"nan\"", "0") + "," + row("1048576", "float", "250.5", "0")));
  EXPECT_EQ(none[0].rows.size(), 1U);
  EXPECT_EQ(none[0].refused_rows.front().text, "it has no time");
}

TEST(NcclTestsJson, TakesEveryTypeForARunOfItsOwn) {
  EXPECT_EQ(read(document(row("8", "float", "9", "0") + "," + row("8", "half", "9", "0"))).size(),
            2U);
}

TEST(NcclTestsJson, FindsFlaws) {
  EXPECT_EQ(read(document(row("1048576", "float", "250.5", "7")))[0].flaw->text,
            "wrong results: 7 wrong values at 1.049 MB");
  EXPECT_EQ(read(document(row("1048576", "float", "250.5", "0"), device(0), ""))[0].flaw->text,
            "the run did not end: there is no end_time");
  EXPECT_EQ(read(document(""))[0].flaw->text, "a header and no rows: the run did not end");
  // Option -C: what launching takes stands in place of the time.
  std::string of_host = row("1048576", "float", "250.5", "0");
  for (std::size_t at; (at = of_host.find("\"time\"")) != std::string::npos;) {
    of_host.replace(at, 6, "\"cpu_time\"");
  }
  EXPECT_EQ(read(document(of_host))[0].flaw->text.substr(0, 30), "cputime is what the host takes");
}

TEST(NcclTestsJson, ReadsItAfterAByteOrderMark) {
  EXPECT_EQ(read("\xEF\xBB\xBF" + document(row("1048576", "float", "250.5", "0"))).size(), 1U);
}

TEST(NcclTestsJson, RefusesWhatIsNotWrittenSo) {
  EXPECT_EQ(refusal(document(row("-1", "float", "9", "0"))).substr(0, 8), "t.json:1");
  EXPECT_NE(refusal(document(row("-1", "float", "9", "0"))).find("at /results/0/size"),
            std::string::npos);
  EXPECT_NE(refusal(document(row("8", "float", "\"fast\"", "0"))).find("a number or \"nan\""),
            std::string::npos);
  EXPECT_NE(refusal("{\"nccl_version\":1,\"config\":{}").find("not JSON"), std::string::npos);
  EXPECT_NE(refusal("{\"nccl_version\":22902}").find("'config'"), std::string::npos);
}

}  // namespace
}  // namespace splitbench
