#include "tests/structure/source_rules.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <regex>
#include <sstream>
#include <utility>

namespace splitbench::structure {
namespace {

const std::map<std::string, std::vector<std::string>, std::less<>>& may_include() {
  static const std::map<std::string, std::vector<std::string>, std::less<>> rules = {
      {"model", {"model"}},
      {"protocols", {"model", "protocols"}},
      {"results", {"model", "protocols", "results"}},
      {"kernels", {"kernels"}},
      {"harness", {"model", "protocols", "results", "kernels", "harness"}},
  };
  return rules;
}

std::string top_folder(std::string_view path) {
  const auto slash = path.find('/');
  return std::string(slash == std::string_view::npos ? "" : path.substr(0, slash));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string at(std::string_view path, std::size_t line_index) {
  return std::string(path) + ":" + std::to_string(line_index + 1) + ": ";
}

bool may_name_vendors(std::string_view path) {
  return path.starts_with("kernels/") || path.starts_with("harness/backends/cuda/");
}

const std::regex& include_line() {
  static const std::regex pattern(R"re(^\s*#\s*include\s*(["<])([^">]+)[">])re");
  return pattern;
}

// Just after the next `closing` at or after `from`; the end of the text when there is none.
std::size_t after(std::string_view text, std::string_view closing, std::size_t from) {
  const auto found = text.find(closing, from);
  return found == std::string_view::npos ? text.size() : found + closing.size();
}

// Just after the string or character literal whose opening quote is at `i`.
std::size_t end_of_literal(std::string_view text, std::size_t i) {
  for (std::size_t j = i + 1; j < text.size(); ++j) {
    if (text[j] == '\\')
      ++j;
    else if (text[j] == text[i])
      return j + 1;
  }
  return text.size();
}

// Just after the comment or literal that starts at `i`; `i` itself when none does.
std::size_t end_of_prose(std::string_view text, std::size_t i) {
  const std::string_view rest = text.substr(i);
  if (rest.starts_with("//")) return std::min(text.find('\n', i), text.size());
  if (rest.starts_with("/*")) return after(text, "*/", i + 2);
  if (rest.starts_with("R\"")) {
    std::string closing = ")";
    closing += rest.substr(2, rest.find('(') - 2);
    closing += '"';
    return after(text, closing, i + 2);
  }
  const bool separates_digits =
      i > 0 && std::isxdigit(static_cast<unsigned char>(text[i - 1])) != 0;
  if (text[i] == '"' || (text[i] == '\'' && !separates_digits)) return end_of_literal(text, i);
  return i;
}

}  // namespace

std::string code_only(std::string_view text) {
  std::string code;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = end_of_prose(text, i);
    if (end == i) {
      code += text[i++];
      continue;
    }
    code.append(static_cast<std::size_t>(std::count(&text[i], &text[i] + (end - i), '\n')), '\n');
    code += ' ';
    i = end;
  }
  return code;
}

Violations check_includes(std::string_view path, std::string_view text) {
  const auto rule = may_include().find(top_folder(path));
  if (rule == may_include().end()) return {};
  Violations violations;
  const auto lines = lines_of(std::string(text));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::smatch match;
    if (!std::regex_search(lines[i], match, include_line())) continue;
    const std::string target = match[2];
    const std::string folder = top_folder(target);
    const bool ours = may_include().contains(folder) || folder == "tests";
    if (match[1] == "\"" && !ours)
      violations.push_back(at(path, i) + "\"" + target + "\" is not written from the root");
    if (ours && std::find(rule->second.begin(), rule->second.end(), folder) == rule->second.end())
      violations.push_back(at(path, i) + rule->first + "/ may not include " + target);
  }
  return violations;
}

Violations check_vendor_names(std::string_view path, std::string_view text) {
  if (!may_include().contains(top_folder(path)) || may_name_vendors(path)) return {};
  // Headers (cuda_runtime.h, cublasLt.h, nccl.h, nvml.h, ...), functions and types (cudaMalloc,
  // cuInit(, ncclComm_t, nvmlInit_v2, cublasLtMatmul, __nv_bfloat16), constants (CUBLAS_OP_N).
  static const std::regex header(R"re(^(cuda|cublas|nccl|nvml|curand|cooperative_groups|nv/).*)re");
  static const std::regex name(
      R"re(\b(cuda[A-Z]\w*|cu[A-Z][a-z]\w*\s*\(|CU(device|context|stream|module|result)\b|cublas[A-Z]\w*|p?nccl[A-Z]\w*|nvml[A-Z]\w*|__nv_\w+|__(global|device|shared)__|(CUDA|CUBLAS|NCCL|NVML)_[A-Z]\w*))re");
  Violations violations;
  const auto lines = lines_of(std::string(text));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::smatch match;
    if (std::regex_search(lines[i], match, include_line()) &&
        std::regex_match(match[2].str(), header))
      violations.push_back(at(path, i) + "vendor header " + match[2].str());
  }
  const auto code = lines_of(code_only(text));
  for (std::size_t i = 0; i < code.size(); ++i) {
    std::smatch match;
    if (!std::regex_search(code[i], match, include_line()) &&
        std::regex_search(code[i], match, name))
      violations.push_back(at(path, i) + "vendor name " + match.str());
  }
  return violations;
}

}  // namespace splitbench::structure
