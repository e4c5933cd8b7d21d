"""User CMake projects, unmodified: find_package(ASC) with the language ASC, and ascendc_library."""

import shutil
import sys

import pytest

GENERATORS = [name for name, tool in {"Ninja": "ninja", "Unix Makefiles": "make"}.items() if shutil.which(tool)]


def kernel(name: str) -> str:
    return (
        f'#include "step.h"\n__global__ __vector__ void k_{name}(int* x) {{ *x += STEP; }}\n'
        f"void run_{name}(int* x) {{ k_{name}<<<1, nullptr, nullptr>>>(x); }}\n"
    )


def build(shell, generator, *options):
    shell.ok("cmake", "-G", generator, "-B", "build", *options)
    return shell.ok("cmake", "--build", "build")


LANGUAGE_PROJECT = """
cmake_minimum_required(VERSION 3.16)
set(CMAKE_ASC_ARCHITECTURES "dav-2201" CACHE STRING "NPU architecture")
set(CMAKE_ASC_RUN_MODE "npu" CACHE STRING "Run mode: npu, cpu, sim")
find_package(ASC REQUIRED)
project(x LANGUAGES ASC CXX)
add_library(static_kernels STATIC static.asc)
add_library(shared_kernels SHARED shared.asc)
add_library(module_kernels MODULE shared.asc)
add_library(object_kernels OBJECT object.asc)
set_source_files_properties(plain.cpp PROPERTIES LANGUAGE ASC)
add_executable(demo main.asc plain.cpp host.cpp recorder.cpp)
target_link_libraries(demo PRIVATE static_kernels shared_kernels object_kernels m dl)
target_compile_options(demo PRIVATE $<$<COMPILE_LANGUAGE:ASC>:--npu-arch=${CMAKE_ASC_ARCHITECTURES}>)
target_include_directories(demo PRIVATE $ENV{ASCEND_HOME_PATH}/include)
add_executable(linked_by_cxx by_cxx.cpp recorder.cpp)
target_link_libraries(linked_by_cxx PRIVATE static_kernels)
target_include_directories(linked_by_cxx PRIVATE $ENV{ASCEND_HOME_PATH}/include)
set_target_properties(linked_by_cxx PROPERTIES LINKER_LANGUAGE CXX)
"""


@pytest.fixture
def language_project(shell):
    shell.environment["ASCEND_HOME_PATH"] = str(shell.prefix)
    shell.write("CMakeLists.txt", LANGUAGE_PROJECT)
    shell.write("step.h", "#define STEP 1\n")
    for name, extension in {"static": "asc", "shared": "asc", "object": "asc", "plain": "cpp"}.items():
        shell.write(f"{name}.{extension}", kernel(name))
    shell.write("host.cpp", "int host() { return 42; }\n")
    shell.write(
        "main.asc",
        "#include <cstdio>\nvoid run_static(int*); void run_shared(int*); void run_object(int*); void run_plain(int*);\n"
        "int host();\nint main() { int x = 0; run_static(&x); run_shared(&x); run_object(&x); run_plain(&x);\n"
        'printf("%d %d %d", x, host(), __NPU_ARCH__);\n#ifdef ASCENDC_CPU_DEBUG\nprintf(" cpu");\n#endif\nprintf("\\n"); }\n',
    )
    shell.write(
        "by_cxx.cpp",
        '#include <cstdio>\nvoid run_static(int*);\nint main() { int x = 0; run_static(&x); printf("%d\\n", x); }\n',
    )
    return shell


@pytest.mark.parametrize("generator", GENERATORS)
def test_language_in_every_kind_of_target(language_project, generator):
    shell = language_project
    build(shell, generator)
    lines = shell.launched("build/demo")
    assert lines[-1] == "4 42 2201"
    assert sorted(line for line in lines if line.startswith("declare")) == [
        f"declare k_{name} 0 1" for name in ("object", "plain", "shared", "static")
    ]
    assert shell.launched("build/linked_by_cxx")[-1] == "1"

    # A header's edit rebuilds what read it, and nothing is rebuilt without one.
    shell.write("step.h", "#define STEP 10\n")
    again = shell.ok("cmake", "--build", "build")
    assert "static.asc" in again and "host.cpp" not in again
    assert shell.launched("build/demo")[-1] == "40 42 2201"
    assert "Building" not in shell.ok("cmake", "--build", "build")


def test_run_modes_and_architectures(language_project):
    shell = language_project
    build(shell, GENERATORS[0], "-DCMAKE_ASC_RUN_MODE=cpu", "-DCMAKE_ASC_ARCHITECTURES=dav-3510")
    assert shell.launched("build/demo")[-1] == "4 42 3510 cpu"
    build(shell, GENERATORS[0], "-DCMAKE_ASC_RUN_MODE=sim", "-DCMAKE_ASC_ARCHITECTURES=dav-2201", "--fresh")
    assert shell.launched("build/demo")[-1] == "4 42 2201"
    done = shell.run("cmake", "-B", "other", "-DCMAKE_ASC_RUN_MODE=gpu")
    assert done.returncode != 0
    assert "CMAKE_ASC_RUN_MODE is gpu; it takes npu, cpu or sim" in done.stderr


@pytest.mark.parametrize("generator", GENERATORS)
def test_asc_alone_builds_and_reports_errors(shell, generator):
    shell.write(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.16)\nfind_package(ASC)\nproject(kernel_samples LANGUAGES ASC)\n"
        "add_library(k SHARED k.asc)\nadd_executable(demo main.asc)\ntarget_link_libraries(demo PRIVATE k)\n",
    )
    shell.write("step.h", "#define STEP 3\n")
    shell.write("k.asc", kernel("k"))
    shell.write(
        "main.asc", '#include "recorder.cpp"\nvoid run_k(int*);\nint main() { int x = 0; run_k(&x); return x; }\n'
    )
    build(shell, generator, "-DCMAKE_BUILD_TYPE=Debug")
    assert shell.run("build/demo").returncode == 3
    shell.write("k.asc", kernel("k").replace("<<<1, ", "<<<"))
    shell.write("k.asc", kernel("k").replace("<<<1, nullptr, nullptr>>>", "<<<1>>>"))
    done = shell.run("cmake", "--build", "build")
    assert done.returncode != 0
    assert "k.asc:3:" in done.stdout + done.stderr


def test_pybind11_module(shell):
    pybind11 = pytest.importorskip("pybind11")
    shell.write(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.16)\nfind_package(ASC REQUIRED)\nproject(ops LANGUAGES ASC CXX)\n"
        "find_package(Python3 COMPONENTS Interpreter Development.Module REQUIRED)\n"
        "set(PYBIND11_FINDPYTHON ON)\n"
        f'find_package(pybind11 REQUIRED HINTS "{pybind11.get_cmake_dir()}")\n'
        "pybind11_add_module(ops MODULE ops.asc)\n",
    )
    shell.write(
        "ops.asc",
        '#include <pybind11/pybind11.h>\n#include "recorder.cpp"\n'
        "__global__ __vector__ void k(int* x, int y) { *x += y; }\n"
        "int add(int a, int b) { k<<<1, 0, nullptr>>>(&a, b); return a; }\n"
        'PYBIND11_MODULE(ops, m) { m.def("add", &add); }\n',
    )
    build(
        shell,
        GENERATORS[0],
        f"-DPython3_EXECUTABLE={sys.executable}",
        f"-DPython_EXECUTABLE={sys.executable}",
        f"-DCMAKE_ASC_FLAGS=-I{shell.prefix}/include",
    )
    out = shell.ok(sys.executable, "-c", "import sys; sys.path.insert(0, 'build'); import ops; print(ops.add(2, 3))")
    assert out.splitlines()[-1] == "5"


LIBRARY_PROJECT = """
cmake_minimum_required(VERSION 3.16.0)
project(Ascend_c)
set(RUN_MODE "npu" CACHE STRING "cpu/sim/npu")
set(SOC_VERSION "Ascend310P3" CACHE STRING "system on chip type")
set(ASCEND_CANN_PACKAGE_PATH "/nowhere" CACHE STRING "CANN package")
set(CMAKE_INSTALL_PREFIX "${CMAKE_CURRENT_LIST_DIR}/out" CACHE STRING "path for install()" FORCE)
include(${ASCEND_CANN_PACKAGE_PATH}/tools/tikcpp/ascendc_kernel_cmake/ascendc.cmake)
ascendc_library(kernels1 STATIC add_custom.cpp)
ascendc_library(kernels2 SHARED ${CMAKE_CURRENT_SOURCE_DIR}/mul_custom.cpp)
ascendc_compile_definitions(kernels1 PRIVATE -DHAVE_WORKSPACE FACTOR=2)
ascendc_compile_options(kernels1 PRIVATE -O2 -forward-options-to-host-compiler -gdwarf-4)
ascendc_include_directories(kernels1 PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/inc)
add_executable(bbit main.cpp recorder.cpp)
target_compile_options(bbit PRIVATE -O2 -std=c++17 -D_GLIBCXX_USE_CXX11_ABI=0 -Wall -Werror)
target_link_libraries(bbit PRIVATE
  $<BUILD_INTERFACE:$<$<OR:$<STREQUAL:${RUN_MODE},npu>,$<STREQUAL:${RUN_MODE},sim>>:host_intf_pub>> kernels1 kernels2)
install(TARGETS bbit RUNTIME DESTINATION bin)
"""


@pytest.fixture
def library_project(shell):
    shell.write("CMakeLists.txt", LIBRARY_PROJECT)
    shell.write("inc/tiling.h", "#include <cstdint>\nstruct Tiling { uint32_t a; float b; };\n")
    shell.write(
        "add_custom.cpp",
        '#include "tiling.h"\n#define GM_ADDR __gm__ uint8_t*\n#ifndef FACTOR\n#error FACTOR is missing\n#endif\n'
        'extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR y, uint32_t n, Tiling tiling)\n'
        "{\n  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);\n  *(float*)x += n + tiling.a * tiling.b + FACTOR;\n}\n"
        "namespace ns { __global__ __cube__ void second(__gm__ int* x, unsigned int) { *x = 5; }\n"
        "void direct(void* stream, int* x) { second<<<1, nullptr, stream>>>(x, 1u); } }\n",
    )
    shell.write(
        "mul_custom.cpp",
        '#include <cstdint>\nextern "C" __global__ __aicore__ void mul_custom(__gm__ uint8_t* x) { *(int*)x *= 3; }\n',
    )
    shell.write(
        "main.cpp",
        '#include "inc/tiling.h"\n#include <cstdio>\n#include "aclrtlaunch_add_custom.h"\n'
        '#include "aclrtlaunch_second.h"\n#include "aclrtlaunch_mul_custom.h"\n'
        "namespace ns { void direct(void*, int*); }\n"
        "int main() {\n  float x = 1; int i = 0; void* stream = nullptr;\n"
        "  uint32_t good = ACLRT_LAUNCH_KERNEL(add_custom)(1, stream, &x, &x, 10u, Tiling{2, 3.f});\n"
        "  uint32_t bad = ACLRT_LAUNCH_KERNEL(add_custom)(0, stream, &x, &x, 10u, Tiling{2, 3.f});\n"
        "  ACLRT_LAUNCH_KERNEL(second)(1, stream, &i, 3);\n  ACLRT_LAUNCH_KERNEL(mul_custom)(1, stream, &i);\n"
        '  printf("%u %u %g %d\\n", good, bad, x, i);\n  ns::direct(stream, &i);\n  return i;\n}\n',
    )
    return shell


@pytest.mark.parametrize("generator", GENERATORS)
def test_ascendc_library(library_project, generator):
    """facts C01: kernels depend on no C++ ABI; the program around them is built with the other one."""
    shell = library_project
    build(shell, generator, "-DSOC_VERSION=Ascend910B3", f"-DASCEND_CANN_PACKAGE_PATH={shell.prefix}")
    done = shell.run("build/bbit")
    assert done.returncode == 5
    lines = done.stdout.splitlines()
    assert {"declare add_custom 0 1", "declare second 1 0"} <= set(lines)
    assert any(line.startswith("launch add_custom") and "add_custom.cpp:6 blocks=1" in line for line in lines)
    assert "0 107000 19 15" in lines  # 1 + 10 + 2 * 3 + 2; 5 * 3

    shell.ok("cmake", "--install", "build")
    for path in (
        "lib/libkernels1.a",
        "lib/libkernels2.so",
        "include/kernels1/aclrtlaunch_add_custom.h",
        "include/kernels1/aclrtlaunch_second.h",
        "include/kernels2/aclrtlaunch_mul_custom.h",
        "bin/bbit",
    ):
        assert (shell.directory / "out" / path).is_file(), path

    # A change of the signature reaches the header; nothing else is redone for nothing.
    assert "Building" not in shell.ok("cmake", "--build", "build")
    source = (shell.directory / "mul_custom.cpp").read_text()
    shell.write("mul_custom.cpp", source.replace("uint8_t* x)", "uint8_t* x, int by)").replace("*= 3", "*= by"))
    assert shell.run("cmake", "--build", "build").returncode != 0, "main.cpp still calls with the old signature"
    main = (shell.directory / "main.cpp").read_text()
    shell.write("main.cpp", main.replace("(mul_custom)(1, stream, &i)", "(mul_custom)(1, stream, &i, 4)"))
    shell.ok("cmake", "--build", "build")
    assert "0 107000 19 20" in shell.run("build/bbit").stdout


def test_unknown_soc_version(library_project):
    shell = library_project
    done = shell.run("cmake", "-B", "build", f"-DASCEND_CANN_PACKAGE_PATH={shell.prefix}")
    assert done.returncode != 0
    assert "Ascend310P3" in done.stderr and "Ascend910B3" in done.stderr


CPU_DEBUG_PROJECT = """
cmake_minimum_required(VERSION 3.16)
project(x CXX)
find_package(tikicpulib REQUIRED)
add_library(kernels SHARED kernel.cpp)
target_link_libraries(kernels PUBLIC tikicpulib::${SOC_VERSION})
add_executable(demo main.cpp)
target_link_libraries(demo PRIVATE kernels)
"""


@pytest.mark.parametrize("chip, arch", [("Ascend910B1", 2201), ("ascend950pr_9599", 3510)])
def test_tikicpulib(shell, chip, arch):
    shell.environment["CMAKE_PREFIX_PATH"] = str(shell.prefix)
    shell.write("CMakeLists.txt", CPU_DEBUG_PROJECT)
    shell.write(
        "kernel.cpp",
        '#include "kernel_operator.h"\n'
        'extern "C" __global__ __aicore__ void twice(__gm__ float* x) {\n'
        "  AscendC::LocalTensor<float> t(AscendC::TPosition::VECCALC, 0, 64);\n"
        "  AscendC::GlobalTensor<float> gm;\n"
        "  gm.SetGlobalBuffer(x, 64);\n"
        "  AscendC::DataCopy(t, gm, 64);\n"
        "  AscendC::PipeBarrier<PIPE_ALL>();\n"
        "  AscendC::Muls(t, t, 2.0f, 64);\n"
        "  AscendC::PipeBarrier<PIPE_ALL>();\n"
        "  AscendC::DataCopy(gm, t, 64);\n"
        "}\n",
    )
    shell.write(
        "main.cpp",
        '#include <cstdio>\n#include "tikicpulib.h"\n'
        'extern "C" __global__ __aicore__ void twice(__gm__ float* x);\n'
        "int main() {\n"
        "  auto* x = static_cast<float*>(AscendC::GmAlloc(256));\n"
        "  for (int i = 0; i < 64; ++i) x[i] = static_cast<float>(i);\n"
        "  AscendC::SetKernelMode(KernelMode::AIV_MODE);\n"
        "  ICPU_RUN_KF(twice, 1, x);\n"
        '  std::printf("%g %d\\n", x[63], __NPU_ARCH__);\n'
        "  AscendC::GmFree(x);\n"
        "}\n",
    )
    build(shell, GENERATORS[0], f"-DSOC_VERSION={chip}")
    assert shell.ok("build/demo") == f"126 {arch}\n"
