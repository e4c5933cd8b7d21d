# Flags for everything built here.
if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(TOPROPE_CCACHE ccache)
  if(TOPROPE_CCACHE)
    # Paths below the checkout count as relative, so that a fresh clone finds what another one compiled.
    set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${TOPROPE_CCACHE})
    set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  endif()
endif()

add_compile_options(-Wall -Wextra)
# A product that feeds a sum is rounded, as instructions document it; g++ would fuse the two wherever a target can.
add_compile_options(-ffp-contract=off)
# No -march: Highway compiles its code for every instruction set, and the library picks the widest when it is loaded.
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")

if(TOPROPE_SANITIZE)
  if(NOT TOPROPE_SANITIZE MATCHES "^(address|undefined|address,undefined|thread)$")
    message(FATAL_ERROR "TOPROPE_SANITIZE is '${TOPROPE_SANITIZE}'; it takes address, undefined, address,undefined or thread")
  endif()
  # -O0 compiles three times as fast as -O1 here, and the tests are short. Without -fno-sanitize-recover an undefined shift
  # would only print.
  set(CMAKE_CXX_FLAGS_RELEASE "-O0 -g1")
  add_compile_options(-fsanitize=${TOPROPE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TOPROPE_SANITIZE})
endif()

# The SIMD files. g++ 12 warns about its own AVX-512 header there (a register that is undefined on purpose). Under
# sanitizers: Highway's operators are hundreds of inlined functions of references; checking each of those for null,
# alignment and size makes a file compile for eleven minutes instead of twenty seconds, and finds nothing that the address
# sanitizer does not.
function(toprope_simd_flags)
  set(simd ${ARGN})
  list(FILTER simd INCLUDE REGEX "_simd\\.cpp$")
  set(flags -Wno-maybe-uninitialized -Wno-uninitialized)
  if(TOPROPE_SANITIZE)
    list(APPEND flags -O1)
  endif()
  if(TOPROPE_SANITIZE MATCHES "undefined")
    list(APPEND flags -fno-sanitize=null,alignment,object-size,vptr)
  endif()
  set_source_files_properties(${simd} PROPERTIES COMPILE_OPTIONS "${flags}")
endfunction()

# The file that changes stacks. ThreadSanitizer counts calls and returns, which do not pair where a function is entered on
# one stack and left on another; it is told of every change instead.
function(toprope_fiber_flags file)
  if(TOPROPE_SANITIZE STREQUAL "thread")
    set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "-fno-sanitize=thread;-DTOPROPE_FIBERS_UNDER_TSAN")
  endif()
endfunction()
