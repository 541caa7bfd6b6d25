// How an operation is divided, launched and found in the caches: equal in all arms of a run.
#pragma once

#include <span>
#include <string_view>

#include "protocols/named.h"

namespace splitbench {

enum class Organisation { split };
enum class Launch { automatic, direct, graph, eager };
enum class Cache { hot, flushed };

std::span<const Named<Organisation>> organisations();
std::span<const Named<Launch>> launches();
std::span<const Named<Cache>> caches();

std::string_view name(Organisation organisation);
std::string_view name(Launch launch);
std::string_view name(Cache cache);

}  // namespace splitbench
