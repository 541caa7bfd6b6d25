#include "protocols/setting.h"

#include <array>

namespace splitbench {
namespace {

constexpr std::array<Named<Organisation>, 1> kOrganisations{{
    {Organisation::split, "split", "one operation divided over all ranks"},
}};

constexpr std::array<Named<Launch>, 4> kLaunches{{
    {Launch::automatic, "auto", "the mode that the backend measures best"},
    {Launch::direct, "direct", "called in place: a CPU has nothing to launch"},
    {Launch::graph, "graph", "one captured graph per repeat, released together"},
    {Launch::eager, "eager", "kernel by kernel, paced by the host; no prediction is made from it"},
}};

constexpr std::array<Named<Cache>, 2> kCaches{{
    {Cache::hot, "hot", "as the previous repeat left it"},
    {Cache::flushed, "flushed", "more than twice the last-level cache is written and read before"},
}};

}  // namespace

std::span<const Named<Organisation>> organisations() {
  return kOrganisations;
}
std::span<const Named<Launch>> launches() {
  return kLaunches;
}
std::span<const Named<Cache>> caches() {
  return kCaches;
}

std::string_view name(Organisation organisation) {
  return name_in(organisations(), organisation);
}
std::string_view name(Launch launch) {
  return name_in(launches(), launch);
}
std::string_view name(Cache cache) {
  return name_in(caches(), cache);
}

}  // namespace splitbench
