# Each header of ours must compile alone, and twice in a row: one generated source per header.

function(splitbench_header_self_test)
  set(sources "")
  foreach(folder model protocols results harness)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
         ${PROJECT_SOURCE_DIR}/${folder}/*.h)
    foreach(header ${headers})
      string(MAKE_C_IDENTIFIER ${header} name)
      set(source ${PROJECT_BINARY_DIR}/header_self_test/${name}.cpp)
      file(CONFIGURE OUTPUT ${source}
           CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
      list(APPEND sources ${source})
    endforeach()
  endforeach()
  add_library(splitbench_header_self_test OBJECT ${sources})
  target_link_libraries(splitbench_header_self_test PRIVATE splitbench_options ${ARGN})
endfunction()
