// Kernels of any shape, and what a refused one must say.
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "kernel_operator.h"
#include "machine/run.h"

namespace toprope::test {

/// Runs `body` on every core of `blocks` blocks of `cubes` AICs and `vectors` AIVs.
template <class Body>
LaunchStatus launch(uint32_t blocks, uint8_t cubes, uint8_t vectors, Body body) {
  Launch l;
  l.kernel = "test_kernel";
  l.blocks = blocks;
  l.cubes = cubes;
  l.vectors = vectors;
  l.call = [](void* state) { (*static_cast<Body*>(state))(); };
  l.state = &body;
  return run(l);
}

template <class Body>
LaunchStatus launch(Body body) {
  return launch(1, 0, 1, body);
}

inline void expect_clean(const LaunchStatus& status) {
  EXPECT_EQ(status.fault, Fault::None) << status.report;
}

/// The launch failed, and the report has every one of `parts`.
template <class... Parts>
void expect_refused(const LaunchStatus& status, Fault fault, const Parts&... parts) {
  EXPECT_EQ(status.fault, fault) << status.report;
  for (const std::string& part : {std::string(parts)...})
    EXPECT_NE(status.report.find(part), std::string::npos) << "\"" << part << "\" is not in:\n"
                                                           << status.report;
}

template <class... Parts>
void expect_refused(const LaunchStatus& status, const char* first, const Parts&... parts) {
  expect_refused(status, Fault::Exception, first, parts...);
}

}  // namespace toprope::test
