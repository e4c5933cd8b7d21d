// A kernel gets the fields that the host wrote, whole, one by one or in place.
#include "front/launch.h"

namespace toprope::test {
namespace {

struct Plain {
  uint32_t total;
  uint8_t tiles;
  float rate;
};
struct Special {
  uint64_t other;
};

const Plain host{1 << 20, 7, 0.25f};
uint8_t* arg() { return reinterpret_cast<uint8_t*>(const_cast<Plain*>(&host)); }

TEST(Tiling, TheRegisteredStructIsRead) {
  static Plain seen;
  expect_clean(launch([] {
    REGISTER_TILING_DEFAULT(Plain);
    REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR == 1", Special);
    GET_TILING_DATA(data, arg());
    seen = data;
  }));
  EXPECT_EQ(seen.total, host.total);
  EXPECT_EQ(seen.tiles, host.tiles);
  EXPECT_EQ(seen.rate, host.rate);
}

TEST(Tiling, AnotherStructOneMemberOrAPointer) {
  static uint64_t other;
  static float rate;
  static const Plain* at;
  expect_clean(launch([] {
    GET_TILING_DATA_WITH_STRUCT(Special, data, arg());
    GET_TILING_DATA_MEMBER(Plain, rate, member, arg());
    GET_TILING_DATA_PTR_WITH_STRUCT(Plain, pointer, arg());
    other = data.other;
    rate = member;
    at = pointer;
  }));
  EXPECT_EQ(other & 0xffffffff, host.total);
  EXPECT_EQ(rate, 0.25f);
  EXPECT_EQ(at, &host);
}

struct Nested {
  Plain plain;
  uint64_t numbers[2];
};

TEST(Tiling, PartsAreCopied) {  // the examples of COPY_TILING_WITH_STRUCT and COPY_TILING_WITH_ARRAY
  static const Nested nested{host, {11, 12}};
  static uint32_t total, total_by_address;
  static uint64_t numbers[2], first;
  static bool apart;
  expect_clean(launch([] {
    GET_TILING_DATA_PTR_WITH_STRUCT(Nested, data, reinterpret_cast<uint8_t*>(const_cast<Nested*>(&nested)));
    COPY_TILING_WITH_STRUCT(Plain, data->plain, plain);
    COPY_TILING_WITH_ARRAY(uint64_t, 2, data->numbers, array);
    total = plain->total;
    numbers[0] = (*array)[0];
    numbers[1] = (*array)[1];
    apart = plain != &data->plain && array != &data->numbers;
    const uint64_t* at = data->numbers;
    COPY_TILING_WITH_ARRAY(uint64_t, 1, at, by_address);
    COPY_TILING_WITH_STRUCT(Plain, &data->plain, plain_by_address);
    first = (*by_address)[0];
    total_by_address = plain_by_address->total;
  }));
  EXPECT_EQ(total, host.total);
  EXPECT_EQ(total_by_address, host.total);
  EXPECT_EQ(numbers[0], 11u);
  EXPECT_EQ(numbers[1], 12u);
  EXPECT_EQ(first, 11u);
  EXPECT_TRUE(apart);
}

TEST(Tiling, OneOfTwoKeys) {
  static int branch;
  const auto kernel = [] {
    if (TILING_KEY_LIST(1, 2))
      branch = 1;
    else if (TILING_KEY_LIST(3, 4))
      branch = 2;
  };
  const int want[] = {0, 1, 1, 2, 2, 0};
  for (uint64_t key = 0; key < 6; ++key) {
    branch = 0;
    set_tiling_key(key);
    expect_clean(launch(kernel));
    EXPECT_EQ(branch, want[key]) << key;
  }
  set_tiling_key(0);
}

TEST(Tiling, TheKeyChoosesTheBranch) {
  static int branch;
  const auto kernel = [] {
    if (TILING_KEY_IS(1)) {
      branch = 1;
    } else if (TILING_KEY_IS(10000000000000000001ULL)) {
      branch = 2;
    }
  };
  branch = 0;
  expect_clean(launch(kernel));
  EXPECT_EQ(branch, 0);
  set_tiling_key(1);
  expect_clean(launch(kernel));
  EXPECT_EQ(branch, 1);
  set_tiling_key(10000000000000000001ULL);
  expect_clean(launch(kernel));
  EXPECT_EQ(branch, 2);
  set_tiling_key(0);
}

}  // namespace
}  // namespace toprope::test
