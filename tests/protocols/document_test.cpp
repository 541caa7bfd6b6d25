// Where a refused document is refused. Lines, columns and pointers are counted by hand in the texts
// below; what is JSON is RFC 8259, what a pointer is RFC 6901.
#include "protocols/document.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

namespace splitbench {
namespace {

BadDocument refusal(const std::string& text) {
  try {
    const Document document(text, "x.json");
  } catch (const BadDocument& error) {
    return error;
  }
  ADD_FAILURE() << "accepted: " << text;
  return {"", "", {}, ""};
}

struct Refused {
  const char* what;
  std::string text;
  Position position;
  std::string pointer;
  std::string message;  // a part of it
};

void PrintTo(const Refused& refused, std::ostream* out) {
  *out << refused.what;
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

class RefusedDocument : public testing::TestWithParam<Refused> {};

TEST_P(RefusedDocument, SaysWhereAndWhat) {
  const BadDocument error = refusal(GetParam().text);
  EXPECT_EQ(error.position().line, GetParam().position.line) << error.what();
  EXPECT_EQ(error.position().column, GetParam().position.column) << error.what();
  EXPECT_EQ(error.pointer(), GetParam().pointer);
  EXPECT_NE(error.message().find(GetParam().message), std::string::npos) << error.what();
}

const std::vector<Refused> kRefused{
    {"empty text", "", {1, 1}, "", "the document is empty"},
    {"white space only", " \n ", {2, 2}, "", "unexpected end of input"},
    {"comma twice", "[1,\n ,2]", {2, 2}, "", "unexpected ','"},
    {"trailing comma in a list", "[1,\n 2,\n]", {3, 1}, "", "unexpected ']'"},
    {"trailing comma in an object", R"({"a": 1,})", {1, 9}, "", "expected string literal"},
    {"comma for a colon", R"({"a", 1})", {1, 5}, "/a", "expected ':'"},
    {"no colon", R"({"a" 1})", {1, 6}, "/a", "expected ':'"},
    {"no comma between members",
     "{\"a\": 1\n \"bc\": 2}",
     {2, 2},
     "",
     "unexpected string literal; expected '}'"},
    {"no value", "{\"a\":\n}", {2, 1}, "/a", "unexpected '}'"},
    {"key without quotes", "{\n  a: 1}", {2, 3}, "", "invalid literal"},
    {"single quotes", "['a']", {1, 2}, "", "invalid literal"},
    {"misspelt literal", "[true, tru]", {1, 8}, "", "invalid literal"},
    {"comment", "[1, // one\n 2]", {1, 5}, "", "invalid literal"},
    {"never closed", "{\"a\": [1, 2\n", {2, 1}, "/a", "unexpected end of input"},
    {"closed wrongly", "[1, 2}", {1, 6}, "", "unexpected '}'"},
    {"more after the end", "{}\n{}", {2, 1}, "", "expected end of input"},
    {"string without an end", "{\"a\": \"b}", {1, 7}, "/a", "missing closing quote"},
    {"line break in a string", "[\n \"a\nb\"]", {2, 2}, "", "must be escaped"},
    {"ill-formed UTF-8", "[\"\xFF\"]", {1, 2}, "", "ill-formed UTF-8"},
    {"leading zero", "[01]", {1, 3}, "", "unexpected number literal"},
    {"leading plus", "[+1]", {1, 2}, "", "invalid literal"},
    {"digits missing after the point", "[1.x]", {1, 2}, "", "expected digit after '.'"},
    {"NaN", "{\"a\": [1, NaN]}", {1, 11}, "/a", "JSON has no NaN"},
    {"Infinity", "[Infinity]", {1, 2}, "", "JSON has no NaN and no Infinity"},
    {"-Infinity", "[-Infinity]", {1, 2}, "", "JSON has no NaN and no Infinity"},
    {"too large a number",
     "{\"a\":\n [1e999, 2]}",
     {2, 3},
     "/a",
     "found 1e999, which is too large"},
    {"key twice", "{\"a\": 1,\n \"b\": {},\n \"a\": 1}", {3, 2}, "/a", "\"a\" is given twice"},
    {"key twice, written differently", R"({"b": {"a": 1, "\u0061": 2}})", {1, 16}, "/b/a", "twice"},
    {"nested too deep", std::string(65, '['), {1, 65}, repeated("/0", 64), "deeper than 64"},
    {"characters count, not bytes", "{\"\xC3\xA9\": \"\xE2\x82\xAC\", x}", {1, 12}, "", "invalid"},
    {"byte order mark is passed", "\xEF\xBB\xBF[1,, 2]", {1, 5}, "", "unexpected ','"},
};

INSTANTIATE_TEST_SUITE_P(Table, RefusedDocument, testing::ValuesIn(kRefused));

TEST(Document, ErrorReadsFileLineColumnPointerMessage) {
  EXPECT_STREQ(refusal("{\"a\": [1,\n  NaN]}").what(),
               "x.json:2:3: at /a: expected a finite number; JSON has no NaN and no Infinity");
  EXPECT_STREQ(refusal("[1 2]").what(),
               "x.json:1:4: not JSON: unexpected number literal; expected ']'");
}

TEST(Document, ErrorKeepsTheTerminalSafe) {
  const std::string what = refusal("{\"\\u001b[31m\": 1, \"\\u001b[31m\": 2}").what();
  EXPECT_EQ(what.find('\x1b'), std::string::npos);
  EXPECT_NE(what.find("\\u001b[31m"), std::string::npos) << what;
}

TEST(Document, LongerThanTheLimitIsRefusedUnread) {
  const std::string just_fits = "[1" + std::string(Document::kMaxBytes - 3, ' ') + "]";
  EXPECT_EQ(Document(just_fits, "x.json").value(), nlohmann::json::array({1}));
  EXPECT_STREQ(refusal(just_fits + " ").what(), "x.json: longer than 1048576 bytes");
}

TEST(Document, SixtyFourLevelsAreAccepted) {
  const Document document(std::string(64, '[') + std::string(64, ']'), "x.json");
  EXPECT_TRUE(document.value().is_array());
}

// Every value of this text, with places counted by hand.
TEST(Document, EveryValueAndKeyHasItsPosition) {
  const Document document(R"({
  "name": "a\"b, c: [",
  "list": [ 1, -2.5e3 ,true,
    null, {"in/ner~": []} ],
  "last":
    false
})",
                          "x.json");
  struct Place {
    const char* pointer;
    Position value;
    Position key;
  };
  const std::vector<Place> places{
      {"", {1, 1}, {1, 1}},
      {"/name", {2, 11}, {2, 3}},
      {"/list", {3, 11}, {3, 3}},
      {"/list/0", {3, 13}, {3, 13}},
      {"/list/1", {3, 16}, {3, 16}},
      {"/list/2", {3, 24}, {3, 24}},
      {"/list/3", {4, 5}, {4, 5}},
      {"/list/4", {4, 11}, {4, 11}},
      {"/list/4/in~1ner~0", {4, 23}, {4, 12}},
      {"/last", {6, 5}, {5, 3}},
  };
  for (const Place& place : places) {
    EXPECT_EQ(document.position(place.pointer).line, place.value.line) << place.pointer;
    EXPECT_EQ(document.position(place.pointer).column, place.value.column) << place.pointer;
    EXPECT_EQ(document.key_position(place.pointer).line, place.key.line) << place.pointer;
    EXPECT_EQ(document.key_position(place.pointer).column, place.key.column) << place.pointer;
  }
  EXPECT_THROW(document.position("/none"), std::out_of_range);
}

TEST(Document, FailsAtAValueOrAtItsKey) {
  const Document document("{\"a\":\n 1}", "x.json");
  try {
    document.fail("/a", "no");
    ADD_FAILURE();
  } catch (const BadDocument& error) {
    EXPECT_STREQ(error.what(), "x.json:2:2: at /a: no");
    EXPECT_EQ(error.file(), "x.json");
  }
  try {
    document.fail_at_key("/a", "no");
    ADD_FAILURE();
  } catch (const BadDocument& error) {
    EXPECT_STREQ(error.what(), "x.json:1:2: at /a: no");
  }
}

TEST(Document, ErrorShowsTheFirst200CharactersOfALongPointer) {
  const BadDocument error("x.json", "/" + std::string(500, 'k'), {1, 2}, "no");
  EXPECT_EQ(error.what(), "x.json:1:2: at /" + std::string(199, 'k') + "...: no");
}

// A pointer of half a megabyte, many times over, must not be built for every value.
TEST(Document, LongKeyOverManyValuesTakesLittleMemory) {
  std::string text = "{\"" + std::string(500'000, 'k') + "\": [1";
  for (int i = 0; i < 200'000; ++i) text += ",1";
  const Document document(text + "]}", "x.json");
  EXPECT_EQ(document.value().begin()->size(), 200'001U);
}

}  // namespace
}  // namespace splitbench
