// kernels.def names every kernel in the sources, and no other.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

namespace {

const std::filesystem::path kKernels = std::filesystem::path(SPLITBENCH_SOURCE_DIR) / "kernels";

std::set<std::string> first_groups(const std::filesystem::path& file, const std::regex& pattern) {
  std::ifstream stream(file);
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  std::set<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
    found.insert((*match)[1]);
  return found;
}

TEST(KernelList, NamesEveryKernelInTheSources) {
  const std::regex definition(R"(__global__[\s\S]*?(\w+_kernel)\()");
  std::set<std::string> defined;
  for (const auto& entry : std::filesystem::directory_iterator(kKernels))
    if (entry.path().extension() == ".cuh") defined.merge(first_groups(entry.path(), definition));
  EXPECT_GE(defined.size(), 19U);  // as many as there were when this was written
  const std::regex listed(R"(\nSPLITBENCH_KERNEL\(\w+, (\w+))");
  EXPECT_EQ(first_groups(kKernels / "kernels.def", listed), defined);
}

}  // namespace
