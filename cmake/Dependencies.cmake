# Every dependency is found here, once. A missing one is reported together with the others, each
# with the name of its Debian/Ubuntu package; docs/dependencies.md says what each one is for.

set(SPLITBENCH_MISSING "")

# splitbench_find(PACKAGE DEBIAN_PACKAGE): required; missing ones are collected, then reported at once.
macro(splitbench_find package debian_package)
  find_package(${package} QUIET)
  if(NOT ${package}_FOUND)
    list(APPEND SPLITBENCH_MISSING "${package} (Debian/Ubuntu package ${debian_package})")
  endif()
endmacro()

# splitbench_find_library(NAME HEADER LIBRARY DEBIAN_PACKAGE): for what has no CMake package everywhere;
# makes the target splitbench::NAME.
macro(splitbench_find_library name header library debian_package)
  find_path(SPLITBENCH_${name}_INCLUDE ${header})
  find_library(SPLITBENCH_${name}_LIBRARY ${library})
  if(SPLITBENCH_${name}_INCLUDE AND SPLITBENCH_${name}_LIBRARY)
    add_library(splitbench::${name} INTERFACE IMPORTED)
    target_include_directories(splitbench::${name} INTERFACE ${SPLITBENCH_${name}_INCLUDE})
    target_link_libraries(splitbench::${name} INTERFACE ${SPLITBENCH_${name}_LIBRARY})
  else()
    list(APPEND SPLITBENCH_MISSING "${name} (Debian/Ubuntu package ${debian_package})")
  endif()
endmacro()

find_package(Threads REQUIRED)
splitbench_find(fmt libfmt-dev)
splitbench_find(nlohmann_json nlohmann-json3-dev)
splitbench_find(CLI11 libcli11-dev)
splitbench_find(Boost libboost-dev)  # headers alone: Boost.Math, Boost.CRC
splitbench_find(SQLite3 libsqlite3-dev)
splitbench_find_library(hwloc hwloc.h hwloc libhwloc-dev)
splitbench_find_library(openblas cblas.h openblas libopenblas-dev)
splitbench_find_library(pugixml pugixml.hpp pugixml libpugixml-dev)
if(SPLITBENCH_TESTS)
  splitbench_find(GTest libgtest-dev)
  splitbench_find(rapidcheck librapidcheck-dev)
  # Not packaged on Ubuntu 22.04: without it the schema tests are skipped, and say so.
  find_package(valijson QUIET)
  if(NOT valijson_FOUND)
    message(STATUS "valijson (Debian/Ubuntu package libvalijson-dev) not found: schema tests will be skipped")
  endif()
endif()

if(SPLITBENCH_MISSING)
  list(JOIN SPLITBENCH_MISSING "\n  " missing_lines)
  message(FATAL_ERROR "splitbench needs what is not installed here:\n  ${missing_lines}\n"
                      "scripts/run and scripts/test install it (without root: unpacked under build/deps).")
endif()
