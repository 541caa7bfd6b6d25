# Most of the time to compile a source of ours goes into the headers of the command line and of JSON.
# With SPLITBENCH_COMPILE_TOGETHER several sources are compiled as one, each header once, in half the
# time. Off by default: each source must stand alone, and what changes is compiled again alone.

option(SPLITBENCH_COMPILE_TOGETHER "Compile several sources as one: a whole build is faster" OFF)

# compile_together(TARGET SOURCE...): these, some at a time; other sources of TARGET stay alone.
function(compile_together target)
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD ${SPLITBENCH_COMPILE_TOGETHER} UNITY_BUILD_MODE GROUP)
  set(number 0)
  foreach(source ${ARGN})
    math(EXPR group "${number} / 11")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${target}_${group})
    math(EXPR number "${number} + 1")
  endforeach()
endfunction()
