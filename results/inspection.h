// A promise held against what is known of a node: for each thing that was promised whether it is
// so, what was found, how that was looked at, and what to ask the seller. docs/before-you-pay.md.
//
// What nobody looked at is unknown, never passed. A flag that something could be done (peer access
// "OK") is no evidence that it is: copied bytes are. A PCIe link that is read while idle may have
// gone down to save power: less than promised is then not judged.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocols/gpu_catalogue.h"
#include "protocols/promise.h"
#include "results/known_node.h"

namespace splitbench {

inline constexpr const char* kInspectionSchema = "splitbench.inspection/1";

enum class Finding { pass, warn, fail, unknown };
std::string_view name(Finding finding);  // "pass", ...

struct InspectedItem {
  std::string what;  // "device count", "link 0-1: kind"
  Finding finding = Finding::unknown;
  std::string required;
  std::string actual;  // what was found, or why nothing was
  std::string how;     // what it was read from
  std::string ask;     // of the seller; empty where it passed
};

// `results`: result documents of runs on that node, for promised speedups.
std::vector<InspectedItem> inspect(const Promise& promise, const KnownNode& known,
                                   const std::vector<GpuModel>& catalogue,
                                   std::span<const nlohmann::ordered_json> results);

// The worst of them: fail before unknown before warn before pass.
Finding overall(std::span<const InspectedItem> items);

// Schema: results/schema/inspection.schema.json.
nlohmann::ordered_json to_json(std::span<const InspectedItem> items, const std::string& promise,
                               const KnownNode& known);

// What this node would have to be promised as, as far as texts tell: measured rates less a tenth,
// memory in whole GB. Nothing is promised that is not known. Throws InvalidInput where no devices
// are known.
Promise promise_of(const KnownNode& known, const std::vector<GpuModel>& catalogue);

}  // namespace splitbench
