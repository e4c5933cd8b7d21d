// What the machine refuses is a finding, too, with the line and the cure that the report has.
#include "check/fault.h"

#include "support/findings.h"

namespace {

using namespace AscendC;
using toprope::check::Faults;
using toprope::check::reporter;

template <class Body>
toprope::check::Finding finding_of(Body body, uint32_t blocks = 1) {
  Faults faults;
  toprope::install(&faults);
  const size_t before = reporter().size();
  const auto status = toprope::test::run_shaped(body, {blocks});
  toprope::uninstall(&faults);
  EXPECT_NE(status.report, "");
  EXPECT_EQ(reporter().size(), before + 1);
  return reporter().size() > before ? reporter()[before] : toprope::check::Finding{};
}

TEST(Faults, ARefusedInstruction) {
  const auto f = finding_of([] { Adds(toprope::test::ub(0), toprope::test::ub(256), 1.0f, 65); });
  EXPECT_STREQ(f.rule, "fault.refused");
  EXPECT_NE(f.message.find("Adds: dst ends 4 bytes past its tensor"), std::string::npos) << f.message;
  EXPECT_NE(f.cure, "");
  EXPECT_EQ(f.kernel, "test_kernel");
  EXPECT_TRUE(f.shown);
}

TEST(Faults, ADeadlock) {
  const auto f = finding_of(
      [] {
        if (GetBlockIdx() == 0) SyncAll();
      },
      2);
  EXPECT_STREQ(f.rule, "fault.deadlock");
  EXPECT_NE(f.message.find("not reached by AIV 1"), std::string::npos) << f.message;
  ASSERT_EQ(f.places.size(), 1u);
  EXPECT_NE(f.places[0].site, nullptr);
}

}  // namespace
