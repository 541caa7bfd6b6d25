// What a protocol document may say: FORMAT.md as tests. Lines are counted by hand in kDocument.
#include "protocols/protocol.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "model/invalid_input.h"
#include "tests/protocols/bad_protocols.h"

namespace splitbench {
namespace {

std::vector<std::string> arm_names(const Protocol& protocol) {
  std::vector<std::string> names;
  for (const Arm arm : protocol.arms) names.emplace_back(name(arm));
  return names;
}

TEST(Protocol, WhatIsNotWrittenHasTheDefaultsOfFormatMd) {
  const Protocol protocol = load_protocol(kSmallestDocument, "x.json");
  EXPECT_EQ(protocol.name, "smallest");
  EXPECT_EQ(protocol.purpose, "p");
  EXPECT_EQ(protocol.expected, "");
  ASSERT_EQ(protocol.points.size(), 1U);
  EXPECT_EQ(protocol.points[0], (Operation{1, 2, 4, 1, DataType::fp32}));
  EXPECT_EQ(protocol.ranks, 2);
  EXPECT_EQ(name(protocol.organisation), "split");
  EXPECT_EQ(name(protocol.launch), "auto");
  EXPECT_EQ(name(protocol.cache), "hot");
  EXPECT_EQ(protocol.arms.size(), 12U);
  EXPECT_EQ(protocol.sampling.sessions, 6);
  EXPECT_EQ(protocol.sampling.rounds, 5);
  EXPECT_EQ(protocol.sampling.warmup_rounds, 2);
  EXPECT_EQ(protocol.sampling.block_min, Seconds(0.005));
  EXPECT_EQ(protocol.sampling.block_max, Seconds(0.02));
  EXPECT_EQ(protocol.sampling.budget, Seconds(60));
  EXPECT_EQ(protocol.collective_sweep.around,
            (std::vector<double>{-1, -0.5, -0.25, 0, 0.25, 0.5, 1}));
  EXPECT_EQ(protocol.collective_sweep.grid,
            (std::vector<Bytes>{Bytes(4096), Bytes(65536), Bytes(1048576)}));
  EXPECT_EQ(protocol.acceptance.model_error, 0.03);
  EXPECT_EQ(protocol.acceptance.model_error_floor, Seconds(1e-6));
  EXPECT_EQ(protocol.acceptance.least_effect, 0.01);
  EXPECT_FALSE(protocol.acceptance.early_stopping);
  EXPECT_EQ(protocol.seed, 1U);
}

TEST(Protocol, EveryKeyIsRead) {
  const Protocol protocol = load_protocol(kDocument, "x.json");
  EXPECT_EQ(protocol.name, "every-key");
  EXPECT_EQ(protocol.expected, "Something.");
  EXPECT_EQ(protocol.source, "A paper.");
  EXPECT_EQ(protocol.points, (std::vector<Operation>{{1, 32, 64, 3, DataType::bf16},
                                                     {8, 32, 64, 3, DataType::bf16},
                                                     {1, 2, 4, 1, DataType::fp32}}));
  EXPECT_EQ(protocol.ranks, 4);
  EXPECT_EQ(protocol.launch, Launch::graph);
  EXPECT_EQ(protocol.cache, Cache::flushed);
  EXPECT_EQ(arm_names(protocol),
            (std::vector<std::string>{"empty", "serial", "full", "shard", "collective", "unsplit",
                                      "split", "twin"}));
  EXPECT_TRUE(has_arm(protocol, Arm::twin));
  EXPECT_FALSE(has_arm(protocol, Arm::collective_sweep));
  EXPECT_EQ(protocol.sampling, (Sampling{10, 7, 3, Seconds(0.001), Seconds(0.01), Seconds(90)}));
  EXPECT_EQ(protocol.collective_sweep, (CollectiveSweep{{-1, 1}, {Bytes(1024)}}));
  EXPECT_EQ(protocol.acceptance, (Acceptance{0.05, Seconds(0), 0.02, true}));
  EXPECT_EQ(protocol.seed, 9007199254740991U);
}

class BadProtocolTest : public testing::TestWithParam<BadProtocol> {};

TEST_P(BadProtocolTest, IsRefusedWithPointerLineAndWhatWasExpected) {
  const BadProtocol& bad = GetParam();
  try {
    load_protocol(bad.text(), "x.json");
    FAIL() << "accepted: " << bad.to;
  } catch (const BadDocument& error) {
    EXPECT_EQ(error.pointer(), bad.pointer) << error.what();
    EXPECT_EQ(error.position().line, bad.line) << error.what();
    EXPECT_NE(error.message().find(bad.message), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Table, BadProtocolTest, testing::ValuesIn(kBadProtocols));

TEST(Protocol, ErrorReadsAsAPersonWouldSayIt) {
  std::string text(kDocument);
  text.replace(text.find("10,"), 3, "\"six\",");
  try {
    load_protocol(text, "mine.json");
    FAIL();
  } catch (const BadDocument& error) {
    EXPECT_STREQ(error.what(),
                 "mine.json:16:17: at /sampling/sessions: expected a whole number from 1 to 1000, "
                 "found \"six\"");
  }
}

TEST(Protocol, ResolvedDocumentWritesEveryDefaultAndOneOperationPerPoint) {
  const auto resolved = to_json(load_protocol(kDocument, "x.json"));
  EXPECT_EQ(resolved["operations"].size(), 3U);
  EXPECT_EQ(resolved["operations"][1].dump(),
            R"({"tokens":8,"d_model":32,"d_ff":64,"layers":3,"dtype":"bf16","activation":"relu"})");
  const auto smallest = to_json(load_protocol(kSmallestDocument, "x.json"));
  EXPECT_EQ(smallest["launch"], "auto");
  EXPECT_EQ(smallest["sampling"]["budget_s"], 60.0);
  EXPECT_EQ(smallest["collective_sweep"]["grid_bytes"].dump(), "[4096,65536,1048576]");
  EXPECT_EQ(smallest["arms"].size(), 12U);
}

std::int64_t whole(std::int64_t least, std::int64_t most) {
  return *rc::gen::inRange<std::int64_t>(least, most + 1);
}

double number(double least, double most) {
  return least + (most - least) * static_cast<double>(whole(0, 999'983)) / 999'983.0;
}

// Drawn again until it is not yet in the list.
template <class Value, class Draw>
void add_another(std::vector<Value>& list, Draw draw) {
  Value value = draw();
  while (std::find(list.begin(), list.end(), value) != list.end()) value = draw();
  list.push_back(value);
}

// Any protocol that the format allows, drawn member by member.
Protocol any_protocol() {
  Protocol protocol;
  protocol.name = std::string(static_cast<std::size_t>(whole(1, 64)), 'n');
  protocol.purpose = "Quotes \" and \\ and \xC3\xA9.";
  if (*rc::gen::arbitrary<bool>()) protocol.expected = "e";
  if (*rc::gen::arbitrary<bool>()) protocol.source = "s";
  protocol.ranks = static_cast<int>(whole(2, 16));
  for (std::int64_t i = whole(1, 5); i > 0; --i) {
    add_another(protocol.points, [&] {
      const auto dtype =
          *rc::gen::element(DataType::fp32, DataType::tf32, DataType::fp16, DataType::bf16);
      return Operation{whole(1, 5000), whole(1, 5000), protocol.ranks * whole(1, 5000),
                       whole(1, 100), dtype};
    });
  }
  protocol.launch =
      *rc::gen::element(Launch::automatic, Launch::direct, Launch::graph, Launch::eager);
  protocol.cache = *rc::gen::element(Cache::hot, Cache::flushed);
  for (const auto& entry : arms()) {
    if (required(entry.value) || *rc::gen::arbitrary<bool>()) protocol.arms.push_back(entry.value);
  }
  protocol.sampling = {whole(1, 20),
                       whole(1, 50),
                       whole(0, 9),
                       Seconds(number(1e-6, 1.0)),
                       Seconds(number(1.0, 10.0)),
                       Seconds(number(0.1, 604'800.0))};
  protocol.collective_sweep = {};
  for (std::int64_t i = whole(0, 3); i > 0; --i) {
    add_another(protocol.collective_sweep.around, [] { return number(-10.0, 10.0); });
    add_another(protocol.collective_sweep.grid,
                [] { return Bytes(static_cast<double>(whole(1, 1'000'000'000))); });
  }
  protocol.acceptance = {number(1e-6, 1.0), Seconds(number(0.0, 1.0)), number(1e-6, 1.0), false};
  protocol.seed = static_cast<std::uint64_t>(whole(0, 9'007'199'254'740'990));
  return protocol;
}

RC_GTEST_PROP(Protocol, ResolvedDocumentLoadsBackEqual, ()) {
  const Protocol protocol = any_protocol();
  const std::string text = to_json(protocol).dump();
  RC_LOG() << text;
  RC_ASSERT(load_protocol(text, "resolved") == protocol);
}

TEST(Protocol, ChangedMembersAreCheckedAsTheDocumentWouldBe) {
  const Protocol good = load_protocol(kDocument, "x.json");
  EXPECT_NO_THROW(check(good, "options"));
  const auto pointer_of = [](const Protocol& changed) {
    try {
      check(changed, "options");
    } catch (const BadDocument& error) {
      EXPECT_EQ(error.file(), "options");
      return error.pointer();
    }
    return std::string("accepted");
  };
  Protocol changed = good;
  changed.sampling.sessions = 0;
  EXPECT_EQ(pointer_of(changed), "/sampling/sessions");
  changed = good;
  changed.ranks = 3;  // 64 does not divide
  EXPECT_EQ(pointer_of(changed), "/operations/0/d_ff");
  changed = good;
  changed.points.clear();
  EXPECT_EQ(pointer_of(changed), "/operations");
  changed = good;
  changed.arms.clear();
  EXPECT_EQ(pointer_of(changed), "/arms");
  changed = good;
  changed.sampling.budget = Seconds(std::numeric_limits<double>::infinity());
  EXPECT_EQ(pointer_of(changed), "/sampling/budget_s");
}

std::string counting_to(int last) {
  std::string text = "1";
  for (int i = 2; i <= last; ++i) text.append(",").append(std::to_string(i));
  return text;
}

TEST(Protocol, ListsHaveALimit) {
  const auto refusal = [](const std::string& from, const std::string& to) {
    try {
      load_protocol(BadProtocol{from, to, 0, "", ""}.text(), "x.json");
    } catch (const BadDocument& error) {
      return error.pointer() + ": " + error.message();
    }
    return std::string("accepted");
  };
  const std::string tokens = "[" + counting_to(1024) + "]";
  // 1023 further operations and the one of the second entry are the 1024 that are allowed.
  EXPECT_EQ(refusal("[1, 8]", tokens), "/operations/1/tokens: more than 1024 operations");
  const std::string sizes = "[" + counting_to(33) + "]";
  EXPECT_EQ(refusal("[1024]", sizes),
            "/collective_sweep/grid_bytes: expected a list of at most 32, found a list of 33");
}

TEST(Arms, AreNamedDescribedAndFound) {
  EXPECT_EQ(arms().size(), 12U);
  for (const auto& entry : arms()) {
    EXPECT_EQ(arm(entry.name), entry.value);
    EXPECT_EQ(name(entry.value), entry.name);
    EXPECT_FALSE(entry.description.empty());
    EXPECT_TRUE(runs_on_one_rank(entry.value) || runs_on_all_ranks(entry.value)) << entry.name;
  }
  try {
    arm("colective");
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_EQ(error.field(), "arms");
    EXPECT_STREQ(error.what(), "unknown arm 'colective'; did you mean 'collective'?");
  }
}

// The column "from" of the table of arms in docs/methodology.md.
TEST(Arms, RunOnOneRankOrOnAll) {
  std::vector<std::string> both;
  std::vector<std::string> one;
  for (const auto& entry : arms()) {
    if (!runs_on_one_rank(entry.value)) continue;
    (runs_on_all_ranks(entry.value) ? both : one).emplace_back(entry.name);
  }
  EXPECT_EQ(both, (std::vector<std::string>{"empty", "serial"}));
  EXPECT_EQ(one, (std::vector<std::string>{"full", "shard_alone", "unsplit", "twin"}));
}

TEST(Settings, HaveNames) {
  EXPECT_EQ(name(Launch::direct), "direct");
  EXPECT_EQ(name(Cache::flushed), "flushed");
  EXPECT_EQ(name(Organisation::split), "split");
  EXPECT_EQ(name(static_cast<Launch>(99)), "unknown");
}

}  // namespace
}  // namespace splitbench
