#include "machine/queue_report.h"

#include "machine/symbolize.h"

namespace toprope {

const char* position_name(uint8_t position) {
  constexpr const char* names[Buffers::kPositions] = {
      "GM",    "A1",     "A2",      "B1",  "B2",   "C1",        "C2",           "CO1", "CO2",
      "VECIN", "VECOUT", "VECCALC", "SPM", "TSCM", "C2PIPE2GM", "C2PIPE2LOCAL", "MAX", "?"};
  return names[position < Buffers::kPositions ? position : Buffers::kPositions - 1];
}

std::string place_of(Site site) {
  const std::string text = describe(site);
  return text.empty() ? "an unknown line" : text;
}

std::string describe_queue(const Queue& q) {
  return (q.count == 1 ? "1 buffer of " : std::to_string(q.count) + " buffers of ") +
         std::to_string(q.blocks[0].end - q.blocks[0].begin) + " bytes on " + position_name(q.spec.position) +
         ", InitBuffer at " + place_of(q.site);
}

}  // namespace toprope
