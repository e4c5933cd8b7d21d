"""Operator projects of the older kind, from their definition to calls through the generated aclnn interface."""

from __future__ import annotations

import re
import subprocess

import pytest

PROJECT = """
cmake_minimum_required(VERSION 3.16.0)
project(opp)
find_package(ASC REQUIRED)
set(ASCEND_COMPUTE_UNIT ascend910b ascend910_93)
npu_op_package(mine TYPE {type} CONFIG INSTALL_PATH ${{CMAKE_BINARY_DIR}}/out)
npu_op_code_gen(SRC host.cpp PACKAGE mine OUT_DIR ${{ASCEND_AUTOGEN_PATH}})
file(GLOB interfaces ${{ASCEND_AUTOGEN_PATH}}/aclnn_*.cpp)
npu_op_library(cust_opapi ACLNN ${{interfaces}})
target_compile_options(cust_opapi PRIVATE -fvisibility=hidden)
npu_op_library(cust_optiling TILING host.cpp)
npu_op_kernel_options(kernels ALL OPTIONS -DPLUS=100 --tiling_key=1)
npu_op_kernel_library(kernels SRC_BASE ${{CMAKE_CURRENT_SOURCE_DIR}} TILING_LIBRARY cust_optiling)
npu_op_kernel_sources(kernels OP_TYPE GatherSums KERNEL_FILE sums.cpp)
npu_op_package_add(mine LIBRARY cust_opapi cust_optiling kernels)
"""

HOST = """
#include "register/op_def_registry.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(Part)
TILING_DATA_FIELD_DEF(int64_t, shift);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(PartOp, Part)
BEGIN_TILING_DATA_DEF(ScaleTiling)
TILING_DATA_FIELD_DEF(uint32_t, length);
TILING_DATA_FIELD_DEF_ARR(float, 2, factors);
TILING_DATA_FIELD_DEF_STRUCT(Part, part);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ScaleCustom, ScaleTiling)

static ge::graphStatus Scale(gert::TilingContext* context) {
  ScaleTiling tiling;
  const auto* attrs = context->GetAttrs();
  const float factors[] = {*attrs->GetFloat(0), 0};
  tiling.set_length(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
  tiling.set_factors(factors);
  tiling.part.set_shift(*attrs->GetInt(1));
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->SetTilingKey(tiling.get_length() > 16 ? 2 : 1);
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}

struct SumsTiling {
  uint32_t lists, length;
  int64_t offset;
};
static ge::graphStatus Sums(gert::TilingContext* context) {
  auto* tiling = context->GetTilingData<SumsTiling>();
  while (context->GetDynamicInputShape(0, tiling->lists)) ++tiling->lists;
  tiling->length = context->GetOutputShape(0)->GetStorageShape().GetShapeSize();
  const gert::Tensor* offsets = context->GetRequiredInputTensor(2);
  for (int64_t i = 0; offsets->GetData<int64_t>() && i < offsets->GetShapeSize(); ++i)
    tiling->offset += offsets->GetData<int64_t>()[i];
  if (tiling->offset == 404) return ge::GRAPH_FAILED;
  context->SetNeedAtomic(true);
  context->SetSimdNumBlocks(2);
  context->GetWorkspaceSizes(1)[0] = 256;
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling
namespace ops {
class ScaleCustom : public OpDef {
 public:
  explicit ScaleCustom(const char* name) : OpDef(name) {
    Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_INT32}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
    Output("y").ParamType(REQUIRED).Follow("x");
    Attr("the_factor").AttrType(REQUIRED).Float();
    Attr("shift").AttrType(OPTIONAL).Version(1).Int(3);
    AICore().SetTiling(optiling::Scale).AddConfig("ascend910b");
  }
};
OP_ADD(ScaleCustom);
class GatherSums : public OpDef {
 public:
  explicit GatherSums(const char* name) : OpDef(name) {
    Input("xs").ParamType(DYNAMIC).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    Input("bias").ParamType(OPTIONAL).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    Input("offsets").ParamType(REQUIRED).DataType({ge::DT_INT64}).Format({ge::FORMAT_ND}).ValueDepend(OPTIONAL);
    Output("z").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND}).InitValue({ScalarType::FLOAT32, 0.5});
    AICore().SetTiling(optiling::Sums);
  }
};
OP_ADD(GatherSums);
}  // namespace ops
"""

SCALE = """
#include "kernel_operator.h"
#if ORIG_DTYPE_X == DT_FLOAT && FORMAT_Y == FORMAT_ND
constexpr int wide = 0;
#else
constexpr int wide = 1000;
#endif
extern "C" __global__ __aicore__ void scale_custom(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  GET_TILING_DATA(t, tiling);
  AscendC::GlobalTensor<DTYPE_X> from, to;
  from.SetGlobalBuffer((__gm__ DTYPE_X*)x, t.length);
  to.SetGlobalBuffer((__gm__ DTYPE_Y*)y, t.length);
  int plus = wide;
  if (TILING_KEY_IS(2)) plus += PLUS;
  for (uint32_t i = 0; i < t.length; ++i)
    to.SetValue(i, DTYPE_Y(from.GetValue(i) * t.factors[0] + t.part.shift + plus));
}
"""

SUMS = """
#include "kernel_operator.h"
#include "kernel_operator_list_tensor_intf.h"
struct SumsTiling {
  uint32_t lists, length;
  int64_t offset;
};
extern "C" __global__ __aicore__ void gather_sums(GM_ADDR xs, GM_ADDR bias, GM_ADDR offsets, GM_ADDR z,
                                                  GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(SumsTiling);
  GET_TILING_DATA(t, tiling);
  AscendC::ListTensorDesc list((__gm__ void*)xs);
  const uint32_t half = t.length / 2, begin = AscendC::GetBlockIdx() * half;
  AscendC::GlobalTensor<float> out;
  out.SetGlobalBuffer((__gm__ float*)z, t.length);
  for (uint32_t i = begin; i < begin + half; ++i) {
    float sum = out.GetValue(i) + t.offset;
    for (uint32_t k = 0; k < t.lists; ++k) sum += list.GetDataPtr<float>(k)[i];
    if (bias) sum += ((__gm__ float*)bias)[i];
    if (offsets) sum += 1000 * ((__gm__ int64_t*)offsets)[0];
    out.SetValue(i, sum);
  }
}
"""

PROGRAM = """
#include <cstdio>
#include <vector>
#include "acl/acl.h"
#include "aclnn_gather_sums.h"
#include "aclnn_scale_custom.h"
static int64_t length = 8;
static void* memory(const void* from, size_t size) {
  void* p = nullptr;
  aclrtMalloc(&p, size, ACL_MEM_MALLOC_HUGE_FIRST);
  if (from) aclrtMemcpy(p, size, from, size, ACL_MEMCPY_HOST_TO_DEVICE);
  return p;
}
static aclTensor* tensor(void* data, aclDataType type, const int64_t* strides = nullptr) {
  return aclCreateTensor(&length, 1, type, strides, 0, ACL_FORMAT_ND, &length, 1, data);
}
template <class T>
static void show(const char* what, void* data) {
  std::vector<T> host(length);
  aclrtMemcpy(host.data(), length * sizeof(T), data, length * sizeof(T), ACL_MEMCPY_DEVICE_TO_HOST);
  std::printf("%s %g %g\\n", what, double(host[0]), double(host[length - 1]));
}
static void told(const char* what, int status) {
  const char* text = aclGetRecentErrMsg();
  std::printf("%s %d %s\\n", what, status, text ? text : "");
}
int main() {
  aclnnInit(nullptr);
  aclrtSetDevice(0);
  aclrtStream stream = nullptr;
  aclrtCreateStream(&stream);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const float floats[32] = {1, 2, 3, 4, 5, 6, 7, 8};
  const int32_t whole[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  void *f = memory(floats, 128), *i = memory(whole, 32), *out = memory(nullptr, 128);
  told("plan", aclnnScaleCustomGetWorkspaceSize(tensor(f, ACL_FLOAT), 2.0, tensor(out, ACL_FLOAT), &size, &executor));
  told("scale", aclnnScaleCustom(nullptr, size, executor, stream));
  aclrtSynchronizeStream(stream);
  show<float>("default", out);
  aclnnScaleCustomV1GetWorkspaceSize(tensor(i, ACL_INT32), 2.0, -1, tensor(out, ACL_INT32), &size, &executor);
  aclSetAclOpExecutorRepeatable(executor);
  aclnnScaleCustomV1(nullptr, size, executor, stream);
  told("again", aclnnScaleCustomV1(nullptr, size, executor, stream));
  told("end", aclDestroyAclOpExecutor(executor));
  told("gone", aclnnScaleCustomV1(nullptr, size, executor, stream));
  aclrtSynchronizeStream(stream);
  show<int32_t>("integer", out);
  length = 32;
  aclnnScaleCustomGetWorkspaceSize(tensor(f, ACL_FLOAT), 2.0, tensor(out, ACL_FLOAT), &size, &executor);
  aclnnScaleCustom(nullptr, size, executor, stream);
  aclrtSynchronizeStream(stream);
  show<float>("second key", out);
  length = 8;
  told("types", aclnnScaleCustomGetWorkspaceSize(tensor(f, ACL_FLOAT), 2.0, tensor(out, ACL_INT32), &size, &executor));
  const int64_t two = 2;
  told("gaps", aclnnScaleCustomGetWorkspaceSize(tensor(f, ACL_FLOAT, &two), 2.0, tensor(out, ACL_FLOAT), &size, &executor));

  const aclTensor* pair[] = {tensor(f, ACL_FLOAT), tensor(f, ACL_FLOAT)};
  const int64_t offsets[] = {3, 4}, bad[] = {404};
  const aclTensorList* list = aclCreateTensorList(pair, 2);
  const aclIntArray* numbers = aclCreateIntArray(offsets, 2);
  aclnnGatherSumsGetWorkspaceSize(list, nullptr, numbers, tensor(out, ACL_FLOAT), &size, &executor);
  told("small", aclnnGatherSums(nullptr, 0, executor, stream));
  void* workspace = memory(nullptr, size);
  aclnnGatherSums(workspace, size, executor, stream);
  aclrtSynchronizeStream(stream);
  show<float>("without bias", out);
  aclnnGatherSumsGetWorkspaceSize(list, pair[0], numbers, tensor(out, ACL_FLOAT), &size, &executor);
  aclnnGatherSums(workspace, size, executor, stream);
  aclrtSynchronizeStream(stream);
  show<float>("with bias", out);
  told("tiling", aclnnGatherSumsGetWorkspaceSize(list, nullptr, aclCreateIntArray(bad, 1), tensor(out, ACL_FLOAT), &size, &executor));
  told("null", aclnnGatherSumsGetWorkspaceSize(list, nullptr, nullptr, tensor(out, ACL_FLOAT), &size, &executor));
  return 0;
}
"""

#: 8 elements 1..8: twice x plus 3; twice x minus 1 plus 1000 (integers); 32 elements, plus 100 for the second key.
SHOWN = {
    "default": "5 19",
    "integer": "1001 1015",
    "second key": "105 103",
    # The first value, both lists, the offsets' sum, the first offset a thousandfold; then x once more.
    "without bias": "3009.5 3023.5",
    "with bias": "3010.5 3031.5",
}


def write_project(shell, type_: str):
    shell.write("opp/CMakeLists.txt", PROJECT.format(type=type_))
    shell.write("opp/host.cpp", HOST)
    shell.write("opp/scale_custom.cpp", SCALE)
    shell.write("opp/sums.cpp", SUMS)
    shell.write("app/main.cpp", PROGRAM)


def check(output: str):
    lines = dict(re.findall(r"^([a-z ]+?) (-?\d.*)$", output, re.M))
    assert {name: lines.get(name) for name in SHOWN} == SHOWN, output
    assert lines["plan"] == "0 "
    assert lines["scale"] == "0 "
    assert lines["again"] == "0 "
    assert lines["end"] == "0 "
    assert "has run already" in lines["gone"]
    assert lines["types"].startswith("161002")
    assert "ScaleCustom has no kernel for (DT_FLOAT/FORMAT_ND, DT_INT32/FORMAT_ND)" in lines["types"]
    assert "ScaleCustom's x is not contiguous" in lines["gaps"]
    assert "the workspace has 0 bytes; the call needs 256" in lines["small"]
    assert lines["tiling"].startswith("561002")
    assert "the tiling function answered 4294967295" in lines["tiling"]
    assert "GatherSums's offsets is null; the operator requires it" in lines["null"]


@pytest.fixture
def package(shell):
    write_project(shell, "RUN")
    shell.ok("cmake", "-S", "opp", "-B", "build")
    shell.ok("cmake", "--build", "build", "--target", "binary", "package")
    return shell


def test_a_package_is_installed_and_called(package):
    vendor = package.directory / "place/vendors/mine"
    (run,) = package.directory.glob("build/out/custom_opp_*.run")
    assert package.ok(str(run), f"--install-path={package.directory}/place").splitlines()[-1] == "SUCCESS"
    assert (vendor.parent / "config.ini").read_text() == "load_priority=mine\n"
    include, lib = f"-I{vendor}/op_api/include", f"-L{vendor}/op_api/lib"
    prefix = [f"-I{package.prefix}/include", f"-L{package.prefix}/lib64", f"-Wl,-rpath,{package.prefix}/lib64"]
    package.ok("g++", "app/main.cpp", include, lib, *prefix, "-lcust_opapi", "-lnnopbase", "-lacl_rt", "-o", "app/run")
    command = f". {vendor}/bin/set_env.bash && app/run"
    check(package.ok("bash", "-c", command))
    # Without the package's own word, and on a chip that it was not built for.
    alone = {"LD_LIBRARY_PATH": f"{vendor}/op_api/lib", "ASCEND_OPP_PATH": str(package.directory / "none")}
    lost = package.run("app/run", **alone, ASCEND_CUSTOM_OPP_PATH="").stdout
    assert re.search(r"^plan 561107 .*no operator package defines ScaleCustom; looked in", lost, re.M), lost
    other = package.run("bash", "-c", command, TOPROPE_SOC="Ascend950PR_9599").stdout
    assert re.search(r"^plan 561003 .*ascend950/ScaleCustom_0.o; the package was built for other chips", other, re.M)
    assert package.ok("bash", f"{vendor}/scripts/uninstall.sh") == "SUCCESS\n"
    assert not vendor.exists()


@pytest.mark.parametrize(("type_", "file"), [("STATIC", "libmine.a"), ("SHARED", "libcust_opapi.so")])
def test_operators_are_linked_into_a_program(shell, type_, file):
    write_project(shell, type_)
    shell.ok("cmake", "-S", "opp", "-B", "build")
    shell.ok("cmake", "--build", "build", "--target", "install")
    assert (shell.directory / "build/out/lib" / file).exists()
    shell.write(
        "app/CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.16)\nproject(app)\nfind_package(mine REQUIRED)\nadd_executable(run main.cpp)\n"
        "target_link_libraries(run PRIVATE nnopbase rt2_registry acl_rt mine::mine)\n",
    )
    home = {"ASCEND_HOME_PATH": str(shell.prefix)}
    shell.ok("cmake", "-S", "app", "-B", "app/build", f"-DCMAKE_PREFIX_PATH={shell.directory}/build/out", **home)
    shell.ok("cmake", "--build", "app/build", **home)
    check(shell.ok("app/build/run", ASCEND_OPP_PATH="none", ASCEND_CUSTOM_OPP_PATH=""))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("set(ASCEND_COMPUTE_UNIT ascend910b ascend910_93)", "", "ASCEND_COMPUTE_UNIT is not set"),
        ("ascend910b ascend910_93", "ascend310p", "ASCEND_COMPUTE_UNIT names ascend310p; Toprope describes"),
        (
            "OP_TYPE GatherSums KERNEL_FILE sums.cpp",
            "KERNEL_DIR .",
            "GatherSums has no kernel: there is no gather_sums.cpp",
        ),
        ("TYPE RUN", "TYPE WHEEL", "TYPE is 'WHEEL'; it takes RUN, SHARED or STATIC"),
    ],
)
def test_mistakes_in_a_project_are_named(shell, old, new, message):
    write_project(shell, "RUN")
    text = (shell.directory / "opp/CMakeLists.txt").read_text()
    assert old in text
    shell.write("opp/CMakeLists.txt", text.replace(old, new))
    done = shell.run("cmake", "-S", "opp", "-B", "build")
    assert done.returncode != 0
    assert message in " ".join(done.stderr.split())


def test_opbuild_says_what_it_cannot_do(shell):
    shell.write("none.cpp", "int nothing;")
    shell.ok("g++", "-shared", "-fPIC", "none.cpp", "-o", "none.so")
    for arguments, message in (
        ([], "usage: opbuild"),
        (["none.so", "--out", "out"], "none.so registers no operator"),
        (["none.so", "--frobnicate"], "--frobnicate is not understood"),
    ):
        done = subprocess.run(
            [f"{shell.prefix}/bin/opbuild", *arguments], cwd=shell.directory, capture_output=True, text=True
        )
        assert done.returncode == 1
        assert message in done.stderr
