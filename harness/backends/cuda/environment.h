// Environment variables that change what the vendor's libraries do: which are refused, which are
// set for rank processes, and which a result records.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/error.h"

namespace splitbench::cuda {

// The first variable here under which times or numbers would mean something else; nothing where
// there is none.
std::optional<CannotRunHere> refused_variable();

// Names of those that are set and change how the libraries work: another transport, another
// algorithm, a library put before others. Which devices are visible is not among them.
std::vector<std::string> noteworthy_variables();

// For rank processes, as "NAME=value". Where the user has not set them: no port opened to others,
// and sockets on this machine alone. Where ranks share a device, whatever the user has set:
// messages by sockets, the one way that NCCL has between two ranks on one device.
std::vector<std::string> rank_environment(bool share_a_device);

// The same, and devices that may not reach each other's memory.
std::vector<std::string> staged_environment(bool share_a_device);

// What NCCL reads in rank processes that are started with these in addition, by name: first those,
// then the variables here, then its files (NCCL_CONF_FILE, else ~/.nccl.conf; /etc/nccl.conf).
std::map<std::string, std::string> variables_of_ranks(const std::vector<std::string>& added);

// For a rank that shares its device, before the first call of NCCL: this process says that it is on
// a host of its own. NCCL takes two ranks on one device from two hosts alone, else it ends with
// "Duplicate GPU detected" (init.cc; it compares the hash of the host and the PCI bus id).
void claim_own_host(int rank);

// Those that matter here and are set: the values of known ones that name no person, host or path,
// and of others the name alone ("(set)"). Never the rest of the environment.
nlohmann::ordered_json recorded_environment();

}  // namespace splitbench::cuda
