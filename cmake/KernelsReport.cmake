# Evidence about the compiled kernels: the target kernels_report prints registers, stack and spills
# of each kernel and the architectures in each object file; a test of the same name fails on a spill
# and on a wanted architecture that is missing.

# splitbench_kernels_report(LIBRARY): a library of .cu files compiled through keep_resource_usage.sh.
function(splitbench_kernels_report library)
  find_program(SPLITBENCH_CXXFILT c++filt)
  set(report ${CMAKE_COMMAND} "-DOBJECTS=$<TARGET_OBJECTS:${library}>"
      "-DWANTED=$<TARGET_PROPERTY:${library},CUDA_ARCHITECTURES>"
      -DOBJCOPY=${CMAKE_OBJCOPY} -DCXXFILT=${SPLITBENCH_CXXFILT}
      -DSCRATCH=${CMAKE_CURRENT_BINARY_DIR} -P ${PROJECT_SOURCE_DIR}/cmake/WriteKernelsReport.cmake)
  add_custom_target(kernels_report COMMAND ${report} DEPENDS ${library} VERBATIM)
  if(SPLITBENCH_TESTS)
    add_test(NAME unit.kernels_report COMMAND ${report})
    set_tests_properties(unit.kernels_report PROPERTIES LABELS unit)
  endif()
endfunction()
