// Why a store cannot be used, and what to do about it.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace splitbench {

enum class StoreFault {
  unusable,     // cannot be opened, created, read or written there
  full,         // no space left, or no quota
  read_only,    // may not be written
  busy,         // another process held it for longer than one waits
  foreign,      // not a store of splitbench
  newer,        // written by a later version
  damaged,      // the file is not what was written
  damaged_run,  // likewise of one run in it: the others can be read
  no_store,     // nothing at that path
  no_run,       // no run of that id in it
  duplicate,    // the run or round to be added is there already
};

// What an error number of the system means for a store.
StoreFault fault_of_system(int error_number);

// what() reads "FILE: MESSAGE; what to do". A change that throws this has left nothing of itself in
// the store, and all that was saved before stays.
class StoreError : public std::runtime_error {
 public:
  StoreError(StoreFault fault, std::filesystem::path file, const std::string& message);

  StoreFault fault() const { return fault_; }
  const std::filesystem::path& file() const { return file_; }

 private:
  StoreFault fault_;
  std::filesystem::path file_;
};

}  // namespace splitbench
