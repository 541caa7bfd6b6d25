// A new file is there whole or not at all, and no other file is ever touched for it.
#include "results/new_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <optional>

#include "tests/support/child.h"
#include "tests/support/temporary_directory.h"

namespace splitbench {
namespace {

using test::TemporaryDirectory;

std::string contents(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::ptrdiff_t entries(const std::filesystem::path& directory) {
  return std::distance(std::filesystem::directory_iterator(directory), {});
}

std::string refusal(const std::filesystem::path& file, const std::string& text = "new") {
  try {
    write_new_file(file, text);
  } catch (const NewFileError& error) {
    EXPECT_EQ(error.file(), file);
    return error.what();
  }
  return "written";
}

TEST(NewFile, HoldsWhatItWasGivenAndNothingElseIsLeft) {
  const TemporaryDirectory directory;
  const std::string text = std::string("a\0b\n", 4) + std::string(3'000'000, 'x');
  write_new_file(directory / "result.json", text);
  EXPECT_EQ(contents(directory / "result.json"), text);
  EXPECT_EQ(entries(directory.path()), 1);
}

TEST(NewFile, IsReadableAsTheUsersMaskSays) {
  const TemporaryDirectory directory;
  const mode_t before = ::umask(0027);
  write_new_file(directory / "result.json", "{}");
  ::umask(before);
  struct stat status {};
  ASSERT_EQ(::stat((directory / "result.json").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640U);
}

TEST(NewFile, MayHaveANameWithoutADirectory) {
  const TemporaryDirectory directory;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(directory.path());
  write_new_file("result.json", "{}");
  std::filesystem::current_path(before);
  EXPECT_EQ(contents(directory / "result.json"), "{}");
}

TEST(NewFile, NeverReplacesWhatIsThere) {
  const TemporaryDirectory directory;
  std::ofstream(directory / "file") << "old";
  std::filesystem::create_directory(directory / "directory");
  std::filesystem::create_symlink("nowhere", directory / "link");
  for (const char* name : {"file", "directory", "link"}) {
    const std::string expected =
        (directory / name).string() + ": exists already and is not overwritten; name another file";
    EXPECT_EQ(refusal(directory / name), expected);
    EXPECT_THROW(check_new_file(directory / name), NewFileError);
  }
  EXPECT_EQ(contents(directory / "file"), "old");
  EXPECT_FALSE(std::filesystem::exists(directory / "nowhere"));
  EXPECT_EQ(entries(directory.path()), 3);
}

TEST(NewFile, OfManyWritersOneWins) {
  const TemporaryDirectory directory;
  std::vector<test::Child> children;
  for (char letter = 'a'; letter < 'i'; ++letter) {
    children.emplace_back([&, letter] {
      const std::string text(100'000, letter);
      return refusal(directory / "result.json", text) == "written" ? 0 : 1;
    });
  }
  int winners = 0;
  for (test::Child& child : children) winners += child.wait() == 0;
  EXPECT_EQ(winners, 1);
  EXPECT_EQ(contents(directory / "result.json").size(), 100'000U);
  EXPECT_EQ(entries(directory.path()), 1);
}

TEST(NewFile, SaysWhyADirectoryCannotHoldIt) {
  const TemporaryDirectory directory;
  std::ofstream(directory / "file") << "";
  const std::filesystem::path missing = directory / "missing/result.json";
  const std::filesystem::path under_file = directory / "file/result.json";
  EXPECT_EQ(refusal(missing),
            missing.string() + ": its directory cannot be written: No such file or directory");
  EXPECT_EQ(refusal(under_file), under_file.string() + ": cannot be created: Not a directory");
  EXPECT_THROW(check_new_file(missing), NewFileError);
  EXPECT_THROW(check_new_file(under_file), NewFileError);
  EXPECT_EQ(entries(directory.path()), 1);
}

TEST(NewFile, CheckingMakesNothing) {
  const TemporaryDirectory directory;
  check_new_file(directory / "result.json");
  EXPECT_EQ(entries(directory.path()), 0);
}

TEST(NewFile, LeavesNothingWhenItCannotBeWrittenToItsEnd) {
  const TemporaryDirectory directory;
  test::Child child([&] {
    test::limit_file_size(4096);
    const std::string message = refusal(directory / "result.json", std::string(100'000, 'x'));
    return message == (directory / "result.json").string() + ": cannot be written: File too large"
               ? 0
               : 1;
  });
  EXPECT_EQ(child.wait(), 0);
  EXPECT_EQ(entries(directory.path()), 0);
}

TEST(ReplaceFile, TakesThePlaceOfTheOneBeforeOrLeavesIt) {
  const TemporaryDirectory directory;
  replace_file(directory / "picture.svg", "first");
  replace_file(directory / "picture.svg", "second");
  EXPECT_EQ(contents(directory / "picture.svg"), "second");
  EXPECT_EQ(entries(directory.path()), 1);
  std::filesystem::create_directory(directory / "taken.svg");
  EXPECT_THROW(replace_file(directory / "taken.svg", "new"), NewFileError);
  EXPECT_THROW(replace_file(directory / "no" / "picture.svg", "new"), NewFileError);
  EXPECT_EQ(entries(directory.path()), 2);
}

}  // namespace
}  // namespace splitbench
