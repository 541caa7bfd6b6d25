#include "harness/proof/document.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/version.h"

namespace splitbench::proof {
namespace {

using Json = nlohmann::ordered_json;

Json claim_json(const Claim& claim) {
  return {{"what", claim.what},
          {"figure", claim.figure},
          {"chance", {claim.chance.low, claim.chance.high}},
          {"limits", {claim.limits.low, claim.limits.high}},
          {"outcome", name(claim.outcome)}};
}

Json study_json(const Study& study) {
  Json claims = Json::array();
  for (const Claim& claim : study.claims) claims.push_back(claim_json(claim));
  Json json = {{"name", study.name},
               {"about", study.about},
               {"rows", study.rows},
               {"claims", std::move(claims)}};
  if (!study.not_run.empty()) json["not_run"] = study.not_run;
  return json;
}

Json outcome_counts(const std::vector<Study>& studies) {
  Json counts = Json::object();
  for (const ClaimOutcome outcome :
       {ClaimOutcome::met, ClaimOutcome::unclear, ClaimOutcome::missed}) {
    long count = 0;
    for (const Study& study : studies) {
      count += std::count_if(study.claims.begin(), study.claims.end(),
                             [outcome](const Claim& one) { return one.outcome == outcome; });
    }
    counts[std::string(name(outcome))] = count;
  }
  return counts;
}

std::string cell(const Json& value) {
  if (value.is_null()) return "-";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return fmt::format("{}", value.get<long>());
  if (value.is_number()) return fmt::format("{:.4g}", value.get<double>());
  if (value.contains("share")) {
    return fmt::format("{:.1f} [{:.1f}, {:.1f}]", 100.0 * value["share"].get<double>(),
                       100.0 * value["interval"][0].get<double>(),
                       100.0 * value["interval"][1].get<double>());
  }
  const double mean = value["value"].get<double>();
  if (value["interval"].is_null()) return fmt::format("{:.4g}", mean);
  return fmt::format("{:.4g} [{:.4g}, {:.4g}]", mean, value["interval"][0].get<double>(),
                     value["interval"][1].get<double>());
}

// Rows of a page: more are data to draw, not to read.
constexpr std::size_t kMostRows = 100;

// Columns as wide as their widest cell, so that the text reads as well as the page.
std::string table(const Json& rows) {
  if (rows.size() > kMostRows) return fmt::format("{} rows, in the document.\n", rows.size());
  std::vector<std::vector<std::string>> cells(1);
  for (const auto& [column, unused] : rows.front().items()) cells.front().push_back(column);
  for (const Json& row : rows) {
    auto& line = cells.emplace_back();
    for (const Json& value : row) line.push_back(cell(value));
  }
  std::vector<std::size_t> widths(cells.front().size());
  for (const auto& line : cells) {
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text;
  for (std::size_t l = 0; l < cells.size(); ++l) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      text += fmt::format("| {:<{}} ", cells[l][i], widths[i]);
    }
    text += "|\n";
    if (l > 0) continue;
    for (const std::size_t width : widths) text += fmt::format("| {:-<{}} ", "", width);
    text += "|\n";
  }
  return text;
}

std::string claims_text(const Json& claims) {
  std::string text;
  for (const Json& claim : claims) {
    if (claim["outcome"].get<std::string>() == name(ClaimOutcome::met)) continue;
    text += fmt::format("- **{}**: {}: {:.4g}, asked {:.4g} to {:.4g}\n",
                        claim["outcome"].get<std::string>(), claim["what"].get<std::string>(),
                        claim["figure"].get<double>(), claim["limits"][0].get<double>(),
                        claim["limits"][1].get<double>());
  }
  if (!text.empty()) return "\n" + text;
  return claims.empty() ? "" : fmt::format("\nAll {} claims are met.\n", claims.size());
}

std::string or_unknown(std::string_view text) {
  return text.empty() ? "unknown" : std::string(text);
}

}  // namespace

Json proof_document(const std::vector<Study>& studies, const Order& order, Json run) {
  Json parts = Json::array();
  for (const Study& study : studies) parts.push_back(study_json(study));
  return {
      {"schema", kProofSchema},
      {"version", version()},
      {"commit", commit().empty() ? Json(nullptr) : Json(commit())},
      {"order", {{"seeds", order.seeds}, {"seed", order.seed}, {"sabotage", name(order.sabotage)}}},
      {"claims", outcome_counts(studies)},
      {"studies", std::move(parts)},
      {"run", std::move(run)}};
}

std::string proof_tables(const Json& document) {
  const Json& order = document["order"];
  const Json& claims = document["claims"];
  std::string text = fmt::format(
      "# Proof of the estimators against known truth\n\n{}, commit {}, {} seeds (seed {}), "
      "sabotage {}. Claims: {} met, {} unclear, {} missed.\n"
      "Shares in percent, 95 % intervals in brackets. Times of simulated devices, but for what is "
      "said to be of public tables.\n",
      document["run"].value("started_utc", "no date"),
      or_unknown(document["commit"].is_null() ? "" : document["commit"].get<std::string>()),
      order["seeds"].get<int>(), order["seed"].get<std::uint64_t>(),
      order["sabotage"].get<std::string>(), claims["met"].get<long>(),
      claims["unclear"].get<long>(), claims["missed"].get<long>());
  for (const Json& study : document["studies"]) {
    text += fmt::format("\n## {}\n{}\n\n", study["name"].get<std::string>(),
                        study["about"].get<std::string>());
    if (study.contains("not_run")) {
      text += fmt::format("**Not run**: {}.\n", study["not_run"].get<std::string>());
    } else {
      text += table(study["rows"]) + claims_text(study["claims"]);
    }
  }
  return text;
}

bool any_missed(const std::vector<Study>& studies) {
  return outcome_counts(studies)[std::string(name(ClaimOutcome::missed))].get<long>() > 0;
}

}  // namespace splitbench::proof
