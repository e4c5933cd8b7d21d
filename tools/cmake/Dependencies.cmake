# What the core links. The wheel must run where no -dev package is: Boost.Context is linked statically, fmt is
# headers, and Highway is linked statically where the system has libhwy.a. Debian and Ubuntu build it as a shared library
# only; there libhwy.so.1 (a file of some 40 KB) travels in lib64/ beside ours, found by $ORIGIN.
find_package(Threads REQUIRED)
# libgomp stays dynamic: in a PyTorch process it must be the one copy whose workers torch keeps warm.
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)  # headers

set(Boost_USE_STATIC_LIBS ON)
find_package(Boost CONFIG REQUIRED COMPONENTS context)

find_path(HWY_INCLUDE_DIR hwy/highway.h REQUIRED)
find_library(HWY_STATIC_LIBRARY NAMES libhwy.a)
add_library(toprope_highway INTERFACE)
target_include_directories(toprope_highway SYSTEM INTERFACE ${HWY_INCLUDE_DIR})
if(HWY_STATIC_LIBRARY)
  target_link_libraries(toprope_highway INTERFACE ${HWY_STATIC_LIBRARY})
else()
  find_library(HWY_SHARED_LIBRARY NAMES hwy REQUIRED)
  target_compile_definitions(toprope_highway INTERFACE HWY_SHARED_DEFINE)
  target_link_libraries(toprope_highway INTERFACE ${HWY_SHARED_LIBRARY})
  file(REAL_PATH ${HWY_SHARED_LIBRARY} TOPROPE_BUNDLED_HWY)
endif()
