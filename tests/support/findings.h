// What a check finds in a piece of kernel code. Places that are known already do not count again, so every
// kernel under test has lines of its own.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "check/report.h"
#include "kernel_operator.h"
#include "machine/run.h"

namespace toprope::test {

/// How a kernel under test is launched.
struct Shape {
  uint32_t blocks = 1;
  uint8_t cubes = 0, vectors = 1;
  bool automatic_sync = true;
};

template <class Body>
LaunchStatus run_shaped(Body body, Shape shape) {
  Launch launch;
  launch.kernel = "test_kernel";
  launch.blocks = shape.blocks;
  launch.cubes = shape.cubes;
  launch.vectors = shape.vectors;
  launch.automatic_sync = shape.automatic_sync;
  launch.call = [](void* state) { (*static_cast<Body*>(state))(); };
  launch.state = &body;
  return run(launch);
}

/// The findings that `body` adds while Check watches. The kernel must end well.
template <class Check, class Body>
std::vector<check::Finding> findings(Body body, Shape shape = {}) {
  std::vector<check::Finding> found;
  const size_t before = check::reporter().size();
  {
    Check watcher;
    install(&watcher);
    const LaunchStatus status = run_shaped(body, shape);
    uninstall(&watcher);
    EXPECT_EQ(status.report, "");
  }
  for (size_t i = before; i < check::reporter().size(); ++i) found.push_back(check::reporter()[i]);
  return found;
}

inline std::string text_of(const check::Finding& f) {
  std::string text = std::string(f.rule) + ": " + f.message + "\n";
  for (const check::Place& p : f.places) text += "  " + p.role + "\n";
  return text + "  cure: " + f.cure + "\n";
}

inline std::string text_of(const std::vector<check::Finding>& all) {
  std::string text;
  for (const auto& f : all) text += text_of(f);
  return text;
}

/// Exactly one finding, of `rule`, whose text has all of `parts`.
inline void expect_one(const std::vector<check::Finding>& found, const std::string& rule,
                       const std::vector<std::string>& parts = {}) {
  ASSERT_EQ(found.size(), 1u) << text_of(found);
  EXPECT_EQ(found[0].rule, rule) << text_of(found);
  const std::string text = text_of(found[0]);
  for (const std::string& part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << "\"" << part << "\" is not in:\n" << text;
}

inline void expect_silent(const std::vector<check::Finding>& found) { EXPECT_EQ(text_of(found), ""); }

/// Arrays that kernels under test use as global memory.
struct Arrays {
  std::vector<float> in = std::vector<float>(1024, 1), out = std::vector<float>(1024);
  AscendC::GlobalTensor<float> source() { return view(in); }
  AscendC::GlobalTensor<float> target() { return view(out); }
  static AscendC::GlobalTensor<float> view(std::vector<float>& v) {
    AscendC::GlobalTensor<float> t;
    t.SetGlobalBuffer(v.data(), v.size());
    return t;
  }
};

/// A tensor at a place of the kernel's choice in UB.
inline AscendC::LocalTensor<float> ub(uint32_t at, uint32_t elements = 64) {
  return {AscendC::TPosition::VECCALC, at, elements};
}

}  // namespace toprope::test
