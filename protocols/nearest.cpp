#include "protocols/nearest.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace splitbench {
namespace {

// Row by row of the usual table: distances[j] is that of the first characters of a to j of b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> distances(b.size() + 1);
  std::iota(distances.begin(), distances.end(), std::size_t{0});
  for (const char character : a) {
    std::size_t diagonal = distances[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (character == b[j] ? 0 : 1);
      diagonal = distances[j + 1];
      distances[j + 1] = std::min({substituted, distances[j] + 1, distances[j + 1] + 1});
    }
  }
  return distances.back();
}

}  // namespace

std::string suggestion(std::string_view word, std::span<const std::string_view> candidates) {
  constexpr std::size_t kLongestWord = 64;
  if (word.size() > kLongestWord) return "";
  std::string_view nearest;
  std::size_t least = std::max<std::size_t>(1, (word.size() + 1) / 3) + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest.empty() ? "" : "; did you mean '" + std::string(nearest) + "'?";
}

}  // namespace splitbench
