#include "harness/supervisor/choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/invalid_input.h"

namespace splitbench {
namespace {

// nvidia0 and on are devices, nvidiactl their driver; dxg is what WSL has instead.
bool nvidia_device_is_visible(const std::filesystem::path& directory) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename().string();
    const bool device =
        name.starts_with("nvidia") && name.size() > 6 &&
        std::all_of(name.begin() + 6, name.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (device || name == "nvidiactl" || name == "dxg") return true;
  }
  return false;
}

Survey not_built(const BackendEntry& backend) {
  Survey survey;
  survey.missing = "this program was built without it";
  survey.mend = backend.built_with.empty()
                    ? "use --backend cuda or --backend host"
                    : fmt::format("build it where {} are installed", backend.built_with);
  return survey;
}

// Why none of several modules can be used, each reason and each mending line once.
Survey together(const std::vector<Survey>& refusals) {
  Survey survey = refusals.front();
  for (std::size_t i = 1; i < refusals.size(); ++i) {
    if (survey.missing.find(refusals[i].missing) == std::string::npos) {
      survey.missing += "; " + refusals[i].missing;
    }
    if (survey.mend.find(refusals[i].mend) == std::string::npos) {
      survey.mend += "; or " + refusals[i].mend;
    }
  }
  return survey;
}

}  // namespace

std::vector<std::filesystem::path> built_modules(const BackendEntry& backend,
                                                 const Surroundings& here) {
  std::vector<std::filesystem::path> files;
  for (const std::string_view name : backend.modules) {
    const std::filesystem::path file = find_module(name, here.module_directories);
    if (!file.empty()) files.push_back(file);
  }
  return files;
}

Choice survey_backend(const BackendEntry& backend, const SurveyRequest& request,
                      const Surroundings& here) {
  Choice choice{.backend = std::string(backend.name), .module = {}, .survey = {}, .note = {}};
  if (backend.modules.empty()) return choice;  // there is nothing that could be missing
  std::vector<Survey> refusals;
  for (const std::filesystem::path& module : built_modules(backend, here)) {
    choice.module = module;
    choice.survey = ask(choice.module, request, here.inquiry);
    if (choice.survey.missing.empty()) return choice;
    refusals.push_back(choice.survey);
  }
  choice.survey = refusals.empty() ? not_built(backend) : together(refusals);
  return choice;
}

const BackendEntry& meant_backend(std::string_view wanted, const Surroundings& here) {
  if (wanted != "auto") return known_backend(wanted);
  return known_backend(nvidia_device_is_visible(here.device_directory) ? "cuda" : "host");
}

Choice choose_backend(std::string_view wanted, const SurveyRequest& request,
                      const Surroundings& here) {
  const bool automatic = wanted == "auto";
  const BackendEntry& backend = meant_backend(wanted, here);
  const bool device_is_visible = automatic && backend.name == "cuda";
  Choice choice = survey_backend(backend, request, here);
  if (!choice.survey.missing.empty()) {
    throw CannotRunHere(
        fmt::format("{}backend {}: {}",
                    device_is_visible ? "an NVIDIA device is visible, but " : "", backend.name,
                    choice.survey.missing),
        choice.survey.mend +
            (device_is_visible ? ", or measure CPU cores with --backend host" : ""));
  }
  if (!choice.survey.unsupported.empty()) throw InvalidInput("", choice.survey.unsupported);
  if (automatic && !device_is_visible && !built_modules(known_backend("cuda"), here).empty()) {
    choice.note = "no NVIDIA device is visible here: CPU cores are measured (--backend host)";
  }
  return choice;
}

}  // namespace splitbench
