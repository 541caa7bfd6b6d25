// Which file a function of a vendor's library came from: several may be installed.
#pragma once

#include <string>

namespace splitbench::cuda {

// The path of the library that holds the function; empty where the loader does not know.
std::string library_of(const void* function);

// A symbol of the library that holds `function`; null where it has none of that name.
void* symbol_beside(const void* function, const char* name);

}  // namespace splitbench::cuda
