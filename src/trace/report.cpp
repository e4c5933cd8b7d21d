#include "trace/report.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/soc.h"
#include "machine/symbolize.h"

namespace toprope::trace {
namespace {

using nlohmann::json;

constexpr const char* kEdgeNames[] = {"begin", "order", "issue", "flag", "queue", "barrier", "cross"};

/// Tenths of a cycle: more digits would claim more than an estimate holds.
double tenths(Cycles c) { return std::round(c * 10) / 10; }

json by_pipe(const std::array<Cycles, kPipes>& cycles) {
  json all = json::object();
  for (int p = 0; p < kPipes; ++p)
    if (cycles[p] > 0) all[name_of(static_cast<Pipe>(p))] = tenths(cycles[p]);
  return all;
}

json chip() {
  const SocInfo& s = soc();
  return {{"name", s.name}, {"arch", s.arch}, {"mhz", s.mhz}, {"aic", s.aic}, {"aiv", s.aiv}, {"l2", s.l2}};
}

json figures_used(const Profiler& profiler) {
  json all = json::array();
  for (const Figure& f : figures())
    all.push_back({{"name", f.name}, {"value", f.value}, {"unit", f.unit}, {"source", f.source}});
  std::set<std::string_view> seen;
  for (const Place& p : profiler.places()) {
    if (!p.instruction || p.pipe != Pipe::V || !seen.insert(p.name).second) continue;
    const VectorCost& c = vector_cost(p.name);
    const std::string name = std::string("vector.") + p.name;
    all.push_back({{"name", name + ".rate"},
                   {"value", json::array({c.rate16, c.rate32})},
                   {"unit", "elements/cycle (16 bit, 32 bit)"},
                   {"source", c.source}});
    all.push_back({{"name", name + ".head_tail"},
                   {"value", json::array({c.head, c.tail})},
                   {"unit", "cycles"},
                   {"source", c.source}});
  }
  return all;
}

json places_of(const Profiler& profiler) {
  json all = json::array();
  for (const Place& p : profiler.places()) {
    const SourcePosition at = locate(p.site);
    all.push_back({{"name", p.name},
                   {"pipe", name_of(p.pipe)},
                   {"wait", p.instruction == nullptr},
                   {"file", at.file},
                   {"line", at.line},
                   {"function", at.function}});
  }
  return all;
}

json totals_of(const PlaceTotals& t, size_t place) {
  json held = json::object();
  for (int e = 0; e < kEdges; ++e)
    if (t.held[e] > 0) held[kEdgeNames[e]] = tenths(t.held[e]);
  return {{"place", place},
          {"count", t.count},
          {"busy", tenths(t.busy)},
          {"critical", tenths(t.critical)},
          {"bytes", t.bytes},
          {"past_l2", t.past_l2},
          {"operations", t.operations},
          {"small", t.small},
          {"unaligned", t.unaligned},
          {"shared", tenths(t.shared)},
          {"conflicts", tenths(t.conflicts)},
          {"held", held}};
}

json kernel_of(const KernelTotals& k) {
  json places = json::array();
  for (size_t i = 0; i < k.places.size(); ++i) {
    const PlaceTotals& t = k.places[i];
    bool held = false;
    for (Cycles c : t.held) held |= c > 0;
    if (t.count || t.critical > 0 || held) places.push_back(totals_of(t, i));
  }
  json users = json::object();
  for (int p = 0; p < kPipes; ++p) users[name_of(static_cast<Pipe>(p))] = k.users[p];
  return {{"name", k.name},
          {"users", users},
          {"file", k.file},
          {"line", k.line},
          {"launches", k.launches},
          {"cores", k.cores},
          {"blocks", {{"last", k.blocks}, {"fewest", k.fewest_blocks}, {"most", k.most_blocks}}},
          {"cubes", k.cubes},
          {"vectors", k.vectors},
          {"cycles",
           {{"all", tenths(k.cycles)}, {"shortest", tenths(k.shortest)}, {"longest", tenths(k.longest)}}},
          {"busy", by_pipe(k.busy)},
          {"critical", by_pipe(k.critical)},
          {"sync", tenths(k.sync)},
          {"shared", tenths(k.shared)},
          {"unknown", tenths(k.unknown)},
          {"bandwidth", tenths(k.bandwidth)},
          {"gm_read", k.gm_read},
          {"gm_write", k.gm_write},
          {"l2_hits", k.l2_hits},
          {"vector_operations", k.vector_operations},
          {"cube_operations", k.cube_operations},
          {"events", k.events},
          {"places", places}};
}

/// [launch, core, cube, pipe, start, free, done, place, by, edge, wait, critical, shared]; -1 for none.
json events_of(const Profiler& profiler) {
  json all = json::array();
  const auto number = [](uint32_t n) { return n == kNone ? -1 : static_cast<int64_t>(n); };
  for (const KeptEvent& k : profiler.kept()) {
    const Event& e = k.event;
    all.push_back(json::array({k.launch, k.core, k.cube ? 1 : 0, static_cast<int>(e.pipe), tenths(e.start),
                               tenths(e.free), tenths(e.done), e.place, number(e.by),
                               kEdgeNames[static_cast<int>(e.edge)], number(e.wait), e.critical ? 1 : 0,
                               e.shared ? 1 : 0}));
  }
  return all;
}

}  // namespace

std::string report(const Profiler& profiler) {
  json kernels = json::array(), launches = json::array(), pipes = json::array();
  for (const KernelTotals& k : profiler.kernels()) kernels.push_back(kernel_of(k));
  for (const KeptLaunch& l : profiler.launches())
    launches.push_back({{"kernel", l.kernel}, {"start", tenths(l.start)}, {"cycles", tenths(l.cycles)}});
  for (int p = 0; p < kPipes; ++p) pipes.push_back(name_of(static_cast<Pipe>(p)));
  const json all = {{"format", 1},
                    {"chip", chip()},
                    {"figures", figures_used(profiler)},
                    {"places", places_of(profiler)},
                    {"kernels", kernels},
                    {"timeline",
                     {{"pipes", pipes},
                      {"launches", launches},
                      {"events", events_of(profiler)},
                      {"left_out", profiler.left_out()}}}};
  return all.dump() + "\n";
}

}  // namespace toprope::trace
