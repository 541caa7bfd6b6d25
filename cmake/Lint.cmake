# Tests labelled lint: layout by clang-format over all sources of our own targets, static analysis by
# clang-tidy over those of the product. The sources of tests, as many again, are analysed by the target
# splitbench_tidy_tests alone: in every run they would cost more than all else together. Both tools
# change their minds between versions, so they are held to one; without it the tests are skipped, and
# say so.

set(SPLITBENCH_LINT_VERSION 14)

# lint_tool(VARIABLE NAME): path of the tool in the version wanted, or empty.
function(lint_tool variable name)
  find_program(${variable}_PATH NAMES ${name}-${SPLITBENCH_LINT_VERSION} ${name})
  set(${variable} "" PARENT_SCOPE)
  if(${variable}_PATH)
    execute_process(COMMAND ${${variable}_PATH} --version OUTPUT_VARIABLE version ERROR_QUIET)
    if(version MATCHES "version ${SPLITBENCH_LINT_VERSION}\\.")
      set(${variable} ${${variable}_PATH} PARENT_SCOPE)
    endif()
  endif()
endfunction()

# lint_test(NAME TOOL COMMAND...): a test, or one that skips where TOOL is empty.
function(lint_test name tool)
  if(tool)
    add_test(NAME lint.${name} COMMAND ${ARGN})
  else()
    add_test(NAME lint.${name} COMMAND ${CMAKE_COMMAND} -E echo
             "lint.${name}: Skipped\n${name} ${SPLITBENCH_LINT_VERSION} is not installed")
    set_tests_properties(lint.${name} PROPERTIES SKIP_REGULAR_EXPRESSION ": Skipped")
  endif()
  set_tests_properties(lint.${name} PROPERTIES LABELS lint TIMEOUT 1800)
endfunction()

# own_sources(DIRECTORY VARIABLE): absolute paths of the .cpp files of every target at or below it,
# less those that the build generates.
function(own_sources directory variable)
  set(sources "")
  get_property(targets DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target ${targets})
    get_target_property(files ${target} SOURCES)
    get_target_property(base ${target} SOURCE_DIR)
    list(FILTER files INCLUDE REGEX "\\.cpp$")
    foreach(file ${files})
      get_filename_component(file ${file} ABSOLUTE BASE_DIR ${base})
      string(FIND ${file} ${PROJECT_BINARY_DIR}/ generated)
      if(NOT generated EQUAL 0)
        list(APPEND sources ${file})
      endif()
    endforeach()
  endforeach()
  get_property(directories DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
  foreach(below ${directories})
    own_sources(${below} more)
    list(APPEND sources ${more})
  endforeach()
  list(REMOVE_DUPLICATES sources)
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# own_headers(VARIABLE): every header of ours.
function(own_headers variable)
  set(globs model protocols results kernels harness tests)
  list(TRANSFORM globs PREPEND ${PROJECT_SOURCE_DIR}/)
  list(TRANSFORM globs APPEND /*.h)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${globs})
  set(${variable} ${headers} PARENT_SCOPE)
endfunction()

# add_tidy_target(TARGET TOOL SOURCES HEADERS): one build rule per source, so that a source is
# analysed again only when it or a header changed.
function(add_tidy_target target tool sources headers)
  set(stamps "")
  foreach(source ${sources})
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
    set(stamp ${PROJECT_BINARY_DIR}/lint/${name}.checked)
    get_filename_component(folder ${stamp} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(OUTPUT ${stamp}
      COMMAND ${tool} -p ${PROJECT_BINARY_DIR} --quiet ${source}
      COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
      DEPENDS ${source} ${headers} ${PROJECT_SOURCE_DIR}/.clang-tidy
              ${PROJECT_SOURCE_DIR}/tests/.clang-tidy ${PROJECT_SOURCE_DIR}/harness/cli/.clang-tidy
      COMMENT "clang-tidy ${name}" VERBATIM)
    list(APPEND stamps ${stamp})
  endforeach()
  add_custom_target(${target} DEPENDS ${stamps})
endfunction()

function(splitbench_lint_tests)
  own_sources(${PROJECT_SOURCE_DIR} sources)
  own_headers(headers)
  lint_tool(CLANG_FORMAT clang-format)
  lint_tool(CLANG_TIDY clang-tidy)

  file(GLOB_RECURSE device_sources CONFIGURE_DEPENDS
       ${PROJECT_SOURCE_DIR}/kernels/*.cu ${PROJECT_SOURCE_DIR}/kernels/*.cuh)
  lint_test(clang-format "${CLANG_FORMAT}"
            ${CLANG_FORMAT} --dry-run --Werror ${sources} ${headers} ${device_sources})

  if(CLANG_TIDY)
    set(product_sources ${sources})
    set(test_sources ${sources})
    list(FILTER product_sources EXCLUDE REGEX "^${PROJECT_SOURCE_DIR}/tests/")
    list(FILTER test_sources INCLUDE REGEX "^${PROJECT_SOURCE_DIR}/tests/")
    add_tidy_target(splitbench_tidy ${CLANG_TIDY} "${product_sources}" "${headers}")
    add_tidy_target(splitbench_tidy_tests ${CLANG_TIDY} "${test_sources}" "${headers}")
  endif()
  lint_test(clang-tidy "${CLANG_TIDY}"
            ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target splitbench_tidy -j 2 -- -k 0)
  set_tests_properties(lint.clang-tidy PROPERTIES PROCESSORS 2)
endfunction()
