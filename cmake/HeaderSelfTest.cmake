# Each header of ours must compile alone, and twice in a row: one generated source per header. Those
# that include CUDA's take part where the cuda backend is built.

function(splitbench_header_self_test)
  set(sources "")
  set(folders model protocols results harness)
  if(TARGET splitbench_cuda_parts)
    list(APPEND folders kernels)
  endif()
  foreach(folder ${folders})
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
         ${PROJECT_SOURCE_DIR}/${folder}/*.h)
    if(NOT TARGET splitbench_cuda_parts)
      list(FILTER headers EXCLUDE REGEX "^harness/backends/cuda/")
    endif()
    foreach(header ${headers})
      string(MAKE_C_IDENTIFIER ${header} name)
      set(source ${PROJECT_BINARY_DIR}/header_self_test/${name}.cpp)
      file(CONFIGURE OUTPUT ${source}
           CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
      list(APPEND sources ${source})
    endforeach()
  endforeach()
  add_library(splitbench_header_self_test OBJECT ${sources})
  target_compile_options(splitbench_header_self_test PRIVATE -O0)  # nothing of it is run
  target_link_libraries(splitbench_header_self_test PRIVATE splitbench_options
                        $<TARGET_NAME_IF_EXISTS:splitbench_cuda_parts> ${ARGN})
endfunction()
