#include "protocols/input_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <string>

#include "protocols/document.h"
#include "tests/support/temporary_directory.h"

namespace splitbench::test {
namespace {

// What a shell's <(printf hello) hands over: the name of a pipe that is open already.
TEST(InputFile, IsReadFromAPipeThatIsOpen) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  ASSERT_EQ(write(ends[1], "hello", 5), 5);
  close(ends[1]);
  EXPECT_EQ(read_input_file("/dev/fd/" + std::to_string(ends[0])), "hello");
  close(ends[0]);
}

TEST(InputFile, IsNoNamedPipeAsItsWriterMayNeverCome) {
  const TemporaryDirectory directory;
  const auto fifo = directory / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_THROW(read_input_file(fifo), BadDocument);
}

TEST(InputFile, IsReadUpToALimit) {
  const TemporaryDirectory directory;
  const auto file = directory / "digits";
  std::ofstream(file) << "0123456789";
  EXPECT_EQ(read_input_file(file), "0123456789");
  EXPECT_EQ(read_input_file(file, 4), "0123");
}

}  // namespace
}  // namespace splitbench::test
