#include "harness/rank/channel.h"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/crc.hpp>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "harness/error.h"

namespace splitbench {
namespace {

struct FrameHeader {
  std::uint32_t magic;
  std::uint32_t checksum;
  std::uint64_t bytes;
};

constexpr std::uint32_t kMagic = 0x31464253;  // "SBF1"

std::uint32_t checksum(const void* bytes, std::size_t count) {
  boost::crc_32_type crc;
  crc.process_bytes(bytes, count);
  return crc.checksum();
}

}  // namespace

bool send_frame(int fd, const nlohmann::json& message) {
  const std::vector<std::uint8_t> body = nlohmann::json::to_cbor(message);
  const FrameHeader header{
      .magic = kMagic, .checksum = checksum(body.data(), body.size()), .bytes = body.size()};
  std::string frame(sizeof header + body.size(), '\0');
  std::memcpy(frame.data(), &header, sizeof header);
  std::memcpy(frame.data() + sizeof header, body.data(), body.size());
  for (std::size_t sent = 0; sent < frame.size();) {
    const ssize_t count = write(fd, frame.data() + sent, frame.size() - sent);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EPIPE) return false;
    if (count < 0) throw HarnessError(fmt::format("pipe: {}", std::strerror(errno)));
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

std::optional<nlohmann::json> FrameReader::next() {
  FrameHeader header{};
  if (buffer_.size() < sizeof header) {
    // Nonsense that is shorter than a header shows at once where it can.
    const std::size_t known = std::min(buffer_.size(), sizeof kMagic);
    if (std::memcmp(buffer_.data(), &kMagic, known) != 0) throw HarnessError("not a frame");
    return std::nullopt;
  }
  std::memcpy(&header, buffer_.data(), sizeof header);
  if (header.magic != kMagic) throw HarnessError("not a frame");
  if (header.bytes > kMostBytes) throw HarnessError("a frame of impossible length");
  if (buffer_.size() < sizeof header + header.bytes) return std::nullopt;
  const char* body = buffer_.data() + sizeof header;
  if (checksum(body, header.bytes) != header.checksum) throw HarnessError("a damaged frame");
  nlohmann::json message = nlohmann::json::from_cbor(body, body + header.bytes, true, false);
  if (message.is_discarded()) throw HarnessError("a frame without a message");
  buffer_.erase(0, sizeof header + header.bytes);
  return message;
}

std::optional<nlohmann::json> receive_frame(int fd) {
  FrameReader reader;
  char buffer[sizeof(FrameHeader)];
  // Never reads past the frame: first its header, then what the header announces.
  std::size_t wanted = sizeof buffer;
  std::string bytes;
  for (;;) {
    std::string chunk(wanted - bytes.size(), '\0');
    const ssize_t count = read(fd, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw HarnessError(fmt::format("pipe: {}", std::strerror(errno)));
    if (count == 0) return std::nullopt;
    bytes.append(chunk.data(), static_cast<std::size_t>(count));
    if (bytes.size() < wanted) continue;
    if (wanted == sizeof(FrameHeader)) {
      FrameHeader header{};
      std::memcpy(&header, bytes.data(), sizeof header);
      if (header.magic != kMagic || header.bytes > FrameReader::kMostBytes) {
        throw HarnessError("not a frame");
      }
      wanted += header.bytes;
      if (bytes.size() < wanted) continue;
    }
    reader.add(bytes.data(), bytes.size());
    return reader.next();
  }
}

}  // namespace splitbench
