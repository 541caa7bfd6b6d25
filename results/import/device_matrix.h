// The matrices of nvidia-smi topo: a header of devices, a row for each. Cells are single words and
// none is empty, so that tabs, blanks and columns that ran together read alike; what stands behind
// them (affinities) may be empty, and only tabs tell then.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/import/text_source.h"

namespace splitbench {

struct MatrixRow {
  std::size_t line = 0;
  std::string device;
  std::vector<std::string> cells;                  // as many as the matrix has devices
  std::vector<std::optional<std::string>> behind;  // as many as it has further columns, or none
};

struct DeviceMatrix {
  std::size_t line = 0;              // of the header
  std::vector<std::string> devices;  // "GPU0", "NIC3", "mlx5_0", ... in the header's order
  std::vector<std::string> further;  // "CPU Affinity", "NUMA Affinity", "GPU NUMA ID"
  std::vector<MatrixRow> rows;

  // Throws BadDocument, at the header, where a GPU has no row.
  void check_complete(const TextSource& source) const;
};

// Cells of nvidia-smi topo -m ("NV12", "PIX", ...; X where a device meets itself) and of topo -p2p
// ("OK", "NS", ...). Source: the legends that they print. SOC is what old drivers call SYS, DR
// means disabled by a registry key.
bool is_topology_kind(std::string_view word);
bool is_peer_status(std::string_view word);

bool is_gpu(std::string_view device);
bool names_gpu_first(std::string_view line);  // perhaps: cheaper than to read its words
int gpu_number(std::string_view device);      // of "GPU3"

// Every matrix of the text whose cells `is_cell`, one of the two above, knows. Throws BadDocument
// for a row with too few or too many of them, and for a cell of neither kind.
std::vector<DeviceMatrix> device_matrices(const TextSource& source,
                                          bool (*is_cell)(std::string_view));

}  // namespace splitbench
