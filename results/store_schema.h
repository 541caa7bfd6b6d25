// The tables of a store and their versions.
#pragma once

#include "results/sqlite.h"

namespace splitbench {

// False for a database with nothing in it. Throws StoreFault::foreign for one that something else
// made, StoreFault::newer for a store of a later version.
bool has_schema(sqlite::Database& database);

// Brings the tables to this version, from an older one or from nothing, in one transaction.
void update_schema(sqlite::Database& database);

}  // namespace splitbench
