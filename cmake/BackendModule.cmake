# splitbench_backend_module(NAME SOURCES ... [LIBRARIES ...]): libsplitbench_NAME.so beside the
# program, which loads it when asked for and is built together with it: a module of another build is
# refused. SOURCES define splitbench_module() (harness/module_entry.h), all that it exports.

function(splitbench_backend_module name)
  cmake_parse_arguments(MODULE "" "" "SOURCES;LIBRARIES" ${ARGN})
  set(target splitbench_${name})
  set(map ${PROJECT_SOURCE_DIR}/cmake/module.map)
  add_library(${target} MODULE ${MODULE_SOURCES})
  target_link_libraries(${target} PRIVATE splitbench_seam ${MODULE_LIBRARIES})
  target_link_options(${target} PRIVATE
    LINKER:--version-script=${map} LINKER:--as-needed LINKER:--enable-new-dtags)
  if(NOT SPLITBENCH_SANITIZE)  # whose functions come with the program
    target_link_options(${target} PRIVATE LINKER:-z,defs)  # an error here, not of dlopen
  endif()
  set_target_properties(${target} PROPERTIES
    LINK_DEPENDS ${map} LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  add_dependencies(splitbench ${target})
  install(TARGETS ${target} LIBRARY DESTINATION lib/splitbench)
endfunction()
