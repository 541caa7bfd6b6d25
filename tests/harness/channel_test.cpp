// Frames over a pipe: whole messages come out whole, and anything else is said to be nonsense.
#include "harness/rank/channel.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "harness/backend.h"

namespace splitbench {
namespace {

// The bytes of one frame, as they travel.
std::string frame(const nlohmann::json& message) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  EXPECT_TRUE(send_frame(ends[1], message));
  close(ends[1]);
  std::string bytes;
  char buffer[4096];
  for (ssize_t count = 0; (count = read(ends[0], buffer, sizeof buffer)) > 0;) {
    bytes.append(buffer, static_cast<std::size_t>(count));
  }
  close(ends[0]);
  return bytes;
}

TEST(FrameReader, GivesMessagesOnceTheyAreWhole) {
  const nlohmann::json message{{"type", "round"}, {"seconds", {0.1, 1e-300, 12.5}}};
  const std::string bytes = frame(message) + frame({{"type", "done"}});
  FrameReader reader;
  std::vector<nlohmann::json> seen;
  for (const char byte : bytes) {
    reader.add(&byte, 1);
    while (const auto next = reader.next()) seen.push_back(*next);
  }
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0], message);
  EXPECT_EQ(seen[1]["type"], "done");
}

TEST(FrameReader, RefusesWhatIsNoFrame) {
  FrameReader text;
  text.add("hello", 5);
  EXPECT_THROW(text.next(), HarnessError);

  FrameReader longer;
  const std::string prose(100, 'x');
  longer.add(prose.data(), prose.size());
  EXPECT_THROW(longer.next(), HarnessError);
}

TEST(FrameReader, RefusesADamagedFrame) {
  const std::string whole = frame({{"type", "round"}, {"value", 1.5}});
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x41);
    FrameReader reader;
    reader.add(damaged.data(), damaged.size());
    bool noticed = false;
    try {
      noticed = !reader.next().has_value();  // a longer length waits for bytes that never come
    } catch (const HarnessError&) {
      noticed = true;
    }
    EXPECT_TRUE(noticed) << "byte " << i;
  }
}

TEST(ReceiveFrame, WaitsForItsFrameAndNoMore) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_TRUE(send_frame(ends[1], {{"n", 1}}));
  ASSERT_TRUE(send_frame(ends[1], {{"n", 2}}));
  EXPECT_EQ((*receive_frame(ends[0]))["n"], 1);
  EXPECT_EQ((*receive_frame(ends[0]))["n"], 2);
  close(ends[1]);
  EXPECT_FALSE(receive_frame(ends[0]).has_value());
  close(ends[0]);
}

}  // namespace
}  // namespace splitbench
