// The pictures of the newest document under results/proof/ are XML, show that document's numbers,
// and are those that docs/methodology.md has.
#include "harness/proof/picture/pictures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <pugixml.hpp>
#include <sstream>
#include <string>

#include "tests/support/temporary_directory.h"

namespace splitbench::proof {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

const Json& newest() {
  static const Json document = [] {
    fs::path file;
    for (const auto& entry : fs::directory_iterator(SPLITBENCH_SOURCE_DIR "/results/proof")) {
      if (entry.path().extension() == ".json") file = std::max(file, entry.path());
    }
    return Json::parse(contents(file));
  }();
  return document;
}

pugi::xml_document parsed(const std::string& svg) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_string(svg.c_str());
  EXPECT_TRUE(result) << result.description();
  return document;
}

// A panel as its own drawing describes it.
struct Scale {
  double low = 0.0;
  double high = 1.0;
  double start = 0.0;  // pixels
  double length = 1.0;

  double value_at(double pixel) const { return low + (high - low) * (pixel - start) / length; }
};

Scale scale_of(const pugi::xml_node& axes, bool x) {
  Scale scale;
  std::istringstream(axes.attribute(x ? "data-x" : "data-y").value()) >> scale.low >> scale.high;
  const pugi::xml_node frame = axes.child("rect");
  scale.start = frame.attribute(x ? "x" : "y").as_double();
  scale.length = frame.attribute(x ? "width" : "height").as_double();
  if (x) return scale;
  scale.start += scale.length;
  scale.length = -scale.length;
  return scale;
}

// Of every mark of a group, in order.
std::vector<Spot> marks_of(const pugi::xml_node& group) {
  std::vector<Spot> spots;
  for (const pugi::xml_node& path : group.children("path")) {
    const std::string look = path.attribute("class").value();
    if (look.starts_with("line")) continue;
    Spot spot;
    char letter = 0;
    std::istringstream(path.attribute("d").value()) >> letter >> spot.x >> spot.y;
    spots.push_back(spot);
  }
  return spots;
}

std::string title_of(const pugi::xml_node& group) {
  return group.child("title").text().get();
}

struct Drawn {
  const char* name;
  std::string svg;
};

std::vector<Drawn> all() {
  return {{"coverage", coverage_picture(newest())},
          {"sizes", size_picture(newest())},
          {"error", error_picture(newest())},
          {"power", power_picture(newest())},
          {"year", year_picture(newest())}};
}

TEST(Pictures, AreSmallXmlWithTitleAndSource) {
  const std::string date = newest()["run"]["started_utc"].get<std::string>().substr(0, 10);
  for (const auto& [name, svg] : all()) {
    const pugi::xml_document document = parsed(svg);
    EXPECT_LT(svg.size(), 60'000U) << name;
    EXPECT_TRUE(document.child("svg").child("title")) << name;
    EXPECT_TRUE(document.child("svg").child("desc")) << name;
    EXPECT_NE(svg.find("splitbench-selftest, " + date), std::string::npos) << name;
    EXPECT_NE(svg.find(newest()["commit"].get<std::string>()), std::string::npos) << name;
  }
}

// Every share of the coverage study stands in the panel of its parameter, at its place along x;
// what is below the scale is at its edge.
TEST(CoveragePicture, HasEveryShareWhereItBelongs) {
  const Json& rows = *rows_of(newest(), "coverage");
  const pugi::xml_document document = parsed(coverage_picture(newest()));
  int compared = 0;
  std::string parameter;
  Scale scale;
  for (const pugi::xml_node& group : document.child("svg").children("g")) {
    if (group.attribute("data-x")) {
      parameter = title_of(group);
      scale = scale_of(group, true);
      continue;
    }
    const std::string family = title_of(group).substr(0, title_of(group).find(':'));
    const std::vector<Spot> marks = marks_of(group);
    std::size_t mark = 0;
    for (const Json& row : rows) {
      if (row["noise"] != family) continue;
      ASSERT_LT(mark, marks.size()) << family << ", " << parameter;
      const double percent = 100.0 * row[parameter]["share"].get<double>();
      EXPECT_NEAR(scale.value_at(marks[mark++].x), std::max(percent, scale.low), 0.02)
          << family << ", " << parameter;
      ++compared;
    }
  }
  EXPECT_EQ(compared, static_cast<int>(rows.size()) * 12) << "12 parameters";
}

TEST(PowerPicture, HasEveryShareWhereItBelongs) {
  const pugi::xml_document document = parsed(power_picture(newest()));
  int compared = 0;
  std::string study;
  Scale scale;
  for (const pugi::xml_node& group : document.child("svg").children("g")) {
    const std::string title = title_of(group);
    if (group.attribute("data-y")) {
      study = "power " + title;
      scale = scale_of(group, false);
      continue;
    }
    const std::string verdict = title.substr(0, title.find(','));
    const std::vector<Spot> marks = marks_of(group);
    std::size_t mark = 0;
    for (const Json& row : *rows_of(newest(), study)) {
      const Json& sessions = row["sessions"];
      const std::string series = sessions.is_string()
                                     ? "stopping early"
                                     : std::to_string(sessions.get<int>()) + " sessions";
      if (!title.ends_with(series)) continue;
      ASSERT_LT(mark, marks.size()) << title;
      EXPECT_NEAR(scale.value_at(marks[mark++].y), 100.0 * row[verdict]["share"].get<double>(),
                  0.05)
          << title;
      ++compared;
    }
  }
  const auto cells = 2 * (rows_of(newest(), "power on the model")->size() +
                          rows_of(newest(), "power on the split")->size());
  EXPECT_EQ(compared, static_cast<int>(cells));
}

TEST(YearPicture, HasADotForEveryNightAndAMarkForEveryAlarm) {
  const Json& rows = *rows_of(newest(), "one year");
  const pugi::xml_document document = parsed(year_picture(newest()));
  const pugi::xml_node axes = document.child("svg").child("g");
  const Scale y = scale_of(axes, false);
  std::size_t alarms = 0;
  std::size_t night = 0;
  for (const pugi::xml_node& group : document.child("svg").children("g")) {
    if (title_of(group).ends_with(": alarm")) ++alarms;
    for (const pugi::xml_node& dot : group.children("circle")) {
      EXPECT_NEAR(y.value_at(dot.attribute("cy").as_double()),
                  rows[night++]["speedup"].get<double>(), 1e-3);
    }
  }
  EXPECT_EQ(night, 365U);
  EXPECT_EQ(alarms,
            static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [](const Json& row) {
              return !row["alarm"].is_null();
            })));
}

TEST(ErrorPicture, NamesEveryWayWithItsErrors) {
  const std::string svg = error_picture(newest());
  for (const char* study : {"prediction error", "public tables"}) {
    ASSERT_NE(rows_of(newest(), study), nullptr) << study;
    for (const Json& row : *rows_of(newest(), study)) {
      if (row["mean |error|, %"].is_null()) continue;
      char expected[64];
      std::snprintf(expected, sizeof expected, ": mean %.2f %%, 95th percentile %.2f %%",
                    row["mean |error|, %"].get<double>(), row["p95, %"].get<double>());
      EXPECT_NE(svg.find(row["prediction"].get<std::string>() + expected), svg.npos) << row.dump();
    }
  }
}

TEST(Pictures, OfTheDocumentationAreThoseOfTheNewestDocument) {
  const std::string page = contents(SPLITBENCH_SOURCE_DIR "/docs/methodology.md");
  const test::TemporaryDirectory folder;
  for (const DrawnPicture& picture : write_pictures(newest(), folder.path())) {
    EXPECT_EQ(picture.lacking, "") << picture.file;
    EXPECT_NE(page.find("(pictures/" + picture.file + ")"), page.npos) << picture.file;
    EXPECT_EQ(contents(folder / picture.file),
              contents(fs::path(SPLITBENCH_SOURCE_DIR "/docs/pictures") / picture.file))
        << picture.file << ": splitbench-selftest --from results/proof/DATE.json --pictures "
        << "docs/pictures";
  }
}

TEST(Pictures, WhatADocumentLacksIsNotDrawn) {
  Json document = newest();
  Json& studies = document["studies"];
  studies.erase(std::find_if(studies.begin(), studies.end(),
                             [](const Json& one) { return one["name"] == "one year"; }));
  const test::TemporaryDirectory folder;
  for (const DrawnPicture& picture : write_pictures(document, folder.path())) {
    EXPECT_EQ(picture.lacking, picture.file == "one-year.svg" ? "one year" : "");
    EXPECT_EQ(fs::exists(folder / picture.file), picture.lacking.empty()) << picture.file;
  }
}

TEST(Pictures, TakeThePlaceOfThoseOfBefore) {
  const test::TemporaryDirectory folder;
  std::ofstream(folder / "power.svg") << "of before";
  write_pictures(newest(), folder.path());
  EXPECT_EQ(contents(folder / "power.svg"), power_picture(newest()));
}

}  // namespace
}  // namespace splitbench::proof
