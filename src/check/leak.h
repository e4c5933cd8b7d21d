// Device memory that is never freed, freed twice, or given to the wrong function.
#pragma once
#include "check/report.h"

namespace toprope::check {

class Leak final : public Observer {
 public:
  /// The end of the process: what is still allocated has leaked.
  ~Leak() override;
  void on_host(const HostEvent& event, Site site) override;
};

}  // namespace toprope::check
