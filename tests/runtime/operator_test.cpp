#include "runtime/operator.h"

#include <cmath>

#include "acl/acl_op_compiler.h"
#include "support/acl_fixture.h"

namespace toprope::test {
namespace {

TEST(Operands, TensorDescriptions) {
  const int64_t dims[] = {2, 3, 5};
  aclTensorDesc* desc = aclCreateTensorDesc(ACL_FLOAT16, 3, dims, ACL_FORMAT_ND);
  ASSERT_NE(desc, nullptr);
  EXPECT_EQ(aclGetTensorDescType(desc), ACL_FLOAT16);
  EXPECT_EQ(aclGetTensorDescFormat(desc), ACL_FORMAT_ND);
  EXPECT_EQ(aclGetTensorDescNumDims(desc), 3u);
  EXPECT_EQ(aclGetTensorDescElementCount(desc), 30u);
  EXPECT_EQ(aclGetTensorDescSize(desc), 60u);
  int64_t dim = 0;
  ASSERT_EQ(aclGetTensorDescDimV2(desc, 2, &dim), ACL_SUCCESS);
  EXPECT_EQ(dim, 5);
  EXPECT_EQ(aclGetTensorDescDimV2(desc, 3, &dim), ACL_ERROR_INVALID_PARAM);
  aclSetTensorDescName(desc, "x");
  EXPECT_STREQ(aclGetTensorDescName(desc), "x");
  const int64_t storage[] = {1, 2, 16, 16};
  ASSERT_EQ(aclSetTensorFormat(desc, ACL_FORMAT_FRACTAL_NZ), ACL_SUCCESS);
  ASSERT_EQ(aclSetTensorShape(desc, 4, storage), ACL_SUCCESS);
  EXPECT_EQ(desc->storage_format, ACL_FORMAT_FRACTAL_NZ);
  EXPECT_EQ(desc->storage_shape, std::vector<int64_t>(storage, storage + 4));
  EXPECT_EQ(aclGetTensorDescFormat(desc), ACL_FORMAT_ND) << "the description's own format stays";
  aclDestroyTensorDesc(desc);
  EXPECT_EQ(aclCreateTensorDesc(ACL_FLOAT, -1, dims, ACL_FORMAT_ND), nullptr);
  EXPECT_EQ(aclCreateTensorDesc(ACL_FLOAT, 1, nullptr, ACL_FORMAT_ND), nullptr);
  aclTensorDesc* scalar = aclCreateTensorDesc(ACL_INT4, 0, nullptr, ACL_FORMAT_ND);
  ASSERT_NE(scalar, nullptr);
  EXPECT_EQ(aclGetTensorDescElementCount(scalar), 1u);
  EXPECT_EQ(aclGetTensorDescSize(scalar), 1u) << "4 bits take a byte";
  aclDestroyTensorDesc(scalar);
}

TEST(Operands, ElementSizes) {
  EXPECT_EQ(aclDataTypeSize(ACL_BOOL), 1u);
  EXPECT_EQ(aclDataTypeSize(ACL_BF16), 2u);
  EXPECT_EQ(aclDataTypeSize(ACL_COMPLEX32), 4u);
  EXPECT_EQ(aclDataTypeSize(ACL_INT64), 8u);
  EXPECT_EQ(aclDataTypeSize(ACL_COMPLEX128), 16u);
  EXPECT_EQ(aclDataTypeSize(ACL_STRING), 0u);
}

TEST(Operands, BinarySixteen) {
  // IEEE 754: 1.0 = 0x3c00, largest 65504 = 0x7bff, smallest denormal 2^-24 = 0x0001; ties go to even.
  EXPECT_EQ(aclFloatToFloat16(1.0f), 0x3c00);
  EXPECT_EQ(aclFloatToFloat16(-2.5f), 0xc100);
  EXPECT_EQ(aclFloatToFloat16(65504.0f), 0x7bff);
  EXPECT_EQ(aclFloatToFloat16(65520.0f), 0x7c00);
  EXPECT_EQ(aclFloatToFloat16(0x1p-24f), 0x0001);
  EXPECT_EQ(aclFloatToFloat16(1.0f + 0x1p-11f), 0x3c00);
  EXPECT_EQ(aclFloatToFloat16(1.0f + 0x3p-11f), 0x3c02);
  EXPECT_EQ(aclFloat16ToFloat(0x3555), 0.333251953125f);
  EXPECT_TRUE(std::isnan(aclFloat16ToFloat(0x7e00)));
  for (uint32_t bits = 0; bits < 0x7c00; ++bits)
    EXPECT_EQ(aclFloatToFloat16(aclFloat16ToFloat(static_cast<aclFloat16>(bits))), bits);
}

TEST(Operands, Attributes) {
  aclopAttr* attr = aclopCreateAttr();
  ASSERT_EQ(aclopSetAttrBool(attr, "flag", 2), ACL_SUCCESS);
  ASSERT_EQ(aclopSetAttrInt(attr, "n", -7), ACL_SUCCESS);
  ASSERT_EQ(aclopSetAttrInt(attr, "n", 8), ACL_SUCCESS);
  ASSERT_EQ(aclopSetAttrString(attr, "mode", "floor"), ACL_SUCCESS);
  const int64_t row0[] = {1, 2}, row1[] = {3};
  const int64_t* const rows[] = {row0, row1};
  const int counts[] = {2, 1};
  ASSERT_EQ(aclopSetAttrListListInt(attr, "rows", 2, counts, rows), ACL_SUCCESS);
  const uint8_t bools[] = {0, 3};
  ASSERT_EQ(aclopSetAttrListBool(attr, "bools", 2, bools), ACL_SUCCESS);
  EXPECT_EQ(std::get<bool>(attr->values.at("flag")), true);
  EXPECT_EQ(std::get<int64_t>(attr->values.at("n")), 8);
  EXPECT_EQ(std::get<std::string>(attr->values.at("mode")), "floor");
  EXPECT_EQ(std::get<std::vector<std::vector<int64_t>>>(attr->values.at("rows")),
            (std::vector<std::vector<int64_t>>{{1, 2}, {3}}));
  EXPECT_EQ(std::get<std::vector<bool>>(attr->values.at("bools")), (std::vector<bool>{false, true}));
  EXPECT_EQ(aclopSetAttrInt(attr, nullptr, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclopSetAttrListInt(attr, "v", 2, nullptr), ACL_ERROR_INVALID_PARAM);
  aclopDestroyAttr(attr);
}

std::string executed;

aclError record(const char* type, int inputs, const aclTensorDesc* const*,
                const aclDataBuffer* const* buffers, int outputs, aclTensorDesc* const* descs,
                aclDataBuffer* const*, const aclopAttr* attr, aclrtStream) {
  executed = std::string(type) + " " + std::to_string(inputs) + " " + std::to_string(outputs) + " " +
             std::to_string(aclGetDataBufferSizeV2(buffers[0])) + " " + std::to_string(attr->values.size());
  descs[0]->shape = {9};
  return ACL_SUCCESS;
}

TEST(Operator, GoesToTheHookByName) {
  const int64_t dims[] = {4};
  aclTensorDesc* desc = aclCreateTensorDesc(ACL_FLOAT, 1, dims, ACL_FORMAT_ND);
  int data[4];
  aclDataBuffer* buffer = aclCreateDataBuffer(data, sizeof data);
  aclopAttr* attr = aclopCreateAttr();
  aclopSetAttrInt(attr, "axis", 1);
  auto run = [&](const char* type) {
    return aclopCompileAndExecute(type, 1, &desc, &buffer, 1, &desc, &buffer, attr, ACL_ENGINE_SYS,
                                  ACL_COMPILE_SYS, nullptr, nullptr);
  };
  AclopHook before = toprope_set_aclop_hook(nullptr);
  EXPECT_EQ(run("Add"), ACL_ERROR_OP_NOT_FOUND);
  EXPECT_TRUE(contains(message(), "operator Add"));
  toprope_set_aclop_hook(record);
  EXPECT_EQ(run("Add"), ACL_SUCCESS);
  EXPECT_EQ(executed, "Add 1 1 16 1");
  EXPECT_EQ(desc->shape[0], 4) << "this form leaves the caller's description alone";
  EXPECT_EQ(aclopCompileAndExecuteV2("Sub", 1, &desc, &buffer, 1, &desc, &buffer, attr, ACL_ENGINE_SYS,
                                     ACL_COMPILE_SYS, nullptr, nullptr),
            ACL_SUCCESS);
  EXPECT_EQ(desc->shape[0], 9) << "this one changes it";
  EXPECT_EQ(run(""), ACL_ERROR_INVALID_PARAM);
  aclDataBuffer* none = nullptr;
  EXPECT_EQ(aclopCompileAndExecute("Add", 1, &desc, &none, 1, &desc, &buffer, attr, ACL_ENGINE_SYS,
                                   ACL_COMPILE_SYS, nullptr, nullptr),
            ACL_ERROR_INVALID_PARAM);
  toprope_set_aclop_hook(before);
  aclopDestroyAttr(attr);
  aclDestroyDataBuffer(buffer);
  aclDestroyTensorDesc(desc);
}

TEST(Operator, CompileOptionsAreRemembered) {
  char value[16];
  ASSERT_EQ(aclGetCompileoptSize(ACL_OP_JIT_COMPILE), sizeof "disable");
  ASSERT_EQ(aclGetCompileopt(ACL_OP_JIT_COMPILE, value, sizeof value), ACL_SUCCESS);
  EXPECT_STREQ(value, "disable");
  ASSERT_EQ(aclSetCompileopt(ACL_PRECISION_MODE, "must_keep_origin_dtype"), ACL_SUCCESS);
  EXPECT_EQ(aclGetCompileopt(ACL_PRECISION_MODE, value, sizeof value), ACL_ERROR_INVALID_PARAM)
      << "too short";
  EXPECT_TRUE(contains(message(), "needs 23 bytes, 16 are given"));
}

}  // namespace
}  // namespace toprope::test
