#include "results/run_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "results/joined_runs.h"
#include "results/run_place.h"

namespace splitbench {
namespace {

std::string not_used(const KnownRun& run, const std::string& why) {
  return fmt::format("the times in {} are not used: {}", run.file, why);
}

std::string joined_text(const std::vector<int>& devices, const NodeLink& link) {
  return fmt::format("{} ({})", numbers_text(devices), link.kind);
}

bool alike(const NodeLink& a, const NodeLink& b) {
  const auto rate = [](const NodeLink& link) { return link.ceiling ? link.ceiling->value() : 0.0; };
  return a.kind == b.kind && a.link == b.link && rate(a) == rate(b);
}

bool has_several_kinds(const ImportedNode& node) {
  return std::any_of(node.links.begin(), node.links.end(), [&node](const Link& link) {
    return link.kind != node.links.front().kind || link.path != node.links.front().path;
  });
}

class Chooser {
 public:
  Chooser(const KnownNode& known, int ranks, const Answer<GpuModel>& gpu)
      : known_(known), ranks_(ranks), gpu_(gpu) {
    choice_.devices = devices_to_use(known.node, ranks, gpu);
  }

  RunChoice choose() && {
    for (const KnownRun& run : known_.runs) {
      if (run.run.ranks.value_or(ranks_) == ranks_) place(run);
    }
    use_one_place();
    if (choice_.used.empty()) note_other_ranks();
    note_used();
    return std::move(choice_);
  }

 private:
  // Where it was, if that is as good as the devices that were asked for.
  void place(const KnownRun& run) {
    RunPlace place = place_of(run.run, known_.node);
    if (!place.outside.empty()) {
      choice_.notes.push_back(not_used(run, place.outside));
      return;
    }
    if (place.devices.empty()) {
      choice_.used.push_back(&run);
      return;
    }
    const NodeLink link = slowest_link(known_.node, place.devices, gpu_);
    const NodeLink best = slowest_link(known_.node, choice_.devices, gpu_);
    if (place.devices == choice_.devices || alike(link, best)) {
      placed_[std::move(place.devices)].push_back(&run);
    } else {
      choice_.notes.push_back(not_used(
          run, fmt::format("they are of devices {}, and the best "
                           "joined are {}",
                           joined_text(place.devices, link), joined_text(choice_.devices, best))));
    }
  }

  // Of several places that are joined alike the best one, else the first.
  void use_one_place() {
    if (placed_.empty()) return;
    const auto best = placed_.find(choice_.devices);
    const auto chosen = best == placed_.end() ? placed_.begin() : best;
    choice_.devices = chosen->first;
    for (const auto& [devices, runs] : placed_) {
      for (const KnownRun* run : runs) {
        if (devices == choice_.devices) {
          choice_.used.push_back(run);
        } else {
          choice_.notes.push_back(
              not_used(*run, fmt::format("they are of devices {}, and the estimate is of {}",
                                         numbers_text(devices), numbers_text(choice_.devices))));
        }
      }
    }
  }

  void note_other_ranks() {
    for (const KnownRun& run : known_.runs) {
      if (run.run.ranks.value_or(ranks_) == ranks_) continue;
      choice_.notes.push_back(
          fmt::format("the times of the all-reduce are of {} ranks, not {}: "
                      "not used",
                      *run.run.ranks, ranks_));
      return;
    }
  }

  void note_used() {
    std::vector<RunOfFile> joined;
    for (const KnownRun* run : choice_.used) {
      joined.push_back({run->file, &run->run});
      for (const std::string& note : run->run.notes) add_once(run->file + ": " + note);
      if (const std::size_t rows = run->run.refused_rows.size(); rows > 0) {
        add_once(fmt::format("{}: {} left out, 'splitbench fit' says which and why", run->file,
                             rows == 1 ? "1 row is" : fmt::format("{} rows are", rows)));
      }
      const bool anywhere = place_of(run->run, known_.node).devices.empty();
      if (anywhere && has_several_kinds(known_.node)) {
        add_once(
            fmt::format("{} does not say which devices its times are of: taken for those of {}",
                        run->file, numbers_text(choice_.devices)));
      }
    }
    if (const std::string note = spread_note(joined_spread(joined)); !note.empty()) add_once(note);
  }

  void add_once(std::string note) {
    auto& notes = choice_.notes;
    if (std::find(notes.begin(), notes.end(), note) == notes.end())
      notes.push_back(std::move(note));
  }

  const KnownNode& known_;
  int ranks_;
  const Answer<GpuModel>& gpu_;
  RunChoice choice_;
  std::map<std::vector<int>, std::vector<const KnownRun*>> placed_;
};

}  // namespace

RunChoice choose_runs(const KnownNode& known, int ranks, const Answer<GpuModel>& gpu) {
  return Chooser(known, ranks, gpu).choose();
}

}  // namespace splitbench
