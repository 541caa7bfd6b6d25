// A drawing as SVG text. Colours follow the light or dark scheme of who looks at it, and it has its
// own ground, so that it reads on any page. Pixels, from the upper left corner.
//
// A `look` is one or more of the classes of the style in svg.cpp: a to d are the colours of series,
// and ink, faint, grid, band and paper those of the rest; thin, dashed and dotted are kinds of
// line.
#pragma once

#include <pugixml.hpp>
#include <span>
#include <string>

namespace splitbench::proof {

struct Spot {
  double x = 0.0;
  double y = 0.0;
};

struct Box {
  double x = 0.0;
  double y = 0.0;
  double width = 0.0;
  double height = 0.0;
};

enum class Anchor { start, middle, end };  // which part of a text is at its spot
enum class Mark { circle, square, diamond, cross, down, left };

class Svg {
 public:
  // Title and description are for who cannot see it.
  Svg(double width, double height, const std::string& title, const std::string& description);

  void line(Spot from, Spot to, const char* look);
  void path(std::span<const Spot> spots, const char* look);  // straight from one to the next
  void box(const Box& box, const char* look);
  void text(Spot at, const std::string& text, const char* look, Anchor anchor = Anchor::start);
  void mark(Spot at, Mark mark, const char* look);
  void dot(Spot at, const char* look);  // smaller than a mark: one of many

  // What is drawn until end() belongs together; `what` is shown where a pointer rests on it.
  void begin(const std::string& what);
  void end();
  // Of what was begun last: for who reads the drawing back.
  void note(const char* name, const std::string& value);

  std::string str() const;

 private:
  pugi::xml_node add(const char* element, const char* look);

  pugi::xml_document document_;
  pugi::xml_node into_;
};

}  // namespace splitbench::proof
