#include "protocols/input_file.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "protocols/document.h"

namespace splitbench {
namespace {

namespace fs = std::filesystem;

// A pipe that somebody writes into already, as a shell's <(command) names it. A named pipe would
// have to be waited for.
bool is_open_pipe(const fs::path& path, const fs::file_status& status) {
  const fs::path folder = path.parent_path();
  return fs::is_fifo(status) &&
         (path == "/dev/stdin" || folder == "/dev/fd" || folder == "/proc/self/fd");
}

}  // namespace

std::string read_input_file(const std::filesystem::path& path, std::size_t most) {
  const auto fail = [&path](const std::string& why) {
    throw BadDocument(path.string(), "", {}, "cannot be read: " + why);
  };
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) fail("it is a directory");
  if (fs::exists(status) && !fs::is_regular_file(status) && !is_open_pipe(path, status)) {
    fail("it is no regular file");
  }
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) fail(std::generic_category().message(errno));
  constexpr std::size_t kChunk = std::size_t{1} << 20;
  std::string text;
  while (stream && text.size() < most) {
    const std::size_t before = text.size();
    text.resize(before + std::min(kChunk, most - before));
    stream.read(text.data() + before, static_cast<std::streamsize>(text.size() - before));
    text.resize(before + static_cast<std::size_t>(stream.gcount()));
  }
  return text;
}

}  // namespace splitbench
