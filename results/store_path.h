// Where results are kept when nobody says where.
#pragma once

#include <filesystem>

namespace splitbench {

// $SPLITBENCH_STORE, else splitbench/store.db in $XDG_DATA_HOME, else in $HOME/.local/share, else
// splitbench-store.db in the current directory. An empty variable counts as none, and so does an
// $XDG_DATA_HOME or $HOME that is not absolute (XDG Base Directory Specification 0.8).
std::filesystem::path default_store_path();

}  // namespace splitbench
