#include "harness/proof/picture/pictures.h"

#include <array>
#include <system_error>

#include "results/new_file.h"

namespace splitbench::proof {
namespace {

namespace fs = std::filesystem;

struct Picture {
  const char* file;
  const char* study;  // it cannot do without
  std::string (*draw)(const Json& document);
};

constexpr std::array kPictures{
    Picture{"coverage.svg", "coverage", coverage_picture},
    Picture{"collective-over-sizes.svg", "a collective over sizes", size_picture},
    Picture{"prediction-error.svg", "prediction error", error_picture},
    Picture{"power.svg", "power on the model", power_picture},
    Picture{"one-year.svg", "one year", year_picture}};

}  // namespace

void prepare_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw NewFileError(folder, "cannot be made: " + error.message());
}

std::vector<DrawnPicture> write_pictures(const Json& document, const fs::path& folder) {
  std::vector<DrawnPicture> drawn;
  std::vector<std::string> texts;  // all of them before anything is written
  for (const Picture& picture : kPictures) {
    const bool there = rows_of(document, picture.study) != nullptr;
    drawn.push_back({picture.file, there ? "" : picture.study});
    texts.push_back(there ? picture.draw(document) : "");
  }
  prepare_folder(folder);
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    if (drawn[i].lacking.empty()) replace_file(folder / drawn[i].file, texts[i]);
  }
  return drawn;
}

}  // namespace splitbench::proof
