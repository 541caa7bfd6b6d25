// What is pasted, made readable: each test shows bytes as a terminal, a mailer or a launcher leaves
// them, and what a parser is to see.
#include "results/import/text_source.h"

#include <gtest/gtest.h>

#include "protocols/document.h"

namespace splitbench {
namespace {

std::string cleaned(const std::string& line) {
  return TextSource("first\n" + line, "t").lines().at(1).text;
}

std::string refusal(const std::string& text) {
  try {
    const TextSource source(text, "t.log");
  } catch (const BadDocument& error) {
    return error.what();
  }
  return "";
}

TEST(TextSource, TakesColoursOut) {
  EXPECT_EQ(cleaned("\t\x1b[4mGPU0\tGPU1\x1b[0m"), "\tGPU0\tGPU1");
  EXPECT_EQ(cleaned("\x1b]0;title\aGPU0"), "GPU0");
  // The escape character is lost where a page shows a log.
  EXPECT_EQ(cleaned("[4mGPU0[0m"), "GPU0");
  // Addresses in brackets are no colours.
  EXPECT_EQ(cleaned("device  0 [0xa4] NVIDIA"), "device  0 [0xa4] NVIDIA");
}

TEST(TextSource, TakesQuotingAndFencesOut) {
  EXPECT_EQ(cleaned("> > # Using devices"), " # Using devices");
  EXPECT_EQ(cleaned(">> # Using devices"), " # Using devices");
  EXPECT_EQ(cleaned(">"), "");
  EXPECT_EQ(cleaned(">text"), ">text");
  EXPECT_EQ(cleaned("    ```text"), "");
  EXPECT_EQ(cleaned("GPU0\r"), "GPU0 ");
  EXPECT_EQ(cleaned("#@ SOURCE: somewhere"), "");
}

TEST(TextSource, ReplacesWhatIsNoText) {
  EXPECT_EQ(cleaned("a\x01"
                    "b"),
            "a b");
  EXPECT_EQ(cleaned("a\xC2\xA0"
                    "b"),
            "a b");  // a space that does not break
  EXPECT_EQ(cleaned("a\xFF"
                    "b"),
            "a?b");
  EXPECT_EQ(cleaned("a\xC0\x80"
                    "b"),
            "a??b");  // an overlong form
  EXPECT_EQ(cleaned("0.45 \xC2\xB5s"), "0.45 \xC2\xB5s");
}

TEST(TextSource, SetsTagsOfRanksAside) {
  const TextSource source(
      "12: # nThread 1\n"
      "[1,0]<stdout>:#  Rank  0\n"
      "[0]      1048576   262144     float     sum      -1[0]    1626.5\n"
      "[rtptest[[31817,1],0] error\n",
      "t");
  EXPECT_EQ(source.lines()[0].tag, "12");
  EXPECT_EQ(source.lines()[0].text, " # nThread 1");
  EXPECT_EQ(source.lines()[1].tag, "1,0");
  EXPECT_EQ(source.lines()[1].text, " #  Rank  0");
  EXPECT_EQ(source.lines()[2].tag, "0");
  EXPECT_EQ(words_of(source.lines()[2].text),
            (std::vector<std::string_view>{"1048576", "262144", "float", "sum", "-1", "1626.5"}));
  EXPECT_EQ(source.lines()[3].tag, "");
}

// What kubectl logs --timestamps, docker logs -t and others put before a line (RFC 3339).
TEST(TextSource, TakesTimestampsBeforeALineOut) {
  for (const char* stamp :
       {"2026-11-30T12:00:00.123456789Z", "2026-11-30T12:00:00Z", "2026-11-30 12:00:00+01:00",
        "[2026-11-30T12:00:00.5-0800]", "[2026-11-30 12:00:00,123]", "> 2026-11-30T12:00:00Z"}) {
    EXPECT_EQ(cleaned(std::string(stamp) + " \tGPU0\tGPU1"), "\tGPU0\tGPU1") << stamp;
    EXPECT_EQ(cleaned(stamp), "") << stamp;
  }
  const TextSource source("2026-11-30T12:00:00Z 3: # nThread 1\n3: 2026-11-30T12:00:00Z # step\n",
                          "t");
  EXPECT_EQ(source.lines()[0].tag, "3");
  EXPECT_EQ(source.lines()[0].text, " # nThread 1");
  EXPECT_EQ(source.lines()[1].text, "# step");
  // Of a row that ends with its time, and what only begins like one.
  EXPECT_EQ(cleaned("8 2 float 2026-11-30 12:00:00"), "8 2 float 2026-11-30 12:00:00");
  EXPECT_EQ(cleaned("2026-11-30T12:00:00Zulu"), "2026-11-30T12:00:00Zulu");
}

TEST(TextSource, KeepsTheNumbersOfLines) {
  const TextSource source("one\n\nthree", "t");
  ASSERT_EQ(source.lines().size(), 3U);
  EXPECT_EQ(source.lines()[2].number, 3U);
  EXPECT_EQ(source.lines()[2].text, "three");
}

// A program's JSON may be one line of any length; what a tool prints for people is not.
TEST(TextSource, GivesNoTextOfALineThatNoToolPrints) {
  const std::string document = "{\"a\": \"" + std::string(70'000, 'x') + "\"}";
  const TextSource source(document, "t");
  EXPECT_EQ(source.lines().at(0).text, "");
  EXPECT_EQ(source.raw(), document);
}

TEST(TextSource, KnowsTheLineOfAByte) {
  const TextSource source("one\ntwo\nthree", "t");
  EXPECT_EQ(source.line_at(0), 1U);
  EXPECT_EQ(source.line_at(4), 2U);
  EXPECT_EQ(source.line_at(1000), 3U);
}

TEST(TextSource, RefusesWhatNobodyCanRead) {
  EXPECT_EQ(refusal(""), "t.log: there is nothing in it");
  EXPECT_EQ(refusal("\n \r\n"), "t.log: there is nothing in it");
  EXPECT_EQ(refusal(std::string("one\nt\0w\0o\0", 10)),
            "t.log:2:1: there is a byte 0; expected UTF-8 text, and not UTF-16");
  EXPECT_EQ(refusal(std::string((8U << 20) + 1, 'x')), "t.log: more than 8 MiB of text");
  EXPECT_EQ(refusal("x" + std::string(500'000, '\n')),
            "t.log:500000:1: the text goes on; expected at most 500000 lines");
  EXPECT_THROW(read_text_source("/nonexistent/file"), BadDocument);
  EXPECT_THROW(read_text_source("/dev/zero"), BadDocument);
  EXPECT_THROW(read_text_source("/"), BadDocument);
}

TEST(Words, StandBetweenBlanksAndCellsBetweenTabs) {
  EXPECT_EQ(words_of("  a\tb  c "), (std::vector<std::string_view>{"a", "b", "c"}));
  EXPECT_EQ(cells_of("a\t\t b "), (std::vector<std::string_view>{"a", "", "b"}));
}

TEST(Numbers, AreTheWholeWord) {
  EXPECT_EQ(number_in("3.6e+07"), 3.6e7);
  EXPECT_FALSE(number_in("N/A") || number_in("nan") || number_in("inf") || number_in("1.5x"));
  EXPECT_EQ(whole_number_in("-1"), -1);
  EXPECT_FALSE(whole_number_in("1.0") || whole_number_in("") ||
               whole_number_in("99999999999999999999"));
  EXPECT_EQ(whole_number_after("# nThread 1 nGpus 8 min", "nGpus "), 8);
  EXPECT_FALSE(whole_number_after("Rank x", "Rank "));
}

}  // namespace
}  // namespace splitbench
