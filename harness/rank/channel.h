// Framed messages over a pipe: between a rank process and its supervisor.
//
// A frame is a magic number, the length of what follows, a checksum of it, then CBOR of one JSON
// value. Anything else on the pipe is nonsense and is said to be that.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace splitbench {

// Writes one frame; returns false when the other end is gone. Throws HarnessError on other errors.
bool send_frame(int fd, const nlohmann::json& message);

// Reads one frame, waiting for it; nothing at the end of the stream. Throws HarnessError on
// nonsense.
std::optional<nlohmann::json> receive_frame(int fd);

// For whoever may not wait: bytes go in as they come, whole messages come out.
class FrameReader {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{256} << 20;

  void add(const char* bytes, std::size_t count) { buffer_.append(bytes, count); }
  // The next whole message. Throws HarnessError where the bytes are not a frame.
  std::optional<nlohmann::json> next();

 private:
  std::string buffer_;
};

}  // namespace splitbench
