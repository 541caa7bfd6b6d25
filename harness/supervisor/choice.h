// Which backend a run takes, and what it said of the request.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/backend.h"
#include "harness/module.h"
#include "harness/registry.h"
#include "harness/supervisor/inquiry.h"

namespace splitbench {

// Where it is looked; other places are for tests.
struct Surroundings {
  std::filesystem::path device_directory = "/dev";
  std::vector<std::filesystem::path> module_directories =
      splitbench::module_directories(executable_directory());
  Inquiry inquiry;
};

struct Choice {
  std::string backend;
  std::filesystem::path module;
  Survey survey;     // can be carried out; `unsupported` is empty as well
  std::string note;  // what a user should know of the choice, in one line; mostly empty
};

// `wanted` is a backend's name or "auto": cuda where an NVIDIA device is visible, whether or not it
// can be used, and host elsewhere. Throws CannotRunHere, InvalidInput.
Choice choose_backend(std::string_view wanted, const SurveyRequest& request,
                      const Surroundings& here = {});

// The files of a backend's modules, the first to be tried first; none where it was not built.
std::vector<std::filesystem::path> built_modules(const BackendEntry& backend,
                                                 const Surroundings& here = {});

// The backend that `wanted` means here. Throws InvalidInput.
const BackendEntry& meant_backend(std::string_view wanted, const Surroundings& here = {});

// The survey of a backend's first module that can be used; else why none can.
Choice survey_backend(const BackendEntry& backend, const SurveyRequest& request,
                      const Surroundings& here = {});

}  // namespace splitbench
