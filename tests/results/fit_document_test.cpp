// What `fit` makes of times that someone has, and what it does not touch.
#include "results/fit_document.h"

#include <gtest/gtest.h>

#include "model/invalid_input.h"
#include "protocols/document.h"
#include "tests/support/schema.h"

namespace splitbench::test {
namespace {

using Json = nlohmann::json;

// Of `ranks` ranks, exactly 20 us and 10 GB/s of wire bytes V = 2 (N-1)/N M.
std::string table(int ranks, const std::string& extra = "") {
  std::string text = "# made up\nranks\tmessage_bytes\tlatency_us\n";
  for (int size = 65536; size <= 16 * 1048576; size *= 2) {
    const double wire = 2.0 * (ranks - 1) / ranks * size;
    text += std::to_string(ranks) + "\t" + std::to_string(size) + "\t" +
            std::to_string(20.0 + 1e6 * wire / 10e9) + "\n";
  }
  return text + extra;
}

FitRequest request_of(const std::vector<std::string>& texts) {
  FitRequest request;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::string file = "t";
    file += std::to_string(i);
    request.inputs.push_back({file, read_runs(TextSource(texts[i], file))});
  }
  return request;
}

Json document(const FitRequest& request) {
  return Json::parse(fit_document(request).dump());
}

std::string refusal(const FitRequest& request) {
  try {
    fit_document(request);
  } catch (const BadDocument& error) {
    return error.what();
  } catch (const InvalidInput& error) {
    return error.field() + ": " + error.what();
  }
  return "";
}

TEST(FitDocument, GivesBackTheLineOfATable) {
  const Json fit = document(request_of({table(4)}));
  EXPECT_EQ(fit["schema"], "splitbench.fit/1");
  EXPECT_EQ(fit["source"]["format"], "table");
  EXPECT_EQ(fit["source"]["ranks"], 4);
  EXPECT_EQ(fit["source"]["collective"], "all_reduce");
  EXPECT_EQ(fit["source"]["rows"], 9);
  ASSERT_EQ(fit["segments"].size(), 1U);
  const Json& segment = fit["segments"][0];
  EXPECT_EQ(segment["from_bytes"], 65536);  // of the message, not of the wire
  EXPECT_EQ(segment["to_bytes"], 16777216);
  EXPECT_NEAR(segment["latency_s"].get<double>(), 20e-6, 1e-10);
  EXPECT_NEAR(segment["bandwidth_bytes_per_s"].get<double>(), 10e9, 1e5);
  EXPECT_TRUE(fit["at"].is_null());
}

TEST(FitDocument, AnswersAtASize) {
  FitRequest request = request_of({table(4)});
  request.at = Bytes(1e6);
  const Json at = document(request)["at"];
  EXPECT_EQ(at["bytes"], 1e6);
  EXPECT_EQ(at["wire_bytes"], 1.5e6);
  EXPECT_NEAR(at["time_s"].get<double>(), 20e-6 + 1.5e6 / 10e9, 1e-10);
  EXPECT_EQ(at["valid_for_bytes"], Json::array({524288, 1048576 * 2}));
}

TEST(FitDocument, RefusesASizeOutside) {
  FitRequest request = request_of({table(2)});
  request.at = Bytes(17e6);
  EXPECT_EQ(refusal(request),
            "at: 17 MB is outside of the sizes that were measured, 65536 to 16777216 bytes");
  request.at = Bytes(65535);
  EXPECT_NE(refusal(request), "");
  request.at = Bytes(16777216);
  EXPECT_EQ(refusal(request), "");
}

TEST(FitDocument, TakesSeveralTextsTogether) {
  const Json fit = document(request_of({table(2), table(2)}));
  EXPECT_EQ(fit["source"]["rows"], 18);
  EXPECT_EQ(fit["source"]["files"], Json::array({"t0", "t1"}));
  EXPECT_NEAR(fit["segments"][0]["latency_s"].get<double>(), 20e-6, 1e-10);
}

TEST(FitDocument, TakesRunsOfOneNumberOfRanks) {
  FitRequest request = request_of({table(2), table(4)});
  EXPECT_EQ(refusal(request), "ranks: there are runs of 2, 4 ranks; expected one of them");
  request.ranks = 4;
  EXPECT_EQ(document(request)["source"]["rows"], 9);
  request.ranks = 8;
  EXPECT_EQ(refusal(request), "ranks: no run of 8 ranks; there are runs of 2, 4");
}

TEST(FitDocument, AsksHowManyRanksWhereNothingTells) {
  FitRequest request = request_of({"message_bytes\tlatency_us\n1000\t10\n2000\t12\n4000\t16\n"});
  EXPECT_EQ(refusal(request),
            "t0:2:1: how many ranks took part is not in it; expected --ranks COUNT");
  request.ranks = 2;
  // 8 us and 2 us for each 1000 bytes.
  EXPECT_NEAR(document(request)["segments"][0]["bandwidth_bytes_per_s"].get<double>(), 0.5e9, 1.0);
}

constexpr const char* kColumns =
    "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n";
std::string row(int size, const std::string& time, const std::string& wrong = "0") {
  const std::string rate = std::to_string(size / 1e3 / std::stod(time));
  const std::string group = " " + time + " " + rate + " " + rate + " " + wrong;
  return std::to_string(size) + " " + std::to_string(size / 4) + " float sum -1" + group + group +
         "\n";
}
std::string log(const std::string& rows) {
  return "all_reduce_perf\n# Rank 0 Pid 1 on a device 0 [0000:01:00] GPU A\n"
         "# Rank 1 Pid 1 on a device 1 [0000:02:00] GPU A\n" +
         std::string(kColumns) + rows;
}

std::string of(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from)) != std::string::npos;) {
    text.replace(at, from.size(), to);
  }
  return text;
}

TEST(FitDocument, SaysWhereTimesComeFrom) {
  const Json fit = document(request_of({log(row(1000000, "100") + row(2000000, "200") +
                                            row(4000000, "400") + "8000000 2000000 fl")}));
  EXPECT_EQ(fit["source"]["dtype"], "float");
  EXPECT_EQ(fit["source"]["devices"], Json::array({"GPU A", "GPU A"}));
  EXPECT_EQ(
      fit["source"]["refused_rows"],
      Json::parse(
          R"([{"file": "t0", "line": 8, "reason": "cut, or wrapped by a terminal: it has no times"}])"));
  EXPECT_EQ(fit["warnings"].size(), 1U);
  // Neither host nor address of a device.
  EXPECT_EQ(fit.dump().find("0000:01:00"), std::string::npos);
}

TEST(FitDocument, FitsNothingThatMustNotBe) {
  EXPECT_EQ(refusal(request_of({log(row(1000000, "100") + row(2000000, "200", "3"))})),
            "t0:6:1: wrong results: 3 wrong values at 2 MB");
  EXPECT_EQ(refusal(request_of({log("")})), "t0:2:1: a header and no rows: the run did not end");
  EXPECT_EQ(refusal(request_of({log(row(2000000, "200") + row(1000000, "100"))})),
            "t0:6:1: independent jobs print into one stream: after 2 MB there is 1 MB");
  EXPECT_EQ(refusal(request_of({log(row(2000000, "200"))})),
            "t0:2:1: times of 1 size; expected 3 to 4096, of which a line takes 3");
  // One good text does not cover for a bad one.
  EXPECT_NE(refusal(request_of({table(2), log("")})), "");
}

// To find where a line breaks takes time with the square of its sizes.
TEST(FitDocument, RefusesMoreSizesThanAnySweepHas) {
  std::string text = "ranks\tmessage_bytes\tlatency_us\n";
  for (int size = 1; size <= 4097; ++size) text += "2\t" + std::to_string(size) + "\t10\n";
  EXPECT_EQ(refusal(request_of({text})),
            "t0:2:1: times of 4097 sizes; expected 3 to 4096, of which a line takes 3");
}

TEST(FitDocument, RefusesATableOfTimesThatNoAllReduceTakes) {
  try {
    request_of({"message_bytes\tlatency_us\n1000\t1e308\n"});
    FAIL();
  } catch (const BadDocument& error) {
    EXPECT_STREQ(error.what(), "t0:2:1: a time of 1e+302 s is none of an all-reduce");
  }
}

// Whether the bandwidth is normal is said, or why it is not known.
TEST(FitDocument, SetsTheBandwidthBesideItsLink) {
  FitRequest request = request_of({table(2)});
  const Json unknown = document(request);
  EXPECT_EQ(unknown["normal"], Json::array());
  EXPECT_EQ(unknown["reasons"]["normal"], "no text says how the devices are joined");
  request.normal = Normality{.what = "all-reduce of 16.78 MB, bus bandwidth",
                             .from = "t0",
                             .measured = BytesPerSecond(10e9),
                             .ceiling = BytesPerSecond(31.5e9),
                             .ceiling_from = "PCIe",
                             .share = 0.317,
                             .usual = {0.11, 0.85}};
  const Json known = document(request);
  ASSERT_EQ(known["normal"].size(), 1U);
  EXPECT_EQ(known["normal"][0]["share"], 0.317);
  EXPECT_FALSE(known["reasons"].contains("normal"));
  SPLITBENCH_NEEDS_SCHEMAS();
  EXPECT_EQ(schema_errors(known, "results/schema/fit.schema.json"), "");
}

TEST(FitDocument, RefusesOtherCollectives) {
  EXPECT_EQ(refusal(request_of({"broadcast_perf\n" + log("").substr(16) + row(1000000, "100")})),
            "t0:2:1: no all-reduce in it, but broadcast");
}

TEST(FitDocument, LeavesRowsOfOtherTypesOut) {
  const std::string floats = row(1000000, "100") + row(2000000, "200") + row(4000000, "400");
  const Json fit = document(request_of({log(floats + of(floats, "float", "half"))}));
  EXPECT_EQ(fit["source"]["rows"], 3);
  EXPECT_EQ(fit["warnings"], Json::array({"rows of type half are left out"}));
}

TEST(FitDocument, RefusesRunsOfOtherGpusWithBothNamed) {
  const std::string a = log(row(1000000, "100") + row(2000000, "200") + row(4000000, "400"));
  EXPECT_EQ(refusal(request_of({a, of(a, "GPU A", "GPU B")})),
            "t1:2:1: a run of GPU B, and t0:2 is of GPU A: expected runs of the same GPUs");
  EXPECT_EQ(refusal(request_of({a + of(a, "GPU A", "GPU B")})),
            "t0:9:1: a run of GPU B, and t0:2 is of GPU A: expected runs of the same GPUs");
  EXPECT_EQ(refusal(request_of({a, of(a, "1 on a", "1 on b")})), "");  // a container's name
  EXPECT_EQ(refusal(request_of({a, of(a, "on a device 1", "on b device 1")})),
            "t1:2:1: a run of several hosts, and t0:2 is of one host: expected runs of the same "
            "GPUs");
  EXPECT_EQ(refusal(request_of({a, of(a, "0000:02:00", "0000:03:00")})),
            "t1:2:1: its GPUs are at other addresses on the bus than those of t0:2: expected runs "
            "of the same GPUs");
}

// 2 MB in 200 us and in 900 us; the line of the means cannot be right for both.
TEST(FitDocument, RefusesTimesOfOneSizeThatAreFarApartInEitherOrder) {
  const std::string fast = log(row(1000000, "100") + row(2000000, "200") + row(4000000, "400"));
  const std::string slow = log(row(1000000, "150") + row(2000000, "900") + row(4000000, "700"));
  EXPECT_EQ(refusal(request_of({fast, slow})),
            "t1:6:1: 2 MB took 900 us here and 200 us at t0:6, 4.5 times less: expected runs whose "
            "times at one size differ by less than 2");
  EXPECT_NE(refusal(request_of({slow, fast})).find("2 MB took 900 us here and 200 us at t1:6"),
            std::string::npos);
}

// 100 us and 120 us at 1 MB, and likewise: the line is that of 1.1 times 100 us for each MB, and
// misses the smaller times by 10 %, the larger by 8 %.
TEST(FitDocument, CountsTheSpreadOfRunsAsError) {
  const std::string fast = log(row(1000000, "100") + row(2000000, "200") + row(4000000, "400"));
  const std::string slow = log(row(1000000, "120") + row(2000000, "240") + row(4000000, "480"));
  const Json fit = document(request_of({fast, slow}));
  EXPECT_NEAR(fit["segments"][0]["max_relative_error"].get<double>(), 0.1, 1e-6);
  EXPECT_EQ(fit["warnings"],
            Json::array({"times of several runs differ by up to 20 % at one size"}));
}

TEST(FitDocument, SaysThatNobodyCheckedTheResults) {
  const std::string unchecked = log(row(1000000, "100", "N/A") + row(2000000, "200", "N/A") +
                                    row(4000000, "400", "N/A") + "# Out of bounds values : 0 OK\n");
  EXPECT_EQ(
      document(request_of({unchecked}))["warnings"],
      Json::array({"nobody checked its results: they may be wrong, and the times with them"}));
}

TEST(FitDocument, FollowsItsSchema) {
  SPLITBENCH_NEEDS_SCHEMAS();
  FitRequest request = request_of({table(2)});
  const char* schema = "results/schema/fit.schema.json";
  EXPECT_EQ(schema_errors(document(request), schema), "");
  request.at = Bytes(1e6);
  EXPECT_EQ(schema_errors(document(request), schema), "");
  const FitRequest flat = request_of({log(row(8, "12") + row(16, "11") + row(32, "10"))});
  EXPECT_EQ(schema_errors(document(flat), schema), "");
  Json broken = document(request);
  broken["segments"][0]["latency_s"] = "fast";
  EXPECT_NE(schema_errors(broken, schema), "");
}

}  // namespace
}  // namespace splitbench::test
