// What vendors publish of their GPUs: peak rates, memory, links, each with the document that says
// so. Figures on paper: ceilings to hold a measurement against, never a measurement. The format is
// protocols/FORMAT.md "The catalogue of GPUs".
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/answer.h"
#include "model/operation.h"
#include "model/quantity.h"

namespace splitbench {

// A link of its own between two GPUs, by specification.
struct GpuLink {
  std::string kind;           // "NVLink", "Infinity Fabric"; "none" of a GPU that has none
  int links = 0;              // of one GPU, all together; 0 where there are none
  BytesPerSecond each_way{};  // of one link, in one direction
};

// What is not in the catalogue is not there: nothing is concluded from another model.
struct GpuModel {
  std::vector<std::string> names;  // as its driver says it, then what people call it
  std::string family;
  std::map<DataType, FlopsPerSecond> peak;  // dense, with accumulation in fp32
  Bytes memory{};
  std::optional<BytesPerSecond> memory_rate;
  std::optional<GpuLink> link;
  int pcie_generation = 0;
  int pcie_width = 0;
  // Title and date of the documents.
  std::string peak_source;
  std::string memory_source;
  std::string link_source;
  std::string pcie_source;
};

// Every file of the first of these protocol directories that has a folder `catalogue`. Throws
// BadDocument for a file that is not as it should be, InvalidInput where there is no such folder.
std::vector<GpuModel> load_gpu_catalogue(const std::vector<std::filesystem::path>& directories);

// One file's text.
std::vector<GpuModel> read_gpu_catalogue(std::string text, const std::string& file);

struct GpuName {
  std::string name;             // as a tool prints it
  bool is_cut = false;          // only its beginning
  std::optional<Bytes> memory;  // as a tool prints it: tells models apart whose name is cut
};

// By name, whatever its case, blanks and hyphens, and with the vendor's brands or without. None
// where the catalogue has no such model or, of a name that is cut, several: the reason names those
// that are near.
Answer<GpuModel> find_gpu(const std::vector<GpuModel>& catalogue, const GpuName& name);

// "H100" of "NVIDIA H100 80GB HBM3", read likewise.
bool is_part_of_name(std::string_view part, std::string_view name);

}  // namespace splitbench
