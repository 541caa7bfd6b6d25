#include "harness/proof/picture/svg.h"

#include <fmt/format.h>

#include <sstream>

namespace splitbench::proof {
namespace {

// Series are told apart by their marks as well. Contrast of every colour with its ground is at
// least 4.5, of grid and band less.
constexpr const char* kStyle = R"(
text{font:12px system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;fill:#1f2328}
.title{font-size:15px;font-weight:600}.head{font-weight:600}.small{font-size:10px}
line,path.line{stroke-width:1.5}.thin{stroke-width:1}
.dashed{stroke-dasharray:6 3}.dotted{stroke-dasharray:2 3}
.paper{fill:#fff}.band{fill:#dcefe1}.grid{stroke:#d8dee4}
.ink{stroke:#1f2328}.faint{stroke:#59636e}text.faint{fill:#59636e;stroke:none}
.a{stroke:#0a5cb8;fill:#0a5cb8}.b{stroke:#a84a00;fill:#a84a00}
.c{stroke:#7a3fc0;fill:#7a3fc0}.d{stroke:#17702f;fill:#17702f}
path.line,.frame{fill:none}circle{stroke:none}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}
.paper{fill:#0d1117}.band{fill:#143322}.grid{stroke:#30363d}
.ink{stroke:#e6edf3}.faint{stroke:#9198a1}text.faint{fill:#9198a1}
.a{stroke:#58a6ff;fill:#58a6ff}.b{stroke:#f0883e;fill:#f0883e}
.c{stroke:#c297ff;fill:#c297ff}.d{stroke:#3fb950;fill:#3fb950}path.line{fill:none}}
)";

std::string pixels(double value) {
  return fmt::format("{:.1f}", value);
}

void set(pugi::xml_node node, const char* name, double value) {
  node.append_attribute(name) = pixels(value).c_str();
}

const char* name(Anchor anchor) {
  switch (anchor) {
    case Anchor::start:
      return "start";
    case Anchor::middle:
      return "middle";
    case Anchor::end:
      return "end";
  }
  return "start";
}

// Around (0, 0), in moves from one corner to the next.
const char* outline(Mark mark) {
  switch (mark) {
    case Mark::square:
      return "m-2.5-2.5h5v5h-5z";
    case Mark::diamond:
      return "m0-3.6l3.6 3.6l-3.6 3.6l-3.6-3.6z";
    case Mark::cross:
      return "m-4-4l8 8m0-8l-8 8";
    case Mark::down:
      return "m-4.5-4h9l-4.5 8z";
    case Mark::left:
      return "m3-3.5v7l-6-3.5z";
    case Mark::circle:
      break;
  }
  return "m-2.8 0a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0-5.6 0z";
}

}  // namespace

Svg::Svg(double width, double height, const std::string& title, const std::string& description) {
  pugi::xml_node root = document_.append_child("svg");
  root.append_attribute("xmlns") = "http://www.w3.org/2000/svg";
  root.append_attribute("viewBox") = fmt::format("0 0 {:.0f} {:.0f}", width, height).c_str();
  root.append_attribute("width") = fmt::format("{:.0f}", width).c_str();
  root.append_attribute("height") = fmt::format("{:.0f}", height).c_str();
  root.append_attribute("role") = "img";
  root.append_child("title").text() = title.c_str();
  root.append_child("desc").text() = description.c_str();
  root.append_child("style").text() = kStyle;
  into_ = root;
  box({0.0, 0.0, width, height}, "paper");
}

pugi::xml_node Svg::add(const char* element, const char* look) {
  pugi::xml_node node = into_.append_child(element);
  node.append_attribute("class") = look;
  return node;
}

void Svg::line(Spot from, Spot to, const char* look) {
  pugi::xml_node node = add("line", look);
  set(node, "x1", from.x);
  set(node, "y1", from.y);
  set(node, "x2", to.x);
  set(node, "y2", to.y);
}

void Svg::path(std::span<const Spot> spots, const char* look) {
  std::string moves;
  for (const Spot& spot : spots) {
    moves += fmt::format("{}{:.1f} {:.1f}", moves.empty() ? "M" : "L", spot.x, spot.y);
  }
  add("path", fmt::format("line {}", look).c_str()).append_attribute("d") = moves.c_str();
}

void Svg::box(const Box& box, const char* look) {
  pugi::xml_node node = add("rect", look);
  set(node, "x", box.x);
  set(node, "y", box.y);
  set(node, "width", box.width);
  set(node, "height", box.height);
}

void Svg::text(Spot at, const std::string& text, const char* look, Anchor anchor) {
  pugi::xml_node node = add("text", look);
  set(node, "x", at.x);
  set(node, "y", at.y);
  if (anchor != Anchor::start) node.append_attribute("text-anchor") = name(anchor);
  node.text() = text.c_str();
}

void Svg::mark(Spot at, Mark mark, const char* look) {
  add("path", look).append_attribute("d") =
      fmt::format("M{:.1f} {:.1f}{}", at.x, at.y, outline(mark)).c_str();
}

void Svg::dot(Spot at, const char* look) {
  pugi::xml_node node = add("circle", look);
  set(node, "cx", at.x);
  set(node, "cy", at.y);
  node.append_attribute("r") = "1.5";
}

void Svg::begin(const std::string& what) {
  into_ = into_.append_child("g");
  into_.append_child("title").text() = what.c_str();
}

void Svg::end() {
  into_ = into_.parent();
}

void Svg::note(const char* name, const std::string& value) {
  into_.append_attribute(name) = value.c_str();
}

std::string Svg::str() const {
  std::ostringstream text;
  document_.save(text, "", pugi::format_indent | pugi::format_no_declaration, pugi::encoding_utf8);
  return text.str();
}

}  // namespace splitbench::proof
