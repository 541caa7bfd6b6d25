// How a kernel that was compiled for the CPU is made known, with its cost.
//
// A kernel's stated cost is launch_s and each matrix among its arguments moved once at
// memory_bytes_per_s; one without a matrix (gate, stamp, flush, ...) costs its launch alone.
#pragma once

#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/matrix.h"
#include "kernels/reference.h"
#include "tests/standin/kernel.h"

namespace splitbench::standin {

inline double moved_bytes(const kernels::Matrix& matrix) {
  return static_cast<double>(matrix.rows) * static_cast<double>(matrix.columns) *
         static_cast<double>(kernels::size_of(matrix.element));
}
inline double moved_bytes(const kernels::Doubles& matrix) {
  return static_cast<double>(matrix.rows) * static_cast<double>(matrix.columns) * sizeof(double);
}
template <typename Other>
double moved_bytes(const Other&) {
  return 0;
}

template <typename Argument>
void append_bytes(std::vector<std::byte>& to, const Argument& argument) {
  const std::size_t at = to.size();
  constexpr std::size_t kWord = sizeof(void*);
  to.resize(at + (sizeof argument + kWord - 1) / kWord * kWord);
  std::memcpy(&to[at], &argument, sizeof argument);
}

template <typename... Arguments, std::size_t... places>
std::tuple<std::decay_t<Arguments>...> copy_arguments(void (*)(Arguments...),
                                                      [[maybe_unused]] void** from,
                                                      std::index_sequence<places...>) {
  return {*static_cast<std::decay_t<Arguments>*>(from[places])...};
}

template <typename... Arguments>
std::tuple<std::decay_t<Arguments>...> copy_arguments(void (*function)(Arguments...), void** from) {
  return copy_arguments(function, from, std::index_sequence_for<Arguments...>{});
}

template <auto function>
BoundKernel bind_kernel(void** from) {
  const auto arguments = copy_arguments(function, from);
  BoundKernel bound;
  std::apply(
      [&](const auto&... argument) {
        (append_bytes(bound.bytes, argument), ...);
        bound.moved_bytes = (0.0 + ... + moved_bytes(argument));
      },
      arguments);
  bound.thread = [arguments] { std::apply(function, arguments); };
  return bound;
}

// "serial_part_kernel<float>": serial_part.
inline std::string name_of_work(const std::string& kernel) {
  return kernel.substr(0, kernel.find("_kernel"));
}

template <auto function>
void register_function(const char* name, Threads threads) {
  register_kernel(reinterpret_cast<const void*>(function),
                  {.name = name_of_work(name), .threads = threads, .bind = &bind_kernel<function>});
}

}  // namespace splitbench::standin
