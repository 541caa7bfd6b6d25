#include "protocols/input_file.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "protocols/document.h"

namespace splitbench {

std::string read_input_file(const std::filesystem::path& path, std::size_t most) {
  namespace fs = std::filesystem;
  const auto fail = [&path](const std::string& why) {
    throw BadDocument(path.string(), "", {}, "cannot be read: " + why);
  };
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) fail("it is a directory");
  if (fs::exists(status) && !fs::is_regular_file(status)) fail("it is no regular file");
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
