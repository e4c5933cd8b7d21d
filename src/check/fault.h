// What ended a launch, as a finding: for the JSON file, the exit code and the suppressions' reader. The
// machine shows the report itself.
#pragma once
#include "check/report.h"

namespace toprope::check {

class Faults final : public Observer {
 public:
  void on_refusal(const Refusal& refusal) override;
};

}  // namespace toprope::check
