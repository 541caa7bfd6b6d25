#include "results/import/topology_p2p.h"

#include <fmt/format.h>

#include <algorithm>

#include "results/import/device_matrix.h"

namespace splitbench {
namespace {

std::vector<PeerAccess> accesses_in(const DeviceMatrix& matrix) {
  std::vector<PeerAccess> accesses;
  for (const MatrixRow& row : matrix.rows) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      if (matrix.devices[i] == row.device || !is_gpu(matrix.devices[i]) || !is_gpu(row.device)) {
        continue;
      }
      accesses.push_back({.from = gpu_number(row.device),
                          .to = gpu_number(matrix.devices[i]),
                          .status = row.cells[i],
                          .granted = row.cells[i] == "OK"});
    }
  }
  return accesses;
}

}  // namespace

bool looks_like_topology_p2p(const TextSource& source) {
  const auto& lines = source.lines();
  return std::any_of(lines.begin(), lines.end(), [](const TextLine& line) {
    if (!names_gpu_first(line.text)) return false;
    const auto words = words_of(line.text);
    return words.size() > 2 && is_gpu(words[0]) && is_peer_status(words[1]) &&
           is_peer_status(words[2]) && (words[1] != "X" || words[2] != "X");
  });
}

void read_topology_p2p(const TextSource& source, ImportedNode& node) {
  const std::vector<DeviceMatrix> matrices = device_matrices(source, is_peer_status);
  if (matrices.empty()) {
    source.fail(1, "rows of peer access, and no header that names their columns");
  }
  // One of reads, one of writes, ... may stand in one text: what any refuses is refused.
  std::vector<PeerAccess> accesses = accesses_in(matrices.front());
  for (const DeviceMatrix& matrix : matrices) {
    matrix.check_complete(source);
    const std::vector<PeerAccess> others = accesses_in(matrix);
    if (matrix.devices != matrices.front().devices) {
      source.fail(matrix.line, fmt::format("other devices than those of line {}; expected one node",
                                           matrices.front().line));
    }
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      if (!others[i].granted) accesses[i] = others[i];
    }
  }
  node.formats.emplace_back("nvidia-smi topo -p2p");
  for (const PeerAccess& access : accesses) {
    node.devices[access.from];
    node.devices[access.to];
    node.peers.push_back(access);
  }
}

}  // namespace splitbench
