// What the tests of importers of nodes have in common.
#pragma once

#include <string>

#include "protocols/document.h"
#include "results/import/import.h"

namespace splitbench::test {

// The node of one text, settled.
inline ImportedNode read(const std::string& text, const std::string& file = "t.txt") {
  ImportedNode node;
  read_node(TextSource(text, file), node);
  settle(node);
  return node;
}

// Why it is refused; empty where it is not.
inline std::string refusal(const std::string& text, const std::string& file = "t.txt") {
  try {
    read(text, file);
  } catch (const BadDocument& error) {
    return error.what();
  }
  return "";
}

}  // namespace splitbench::test
