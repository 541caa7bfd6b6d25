// Where the store lies by default, for every combination of variables that can be set.
#include "results/store_path.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <string>

namespace splitbench {
namespace {

// Sets or unsets the variables that count, and puts them back.
class Environment {
 public:
  Environment(const char* store, const char* data, const char* home) {
    set("SPLITBENCH_STORE", store);
    set("XDG_DATA_HOME", data);
    set("HOME", home);
  }
  ~Environment() {
    for (const auto& [name, value] : before_) put(name.c_str(), value ? value->c_str() : nullptr);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  void set(const char* name, const char* value) {
    const char* before = std::getenv(name);
    before_[name] = before ? std::optional<std::string>(before) : std::nullopt;
    put(name, value);
  }
  static void put(const char* name, const char* value) {
    if (value != nullptr) {
      ::setenv(name, value, 1);
    } else {
      ::unsetenv(name);
    }
  }
  std::map<std::string, std::optional<std::string>> before_;
};

std::string path_with(const char* store, const char* data, const char* home) {
  const Environment environment(store, data, home);
  return default_store_path();
}

TEST(StorePath, IsTheNamedOneFirst) {
  EXPECT_EQ(path_with("/a/b.db", "/data", "/home/u"), "/a/b.db");
  EXPECT_EQ(path_with("b.db", "/data", "/home/u"), "b.db");
}

TEST(StorePath, ElseInTheUsersData) {
  EXPECT_EQ(path_with(nullptr, "/data", "/home/u"), "/data/splitbench/store.db");
  EXPECT_EQ(path_with("", "/data", nullptr), "/data/splitbench/store.db");
  EXPECT_EQ(path_with(nullptr, nullptr, "/home/u"), "/home/u/.local/share/splitbench/store.db");
  EXPECT_EQ(path_with(nullptr, "", "/home/u"), "/home/u/.local/share/splitbench/store.db");
}

TEST(StorePath, IgnoresWhatIsNotAbsoluteAsTheXdgSpecificationSays) {
  EXPECT_EQ(path_with(nullptr, "data", "/home/u"), "/home/u/.local/share/splitbench/store.db");
  EXPECT_EQ(path_with(nullptr, "data", "u"), "splitbench-store.db");
}

TEST(StorePath, ElseHere) {
  EXPECT_EQ(path_with(nullptr, nullptr, nullptr), "splitbench-store.db");
  EXPECT_EQ(path_with("", "", ""), "splitbench-store.db");
}

}  // namespace
}  // namespace splitbench
