#include "harness/supervisor/inquiry.h"

#include <fmt/format.h>

#include "harness/module.h"
#include "harness/process/asked_child.h"
#include "harness/survey_json.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kMendLibrary =
    "repair or leave out the library named here; 'splitbench list backends' asks again";

Json question_of(const std::filesystem::path& module, const SurveyRequest& request) {
  Json document = to_json(request);
  document["module"] = module.string();
  return document;
}

Survey survey(const Json& question, const Doing& doing) {
  try {
    const std::filesystem::path module = question.at("module").get<std::string>();
    doing("loading " + module.filename().string());
    const Backend& backend = load_module(module);
    doing("asking for devices");
    return backend.survey(survey_request_from_json(question), doing);
  } catch (const CannotRunHere& error) {
    Survey none;
    none.missing = error.reason();
    none.mend = error.mend();
    return none;
  } catch (const std::exception& error) {
    Survey none;
    none.missing = error.what();
    none.mend = kMendLibrary;
    return none;
  }
}

}  // namespace

Survey ask(const std::filesystem::path& module, const SurveyRequest& request,
           const Inquiry& inquiry) {
  std::string doing = "starting";
  Survey answer;
  const ChildEnd end = listen({.program = inquiry.program,
                               .command = "inquiry",
                               .document = question_of(module, request),
                               .environment = {},
                               .descriptors = {},
                               .silence = inquiry.silence},
                              [&](const Json& line) {
                                if (line.contains("doing")) {
                                  doing = line["doing"].get<std::string>();
                                  return false;
                                }
                                answer = survey_from_json(line.at("survey"));
                                return true;
                              });
  if (end.how == ChildEnd::How::answered) return answer;
  Survey none;
  none.missing = fmt::format("{}: the process that was to ask it {} while {}",
                             module.filename().string(), end.words, doing);
  none.mend = kMendLibrary;
  return none;
}

int run_inquiry_process(pid_t parent) {
  const Questioner questioner(parent);
  const Survey answer = survey(questioner.question(), [&](const std::string& what) {
    questioner.say({{"doing", what}});
  });
  questioner.say({{"survey", to_json(answer)}});
  return 0;
}

}  // namespace splitbench
