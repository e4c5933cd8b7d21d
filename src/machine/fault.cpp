#include "machine/fault.h"

#include "machine/core_state.h"
#include "machine/symbolize.h"

namespace toprope {

KernelAbort refusal(const Core& core, std::string_view instruction, std::string_view what,
                    std::string_view cure, Site site, Fault fault) {
  const Composed& composed = core.state->composed;
  if (composed.site) site = composed.site;
  std::string text = "toprope: error: ";
  if (composed.name && composed.name != instruction) text.append(composed.name).append(": ");
  text.append(instruction).append(": ").append(what).append("\n");
  if (const std::string where = describe(site); !where.empty()) text += "  at " + where + "\n";
  const Launch& launch = *core.state->launch;
  text += "  in kernel " + std::string(launch.kernel) + ", block " + std::to_string(core.block_idx) +
          (core.cube ? " (cube core)" : " (vector core)");
  if (launch.line) text += ", launched at " + std::string(launch.file) + ":" + std::to_string(launch.line);
  text += "\n";
  if (!cure.empty()) text.append("  cure: ").append(cure).append("\n");
  if (core.watched)
    for (Observer* o : observers(Heard::Refusal))
      o->on_refusal({launch, fault, static_cast<int>(core.block_idx), instruction, what, cure, site});
  return {fault, std::move(text)};
}

void refuse(Core& core, std::string_view instruction, std::string_view what, std::string_view cure, Site site,
            Fault fault) {
  throw refusal(core, instruction, what, cure, site, fault);
}

}  // namespace toprope
