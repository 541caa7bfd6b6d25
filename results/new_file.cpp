#include "results/new_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>

#include "results/file_descriptor.h"

namespace splitbench {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& doing) {
  const std::string cause = std::generic_category().message(errno);
  throw NewFileError(file, doing + ": " + cause);
}

[[noreturn]] void fail_exists(const std::filesystem::path& file) {
  throw NewFileError(file, "exists already and is not overwritten; name another file");
}

std::filesystem::path directory_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : ".";
}

// A file under a name that nobody uses; it is gone with this object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& target) : target_(target) {
    for (int attempt = 0; descriptor_.get() < 0; ++attempt) {
      path_ = directory_of(target) /
              (".splitbench-" + std::to_string(::getpid()) + "-" + std::to_string(attempt));
      descriptor_ =
          FileDescriptor(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
      if (descriptor_.get() < 0 && errno != EEXIST) fail(target, "cannot be created");
    }
  }
  ~TemporaryFile() { ::unlink(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  void write(std::string_view contents) const {
    while (!contents.empty()) {
      const ssize_t count = ::write(descriptor_.get(), contents.data(), contents.size());
      if (count < 0 && errno != EINTR) fail(target_, "cannot be written");
      if (count > 0) contents.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  void sync() const {
    if (::fsync(descriptor_.get()) != 0) fail(target_, "cannot be written to the disk");
  }

  // Gives it the target's name; unlike rename(), link() never replaces a file.
  void publish() const {
    if (::link(path_.c_str(), target_.c_str()) == 0) return;
    if (errno == EEXIST) fail_exists(target_);
    fail(target_, "cannot be created");
  }

  void replace() const {
    if (::rename(path_.c_str(), target_.c_str()) != 0) fail(target_, "cannot be replaced");
  }

 private:
  const std::filesystem::path& target_;
  std::filesystem::path path_;
  FileDescriptor descriptor_;
};

}  // namespace

NewFileError::NewFileError(std::filesystem::path file, const std::string& message)
    : std::runtime_error(file.string() + ": " + message), file_(std::move(file)) {}

void check_new_file(const std::filesystem::path& file) {
  struct stat status {};
  if (::lstat(file.c_str(), &status) == 0) fail_exists(file);
  if (errno != ENOENT) fail(file, "cannot be created");
  if (::access(directory_of(file).c_str(), W_OK | X_OK) != 0) {
    fail(file, "its directory cannot be written");
  }
}

void write_new_file(const std::filesystem::path& file, std::string_view contents) {
  check_new_file(file);
  const FileDescriptor directory(
      ::open(directory_of(file).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() < 0) fail(file, "its directory cannot be opened");
  {
    const TemporaryFile temporary(file);
    temporary.write(contents);
    temporary.sync();
    temporary.publish();
  }
  // EINVAL: a file system that has no such thing.
  if (::fsync(directory.get()) != 0 && errno != EINVAL) {
    const int cause = errno;
    ::unlink(file.c_str());
    errno = cause;
    fail(file, "its directory cannot be written to the disk");
  }
}

void replace_file(const std::filesystem::path& file, std::string_view contents) {
  const TemporaryFile temporary(file);
  temporary.write(contents);
  temporary.sync();
  temporary.replace();
}

}  // namespace splitbench
