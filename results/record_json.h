// The records of a run as JSON values, and back, nothing lost: as CBOR every double keeps its bits
// and every string its bytes. As text, what is not finite becomes null and does not come back.
//
// Keys are the members' names with the unit's suffix. The ways back throw nlohmann::json::exception
// for what is missing or of another type, InvalidInput for a name that means nothing, BadDocument
// for a protocol that is none.
#pragma once

#include <nlohmann/json.hpp>

#include "results/run_record.h"

namespace splitbench {

nlohmann::ordered_json to_json(const Correctness& correctness);
Correctness correctness_from_json(const nlohmann::ordered_json& document);

nlohmann::ordered_json to_json(const Provenance& provenance);
Provenance provenance_from_json(const nlohmann::ordered_json& document);

nlohmann::ordered_json to_json(const RunRecord& run);
RunRecord run_from_json(const nlohmann::ordered_json& document);

nlohmann::ordered_json to_json(const SessionRecord& session);
SessionRecord session_from_json(const nlohmann::ordered_json& document);

nlohmann::ordered_json to_json(const RoundRecord& round);
RoundRecord round_from_json(const nlohmann::ordered_json& document);

}  // namespace splitbench
