// What a drawing says as SVG, read back by an XML parser.
#include "harness/proof/picture/svg.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "harness/proof/picture/panel.h"

namespace splitbench::proof {
namespace {

pugi::xml_document parsed(const Svg& svg) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_string(svg.str().c_str());
  EXPECT_TRUE(result) << result.description();
  return document;
}

TEST(Svg, IsXmlWhateverItsTextsHold) {
  Svg svg(100, 50, "A < B & \"C\"", "]]> <g>");
  svg.text({1, 2}, "η < 1 & l > 0", "text");
  const pugi::xml_document document = parsed(svg);
  const pugi::xml_node root = document.child("svg");
  EXPECT_STREQ(root.attribute("viewBox").value(), "0 0 100 50");
  EXPECT_STREQ(root.child("title").text().get(), "A < B & \"C\"");
  EXPECT_STREQ(root.child("desc").text().get(), "]]> <g>");
  EXPECT_STREQ(root.child("text").text().get(), "η < 1 & l > 0");
}

TEST(Svg, HasAGroundAndColoursForLightAndDark) {
  const Svg svg(10, 10, "t", "d");
  const pugi::xml_document document = parsed(svg);
  EXPECT_STREQ(document.child("svg").child("rect").attribute("class").value(), "paper");
  const std::string style = document.child("svg").child("style").text().get();
  EXPECT_NE(style.find("prefers-color-scheme:dark"), std::string::npos);
}

TEST(Svg, WhatBelongsTogetherIsNamed) {
  Svg svg(10, 10, "t", "d");
  svg.begin("two marks");
  svg.mark({1.25, 2}, Mark::circle, "a");
  svg.mark({3, 4}, Mark::square, "b");
  svg.end();
  svg.line({0, 0}, {1, 1}, "ink");
  const pugi::xml_document document = parsed(svg);
  const pugi::xml_node group = document.child("svg").child("g");
  EXPECT_STREQ(group.child("title").text().get(), "two marks");
  EXPECT_EQ(std::distance(group.begin(), group.end()), 3);
  EXPECT_TRUE(document.child("svg").child("line"));
}

TEST(Panel, PutsValuesWhereTheyBelong) {
  Svg svg(200, 100, "t", "d");
  const Panel panel(svg, {10, 20, 100, 50}, {.range = {0, 10}},
                    {.range = {1, 100}, .logarithmic = true});
  EXPECT_EQ(panel.at(0, 1).x, 10);
  EXPECT_EQ(panel.at(10, 1).x, 110);
  EXPECT_EQ(panel.at(2.5, 1).x, 35);
  EXPECT_EQ(panel.at(0, 1).y, 70) << "along y from below";
  EXPECT_NEAR(panel.at(0, 10).y, 45, 1e-9) << "10 is half way from 1 to 100 by its logarithm";
  EXPECT_EQ(panel.at(-5, 1000).x, 10) << "outside: at the end";
  EXPECT_EQ(panel.at(-5, 1000).y, 20);
}

}  // namespace
}  // namespace splitbench::proof
