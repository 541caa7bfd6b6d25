#include "results/store_error.h"

#include <cerrno>
#include <utility>

namespace splitbench {
namespace {

std::string_view what_to_do(StoreFault fault) {
  switch (fault) {
    case StoreFault::unusable:
      return "; use --store FILE for another place";
    case StoreFault::full:
      return "; free some space, or use --store FILE on another disk";
    case StoreFault::read_only:
      return "; use --store FILE for a place that can be written";
    case StoreFault::busy:
      return "; try again when the other process has ended, or use --store FILE for another file";
    case StoreFault::foreign:
      return "; use --store FILE for another file";
    case StoreFault::newer:
      return "; use that version, or --store FILE for another file";
    case StoreFault::damaged:
      return "; keep a copy: the sqlite3 program's .recover gets back what can be read. "
             "--store FILE begins a new one";
    case StoreFault::damaged_run:
      return "; 'splitbench store remove RUN' takes that run out, the others stay";
    case StoreFault::no_store:
      return "; 'splitbench run' makes one, --store FILE names another";
    case StoreFault::no_run:
      return "; 'splitbench list runs' shows those that are";
    case StoreFault::duplicate:
      return "";
  }
  return "";
}

}  // namespace

StoreFault fault_of_system(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return StoreFault::full;
    case EROFS:
    case EACCES:
    case EPERM:
      return StoreFault::read_only;
    default:
      return StoreFault::unusable;
  }
}

StoreError::StoreError(StoreFault fault, std::filesystem::path file, const std::string& message)
    : std::runtime_error(file.string() + ": " + message + std::string(what_to_do(fault))),
      fault_(fault),
      file_(std::move(file)) {}

}  // namespace splitbench
