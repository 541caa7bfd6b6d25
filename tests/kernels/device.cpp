#include "tests/kernels/device.h"

#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "model/matrix_values.h"
#include "tests/kernels/number_format.h"

namespace splitbench::kernels {
namespace {

constexpr std::size_t kMargin = 64;      // elements before and behind
constexpr std::uint8_t kUntouched = 90;  // every byte outside of the matrix

const char* name_of(Element element) {
  switch (element) {
    case Element::fp32:
      return "fp32";
    case Element::fp16:
      return "fp16";
    default:
      return "bf16";
  }
}

}  // namespace

void check(cudaError_t answer) {
  if (answer != cudaSuccess) throw std::runtime_error(cudaGetErrorName(answer));
}

void OnDevice::SetUp() {
  int devices = 0;
  const cudaError_t answer = cudaGetDeviceCount(&devices);
  if (answer == cudaSuccess && devices > 0) return;
  ASSERT_EQ(std::getenv("SPLITBENCH_REQUIRE_DEVICE"), nullptr) << cudaGetErrorName(answer);
  GTEST_SKIP() << "no CUDA device here: " << cudaGetErrorName(answer);
}

DeviceMatrix::DeviceMatrix(Element element, std::int64_t rows, std::int64_t columns, Layout layout)
    : element_(element),
      rows_(rows),
      columns_(columns),
      layout_(layout),
      bytes_((static_cast<std::size_t>(layout.offset + rows * (columns + layout.padding)) +
              2 * kMargin) *
                 size_of(element),
             kUntouched) {}

Matrix DeviceMatrix::view() const {
  return {.data = bytes_.data() + place(0, 0) * size_of(element_),
          .element = element_,
          .rows = rows_,
          .columns = columns_,
          .leading = columns_ + layout_.padding};
}

std::size_t DeviceMatrix::place(std::int64_t row, std::int64_t column) const {
  return kMargin +
         static_cast<std::size_t>(layout_.offset + row * (columns_ + layout_.padding) + column);
}

std::uint32_t DeviceMatrix::element_at(const std::vector<std::uint8_t>& bytes,
                                       std::size_t place) const {
  std::uint32_t bits = 0;  // little-endian, as both sides are
  std::memcpy(&bits, &bytes[place * size_of(element_)], size_of(element_));
  return bits;
}

void DeviceMatrix::set_bits(const std::vector<std::uint32_t>& bits) {
  std::vector<std::uint8_t> bytes = bytes_.read();
  auto next = bits.begin();
  for (std::int64_t row = 0; row < rows_; ++row)
    for (std::int64_t column = 0; column < columns_; ++column, ++next)
      std::memcpy(&bytes[place(row, column) * size_of(element_)], &*next, size_of(element_));
  bytes_.write(bytes);
}

void DeviceMatrix::set(const std::vector<double>& values) {
  std::vector<std::uint32_t> bits;
  for (const double value : values) bits.push_back(encode(element_, value));
  set_bits(bits);
}

std::vector<std::uint32_t> DeviceMatrix::bits() const {
  const std::vector<std::uint8_t> bytes = bytes_.read();
  std::vector<std::uint32_t> bits;
  for (std::int64_t row = 0; row < rows_; ++row)
    for (std::int64_t column = 0; column < columns_; ++column)
      bits.push_back(element_at(bytes, place(row, column)));
  return bits;
}

std::vector<double> DeviceMatrix::values() const {
  std::vector<double> values;
  for (const std::uint32_t element : bits()) values.push_back(decode(element_, element));
  return values;
}

bool DeviceMatrix::margin_is_whole() const {
  std::vector<std::uint8_t> bytes = bytes_.read();
  for (std::int64_t row = 0; row < rows_; ++row)
    for (std::int64_t column = 0; column < columns_; ++column)
      std::memset(&bytes[place(row, column) * size_of(element_)], kUntouched, size_of(element_));
  return bytes == std::vector<std::uint8_t>(bytes.size(), kUntouched);
}

std::string described(Element element, const Layout& layout) {
  return std::string(name_of(element)) + ", padding " + std::to_string(layout.padding) +
         ", offset " + std::to_string(layout.offset);
}

std::vector<double> some_values(std::int64_t count, std::uint64_t seed) {
  const MatrixValues source(seed, 0, MatrixName::x);
  std::vector<double> values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(source.normal(0, i));
  return values;
}

}  // namespace splitbench::kernels
