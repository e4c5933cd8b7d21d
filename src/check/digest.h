// A line for every launch that says what it left in the device memory it wrote: two runs whose lines differ
// computed different numbers.
#pragma once
#include <cstdio>
#include <string>

#include "check/intervals.h"
#include "machine/observer.h"
#include "machine/run.h"

namespace toprope::check {

/// Installed by TOPROPE_DIGEST=<file>. A line is a JSON object: launch (counted from 1), kernel, file, line,
/// and for each run of written bytes its offset in its allocation, its length and a hash.
class Digest final : public Observer {
 public:
  explicit Digest(const char* path);
  ~Digest() override;
  void on_launch(const Launch&, bool begins) override;
  void on_instruction(Core&, const Instruction&, std::span<const Access>, Site) override;

 private:
  std::FILE* file_;
  uint64_t launches_ = 0;
  Intervals<bool> written_;
};

}  // namespace toprope::check
