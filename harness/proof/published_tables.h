// Tables of times that others published: products and all-reduce of one GPU, as the replay backend
// reads them. They are no part of the project; a folder of them is known by its files' names:
//
//   mlp-GPU.tsv with allreduce-IMPLEMENTATION-GPU.tsv      docs/replay.md's columns, sizes at
//                                                          factors of two
//   mlp-vidur-GPU-llama-2-7b.tsv with                      columns as microsoft/vidur has them,
//     allreduce-vidur-GPU-LINK.tsv                         sizes a few percent apart
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/backends/replay/replay.h"

namespace splitbench::proof {

struct PublishedTables {
  std::string name;                  // of the all-reduce's file, without "allreduce-" and ".tsv"
  bool dense = false;                // sizes a few percent apart
  std::vector<std::string> sources;  // what the files say of themselves in their comments
  replay::Tables tables;             // with this one implementation
};

// By name. Throws BadDocument where there are none, and for a file that cannot be read.
std::vector<PublishedTables> published_tables(const std::filesystem::path& folder);

}  // namespace splitbench::proof
