// What a row of the store holds, and whether it is what was saved: every record and document has
// the CRC-32 of its bytes in the next column.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "model/invalid_input.h"
#include "protocols/document.h"
#include "results/sqlite.h"

namespace splitbench {

std::int64_t checksum(sqlite::Blob bytes);
sqlite::Blob bytes_of(std::string_view text);

// "run a", "session 1 of run a", "round 4 of session 1 of run a": as messages name it.
std::string label(std::string_view run);
std::string label(std::string_view run, std::int64_t session);
std::string label(std::string_view run, std::int64_t session, std::int64_t round);

// StoreFault::damaged_run: "WHAT is damaged: WHY".
[[noreturn]] void fail_damaged(const std::filesystem::path& file, const std::string& what,
                               const std::string& why);

// Carries out `read` on what the store holds of `what`; whatever is wrong with it is damage.
template <class Read>
auto checked(const std::filesystem::path& file, const std::string& what, Read read) {
  try {
    return read();
  } catch (const nlohmann::json::exception&) {
    fail_damaged(file, what, "it does not have what this version expects");
  } catch (const InvalidInput& error) {
    fail_damaged(file, what, error.what());
  } catch (const BadDocument& error) {
    fail_damaged(file, what, error.what());
  }
}

// What stands in the column `first`, its checksum in the next.
std::vector<std::uint8_t> checked_bytes(const sqlite::Rows& row, int first,
                                        const std::filesystem::path& file, const std::string& what);
std::string checked_text(const sqlite::Rows& row, int first, const std::filesystem::path& file,
                         const std::string& what);

// Likewise of a record, which is CBOR.
template <class Record>
Record unpacked(const sqlite::Rows& row, int first,
                Record (*from_json)(const nlohmann::ordered_json&),
                const std::filesystem::path& file, const std::string& what) {
  const std::vector<std::uint8_t> bytes = checked_bytes(row, first, file, what);
  return checked(file, what, [&] { return from_json(nlohmann::ordered_json::from_cbor(bytes)); });
}

}  // namespace splitbench
