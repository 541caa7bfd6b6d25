# Evidence about the compiled kernels: the target kernels_report prints registers, stack and spills
# of each kernel and the architectures in each object file; a test of the same name fails on a spill
# and on a wanted architecture that is missing.

# splitbench_kernels_report(LIBRARY): a library of .cu files compiled through keep_resource_usage.sh.
function(splitbench_kernels_report library)
  find_program(SPLITBENCH_CXXFILT c++filt)
  set(report ${CMAKE_COMMAND} -DOBJCOPY=${CMAKE_OBJCOPY} -DCXXFILT=${SPLITBENCH_CXXFILT}
      -DSCRATCH=${CMAKE_CURRENT_BINARY_DIR})
  set(objects "-DOBJECTS=$<TARGET_OBJECTS:${library}>")
  set(wanted "-DWANTED=$<TARGET_PROPERTY:${library},CUDA_ARCHITECTURES>")
  set(script -P ${PROJECT_SOURCE_DIR}/cmake/WriteKernelsReport.cmake)
  add_custom_target(kernels_report COMMAND ${report} ${objects} ${wanted} ${script}
                    DEPENDS ${library} COMMENT "Registers, spills and architectures" VERBATIM)
  if(SPLITBENCH_TESTS)
    add_test(NAME unit.kernels_report COMMAND ${report} ${objects} ${wanted} ${script})
    add_test(NAME unit.kernels_report.misses_an_architecture
             COMMAND ${report} ${objects} -DWANTED=999-real ${script})
    add_test(NAME unit.kernels_report.sees_a_spill
             COMMAND ${report} -DOBJECTS=${PROJECT_SOURCE_DIR}/tests/kernels/spilling.cu.o
                     ${wanted} ${script})
    set_tests_properties(unit.kernels_report.misses_an_architecture PROPERTIES
      PASS_REGULAR_EXPRESSION "has no code for 999-real")
    set_tests_properties(unit.kernels_report.sees_a_spill PROPERTIES
      PASS_REGULAR_EXPRESSION "spilling_kernel spills registers")
    set_tests_properties(unit.kernels_report unit.kernels_report.misses_an_architecture
                         unit.kernels_report.sees_a_spill PROPERTIES LABELS unit)
  endif()
endfunction()
