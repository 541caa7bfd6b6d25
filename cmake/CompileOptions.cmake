# One interface target that every target of ours links: warnings, sanitizers, coverage.

add_library(splitbench_options INTERFACE)
target_include_directories(splitbench_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(splitbench_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wold-style-cast -Wno-missing-field-initializers
  $<$<BOOL:${SPLITBENCH_WERROR}>:-Werror>)

if(SPLITBENCH_SANITIZE)
  target_compile_options(splitbench_options INTERFACE
    -fsanitize=${SPLITBENCH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    # GCC 12 sees ghosts in instrumented standard library code; clang does not know the warning
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(splitbench_options INTERFACE -fsanitize=${SPLITBENCH_SANITIZE})
endif()
if(SPLITBENCH_COVERAGE)
  target_compile_options(splitbench_options INTERFACE --coverage)
  target_link_options(splitbench_options INTERFACE --coverage)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  target_compile_definitions(splitbench_options INTERFACE _GLIBCXX_ASSERTIONS)
endif()
