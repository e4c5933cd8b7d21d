// The C API from several threads, and what pypto never asks of it.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "pto/pto.h"

namespace {

struct Tensor {
  pto_tensor* handle = nullptr;
  Tensor(pto_dtype type, std::vector<int64_t> shape) {
    EXPECT_EQ(pto_tensor_create(type, static_cast<int>(shape.size()), shape.data(), &handle), PTO_OK);
  }
  ~Tensor() { pto_tensor_free(handle); }
  float* data() const { return static_cast<float*>(pto_tensor_data(handle)); }
};

struct Insn {
  pto_insn* handle = nullptr;
  explicit Insn(const char* name) { EXPECT_EQ(pto_insn_load(name, &handle), PTO_OK) << pto_last_error(); }
  ~Insn() { pto_insn_free(handle); }
};

class Api : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(pto_init(), PTO_OK); }
  void TearDown() override { pto_init(); }
};

TEST_F(Api, AddsFiveNumbers) {
  Tensor a(PTO_FLOAT32, {5}), b(PTO_FLOAT32, {5}), c(PTO_FLOAT32, {5});
  const float values[] = {1, 2, 3, 4, 5};
  ASSERT_EQ(pto_tensor_write(a.handle, values, sizeof values), PTO_OK);
  ASSERT_EQ(pto_tensor_copy(b.handle, a.handle), PTO_OK);
  Insn add("add");
  EXPECT_EQ(pto_insn_id(add.handle), 0x1001u);
  ASSERT_EQ(pto_insn_bind(add.handle, 0, a.handle), PTO_OK);
  ASSERT_EQ(pto_insn_bind(add.handle, 1, b.handle), PTO_OK);
  ASSERT_EQ(pto_insn_bind(add.handle, 2, c.handle), PTO_OK);
  ASSERT_EQ(pto_insn_execute(add.handle), PTO_OK);
  float result[5];
  ASSERT_EQ(pto_tensor_read(c.handle, result, sizeof result), PTO_OK);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(result[i], 2 * values[i]);
}

TEST_F(Api, IdsRiseAndAreGroupedByFamily) {
  uint32_t last = 0;
  for (size_t i = 0; i < pto_insn_count(); ++i) {
    Insn insn(pto_insn_name_at(i));
    const uint32_t id = pto_insn_id(insn.handle);
    EXPECT_GT(id, last) << pto_insn_name_at(i);
    EXPECT_STREQ(pto_insn_name(insn.handle), pto_insn_name_at(i));
    EXPECT_STRNE(pto_insn_summary(insn.handle), "");
    last = id;
  }
  EXPECT_EQ(pto_insn_name_at(pto_insn_count()), nullptr);
}

TEST_F(Api, NullPointersAndSizesAreRefused) {
  EXPECT_EQ(pto_insn_load("add", nullptr), PTO_INVALID_ARGUMENT);
  pto_insn* insn = nullptr;
  EXPECT_EQ(pto_insn_load(nullptr, &insn), PTO_INVALID_ARGUMENT);
  EXPECT_EQ(pto_insn_execute(nullptr), PTO_INVALID_ARGUMENT);
  EXPECT_EQ(pto_insn_bind(nullptr, 0, nullptr), PTO_INVALID_ARGUMENT);
  pto_insn_free(nullptr);
  pto_tensor_free(nullptr);
  Insn add("add");
  EXPECT_EQ(pto_insn_bind(add.handle, 0, nullptr), PTO_INVALID_ARGUMENT);
  pto_tensor* tensor = nullptr;
  const int64_t shape[] = {2, -1};
  EXPECT_EQ(pto_tensor_create(PTO_FLOAT32, 2, shape, &tensor), PTO_INVALID_ARGUMENT);
  EXPECT_EQ(pto_tensor_create(PTO_FLOAT32, 9, shape, &tensor), PTO_INVALID_ARGUMENT);
  EXPECT_EQ(pto_tensor_create(static_cast<pto_dtype>(99), 1, shape, &tensor), PTO_INVALID_ARGUMENT);
  EXPECT_EQ(pto_tensor_wrap(PTO_FLOAT32, 1, shape, nullptr, 0, &tensor), PTO_INVALID_ARGUMENT);
  EXPECT_EQ(tensor, nullptr);
  Tensor five(PTO_FLOAT32, {5});
  char bytes[20];
  EXPECT_EQ(pto_tensor_read(five.handle, bytes, 19), PTO_SHAPE_MISMATCH);
  EXPECT_NE(std::string(pto_last_error()).find("19 bytes were given"), std::string::npos);
}

TEST_F(Api, HugeShapesAreRefusedNotWrapped) {
  pto_tensor* tensor = nullptr;
  const int64_t shape[] = {int64_t{1} << 40, int64_t{1} << 40};
  EXPECT_EQ(pto_tensor_create(PTO_FLOAT32, 2, shape, &tensor), PTO_OUT_OF_MEMORY);
  const int64_t none[] = {0, int64_t{1} << 40};
  ASSERT_EQ(pto_tensor_create(PTO_FLOAT32, 2, none, &tensor), PTO_OK);
  EXPECT_EQ(pto_tensor_bytes(tensor), 0u);
  pto_tensor_free(tensor);
}

TEST_F(Api, TheErrorIsTheCallingThreads) {
  pto_insn* insn = nullptr;
  EXPECT_EQ(pto_insn_load("no such thing", &insn), PTO_NOT_FOUND);
  const std::string mine = pto_last_error();
  std::thread([&] { EXPECT_STREQ(pto_last_error(), ""); }).join();
  EXPECT_EQ(pto_last_error(), mine);
}

TEST_F(Api, ATensorOutlivesItsOwnHandleWhileBound) {
  Insn neg("neg");
  const int64_t shape[] = {4};
  pto_tensor* t = nullptr;
  ASSERT_EQ(pto_tensor_create(PTO_FLOAT32, 1, shape, &t), PTO_OK);
  static_cast<float*>(pto_tensor_data(t))[0] = 3;
  Tensor out(PTO_FLOAT32, {4});
  ASSERT_EQ(pto_insn_bind(neg.handle, 0, t), PTO_OK);
  ASSERT_EQ(pto_insn_bind(neg.handle, 1, out.handle), PTO_OK);
  pto_tensor_free(t);
  ASSERT_EQ(pto_insn_execute(neg.handle), PTO_OK);
  EXPECT_EQ(out.data()[0], -3);
}

TEST_F(Api, AHandleAThread) {
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int k = 0; k < 8; ++k)
    threads.emplace_back([&, k] {
      Tensor a(PTO_FLOAT32, {1000}), c(PTO_FLOAT32, {1000});
      for (int round = 0; round < 200; ++round) {
        Insn adds("adds");
        pto_insn_bind(adds.handle, 0, a.handle);
        pto_insn_bind(adds.handle, 1, c.handle);
        pto_insn_set_int(adds.handle, "scalar", k);
        if (pto_insn_execute(adds.handle) != PTO_OK || c.data()[999] != static_cast<float>(k)) ++wrong;
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(Api, AttributesHaveDefaultsAndKinds) {
  Insn divs("divs");
  ASSERT_EQ(pto_insn_attribute_count(divs.handle), 2);
  pto_attribute_info info;
  ASSERT_EQ(pto_insn_attribute(divs.handle, 1, &info), PTO_OK);
  EXPECT_STREQ(info.name, "reverse");
  EXPECT_EQ(info.kind, PTO_ATTRIBUTE_BOOL);
  EXPECT_TRUE(info.has_default);
  EXPECT_EQ(pto_insn_set_int(divs.handle, "reverse", 2), PTO_INVALID_ARGUMENT);
  EXPECT_EQ(pto_insn_set_float(divs.handle, "reverse", 0.5), PTO_INVALID_ARGUMENT);
  EXPECT_EQ(pto_insn_set_float(divs.handle, "scalar", NAN), PTO_OK);
  EXPECT_EQ(pto_insn_set_choice(divs.handle, "scalar", "one"), PTO_INVALID_ARGUMENT);
  EXPECT_EQ(pto_insn_attribute(divs.handle, 2, &info), PTO_NOT_FOUND);
}

TEST_F(Api, InfersOutputs) {
  Insn matmul("matmul");
  Tensor a(PTO_FLOAT16, {3, 4}), b(PTO_FLOAT16, {4, 5});
  pto_dtype type;
  int rank;
  int64_t shape[PTO_MAX_RANK];
  ASSERT_EQ(pto_insn_bind(matmul.handle, 0, a.handle), PTO_OK);
  EXPECT_EQ(pto_insn_infer(matmul.handle, 2, &type, &rank, shape), PTO_SHAPE_MISMATCH);
  ASSERT_EQ(pto_insn_bind(matmul.handle, 1, b.handle), PTO_OK);
  ASSERT_EQ(pto_insn_infer(matmul.handle, 2, &type, &rank, shape), PTO_OK) << pto_last_error();
  EXPECT_EQ(type, PTO_FLOAT16);
  ASSERT_EQ(rank, 2);
  EXPECT_EQ(shape[0], 3);
  EXPECT_EQ(shape[1], 5);
}

TEST_F(Api, ExecutionNeedsTheContext) {
  Insn neg("neg");
  Tensor t(PTO_FLOAT32, {4});
  ASSERT_EQ(pto_insn_bind(neg.handle, 0, t.handle), PTO_OK);
  ASSERT_EQ(pto_insn_bind(neg.handle, 1, t.handle), PTO_OK);
  ASSERT_EQ(pto_finalize(), PTO_OK);
  EXPECT_FALSE(pto_is_initialized());
  EXPECT_EQ(pto_insn_execute(neg.handle), PTO_NOT_INITIALIZED);
  pto_insn* insn = nullptr;
  EXPECT_EQ(pto_insn_load("neg", &insn), PTO_NOT_INITIALIZED);
  ASSERT_EQ(pto_init(), PTO_OK);
  EXPECT_EQ(pto_insn_execute(neg.handle), PTO_OK);
}

TEST_F(Api, TheVersionIsTheHeaders) {
  EXPECT_EQ(pto_version(), PTO_VERSION_MAJOR * 1000 + PTO_VERSION_MINOR);
}

}  // namespace
