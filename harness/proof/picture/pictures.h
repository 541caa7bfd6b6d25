// The pictures of docs/methodology.md, drawn from a document of the proof: nothing is measured or
// computed anew, and the same document gives the same files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/proof/picture/picture.h"

namespace splitbench::proof {

// Each gives SVG text of the studies that its comment names. Throws nlohmann::json::exception where
// rows have not the columns of this version.
std::string coverage_picture(const Json& document);  // coverage
std::string size_picture(const Json& document);      // a collective over sizes
std::string error_picture(const Json& document);     // prediction error, public tables (if run)
std::string power_picture(const Json& document);     // power on the model, power on the split
std::string year_picture(const Json& document);      // one year

struct DrawnPicture {
  std::string file;     // its name in the folder
  std::string lacking;  // the study that the document has not: it was not drawn. Else empty
};

// Before a run whose pictures are to go there: makes the folder. Throws NewFileError where it
// cannot.
void prepare_folder(const std::filesystem::path& folder);

// Each in place of the file of before, whole or not at all. Throws NewFileError, and
// nlohmann::json::exception for a document that is not what this version writes.
std::vector<DrawnPicture> write_pictures(const Json& document, const std::filesystem::path& folder);

}  // namespace splitbench::proof
