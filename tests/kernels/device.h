// Device memory for the tests of kernels, and a device to run them on.
#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernels/matrix.h"
#include "kernels/reference.h"

namespace splitbench::kernels {

// Throws std::runtime_error with the name of the error.
void check(cudaError_t answer);

// Device 0. Without one the test is skipped, or fails where SPLITBENCH_REQUIRE_DEVICE is set.
class OnDevice : public ::testing::Test {
 protected:
  void SetUp() override;
};

// An array on the device. Copies wait for everything queued before.
template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(const std::vector<T>& values) : count_(values.size()) {
    check(cudaMalloc(reinterpret_cast<void**>(&data_), count_ * sizeof(T) + 1));
    write(values);
  }
  explicit DeviceArray(std::size_t count, T value = T{})
      : DeviceArray(std::vector<T>(count, value)) {}
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() const { return data_; }

  void write(const std::vector<T>& values) {
    check(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
  }

  std::vector<T> read() const {
    std::vector<T> values(count_);
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

// How a matrix lies in memory: leading dimension beyond its columns, and elements that its first
// one stands behind an aligned address.
struct Layout {
  std::int64_t padding = 0;
  std::int64_t offset = 0;
};

// A matrix on the device with a margin of marked memory around it and in its padding.
class DeviceMatrix {
 public:
  DeviceMatrix(Element element, std::int64_t rows, std::int64_t columns, Layout layout = {});

  Matrix view() const;

  // Row by row, as bits or as numbers (rounded to the element type).
  void set_bits(const std::vector<std::uint32_t>& bits);
  void set(const std::vector<double>& values);
  std::vector<std::uint32_t> bits() const;
  std::vector<double> values() const;

  // Whether the margin and the padding are as they were.
  bool margin_is_whole() const;

 private:
  std::size_t place(std::int64_t row, std::int64_t column) const;
  std::uint32_t element_at(const std::vector<std::uint8_t>& bytes, std::size_t place) const;

  Element element_;
  std::int64_t rows_;
  std::int64_t columns_;
  Layout layout_;
  DeviceArray<std::uint8_t> bytes_;
};

// A float64 matrix on the device.
class DeviceDoubles {
 public:
  DeviceDoubles(std::int64_t rows, std::int64_t columns, const std::vector<double>& values)
      : rows_(rows), columns_(columns), array_(values) {}
  Doubles view() const { return {.data = array_.data(), .rows = rows_, .columns = columns_}; }
  std::vector<double> values() const { return array_.read(); }

 private:
  std::int64_t rows_;
  std::int64_t columns_;
  DeviceArray<double> array_;
};

inline constexpr Element kElements[] = {Element::fp32, Element::fp16, Element::bf16};

// Aligned; aligned rows of an odd number of columns; nothing aligned.
inline constexpr Layout kLayouts[] = {{}, {.padding = 8, .offset = 8}, {.padding = 3, .offset = 1}};

// Name of an element type and a layout, for messages.
std::string described(Element element, const Layout& layout);

// rows * columns values from about -3 to 3, the same for the same seed.
std::vector<double> some_values(std::int64_t count, std::uint64_t seed);

}  // namespace splitbench::kernels
