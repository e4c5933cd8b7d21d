#include "check/fault.h"

#include <string>

#include "machine/run.h"

namespace toprope::check {

void Faults::on_refusal(const Refusal& r) {
  Finding f;
  f.check = "fault";
  f.rule = r.fault == Fault::Deadlock ? "fault.deadlock" : "fault.refused";
  f.message = std::string(r.instruction) + ": " + std::string(r.what);
  f.cure = r.cure;
  f.places = {{std::string(r.instruction) + " is called here",
               std::string(r.instruction.substr(0, r.instruction.find_first_of("<( "))), r.site}};
  f.kernel = r.launch.kernel;
  f.block = r.block;
  f.shown = true;
  reporter().add(std::move(f));
}

}  // namespace toprope::check
