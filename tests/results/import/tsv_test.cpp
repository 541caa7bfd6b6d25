// The reader of tables: what it takes, and what it says of what it does not.
#include "results/import/tsv.h"

#include <gtest/gtest.h>

namespace splitbench {
namespace {

const std::vector<Column>& columns() {
  static const std::vector<Column> list{
      {"ranks", true, true, 65536}, {"latency_us"}, {"serial_us", false, false}};
  return list;
}

Tsv read(const std::string& text) {
  return read_tsv(text, "t.tsv", columns());
}

TEST(Tsv, ReadsColumnsByNameInAnyOrder) {
  const Tsv tsv =
      read("# source: a paper\n#licence\nlatency_us\tnode\tranks\n1.5e1\tx\t2\n\n3\ty\t4\n");
  EXPECT_EQ(tsv.comments, (std::vector<std::string>{"source: a paper", "licence"}));
  EXPECT_EQ(tsv.unused, std::vector<std::string>{"node"});
  ASSERT_EQ(tsv.rows.size(), 2U);
  EXPECT_EQ(tsv.rows[0].values, (std::vector<double>{2, 15, 0}));
  EXPECT_EQ(tsv.rows[1].line, 6U);
}

TEST(Tsv, TakesLinesThatEndAsOnWindows) {
  EXPECT_EQ(read("ranks\tlatency_us\r\n2\t3\r\n").rows[0].values[1], 3.0);
}

struct Bad {
  const char* text;
  const char* says;
};

TEST(Tsv, SaysLineAndColumnOfWhatIsWrongAndWhatWouldBeRight) {
  const Bad bad[] = {
      {"", "t.tsv:1:1: there is no header; expected the columns ranks latency_us"},
      {"# only this\n", "t.tsv:1:1: there is no header; expected the columns ranks latency_us"},
      {"ranks\tlatency_us\n", "t.tsv:1:1: there is no row under the header"},
      {"ranks\tlatency\n2\t3\n",
       "t.tsv:1:1: there is no column 'latency_us'; expected ranks latency_us, separated by tabs"},
      {"ranks latency_us\n2 3\n",
       "t.tsv:1:1: there is no column 'ranks'; expected ranks latency_us, separated by tabs"},
      {"ranks\tlatency_us\tranks\n", "t.tsv:1:18: column 'ranks' is there twice"},
      {"ranks\tlatency_us\n2\n",
       "t.tsv:2:1: 1 fields; expected 2 as in the header, separated by tabs"},
      {"ranks\tlatency_us\n2\t3\t4\n",
       "t.tsv:2:5: 3 fields; expected 2 as in the header, separated by tabs"},
      {"ranks\tlatency_us\n# c\n2\tfast\n",
       "t.tsv:3:3: 'fast' is no latency_us; expected a number above 0"},
      {"ranks\tlatency_us\n2\t0\n", "t.tsv:2:3: '0' is no latency_us; expected a number above 0"},
      {"ranks\tlatency_us\n2\t-1\n", "t.tsv:2:3: '-1' is no latency_us; expected a number above 0"},
      {"ranks\tlatency_us\n2\tnan\n",
       "t.tsv:2:3: 'nan' is no latency_us; expected a number above 0"},
      {"ranks\tlatency_us\n2\t3us\n",
       "t.tsv:2:3: '3us' is no latency_us; expected a number above 0"},
      {"ranks\tlatency_us\n2\t\n", "t.tsv:2:3: '' is no latency_us; expected a number above 0"},
      {"ranks\tlatency_us\n2.5\t3\n",
       "t.tsv:2:1: '2.5' is no ranks; expected a whole number from 1 to 65536"},
      {"ranks\tlatency_us\n65537\t3\n",
       "t.tsv:2:1: '65537' is no ranks; expected a whole number from 1 to 65536"},
  };
  for (const Bad& one : bad) {
    try {
      read(one.text);
      ADD_FAILURE() << "accepted: " << one.text;
    } catch (const BadDocument& error) {
      EXPECT_STREQ(error.what(), one.says);
    }
  }
}

}  // namespace
}  // namespace splitbench
