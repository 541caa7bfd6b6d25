// A file that appears whole or not at all, and in place of another only where that is asked for.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace splitbench {

// what() reads "FILE: what went wrong".
class NewFileError : public std::runtime_error {
 public:
  NewFileError(std::filesystem::path file, const std::string& message);
  const std::filesystem::path& file() const { return file_; }

 private:
  std::filesystem::path file_;
};

// Before the work whose result is to go there: throws NewFileError if the path is taken, or its
// directory is missing or cannot be written. Creates nothing.
void check_new_file(const std::filesystem::path& file);

// Creates the file with these contents, on the disk on return. Throws NewFileError if the path is
// taken, even if only since a moment ago, and for every failure of the system; then nothing is left
// behind. The file system must know hard links.
void write_new_file(const std::filesystem::path& file, std::string_view contents);

// Likewise for what can be made again: takes the place of the file of that name, if there is one.
// After a failure that one is still there.
void replace_file(const std::filesystem::path& file, std::string_view contents);

}  // namespace splitbench
