# Configures the project anew where something of CUDA is missing or lies as in NVIDIA's wheels, and
# looks at what CMake says. Run by ctest with -DCASE=..., -DSOURCE=..., -DSCRATCH=...,
# -DNCCL_HEADER=..., -DNCCL_LIBRARY=...

set(options -DSPLITBENCH_TESTS=OFF -DSPLITBENCH_CUDA_BUILD_FOR=one)

# configure(EXPECTED_STATUS PATTERN OPTION...): EXPECTED_STATUS is `passes` or `fails`.
function(configure expected pattern)
  file(REMOVE_RECURSE ${SCRATCH}/build)
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${SCRATCH}/build ${options} ${ARGN}
                  RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE complained)
  string(REGEX REPLACE "[ \n]+" " " said "${said} ${complained}")  # CMake folds its lines
  if((expected STREQUAL "passes" AND status) OR (expected STREQUAL "fails" AND NOT status))
    message(FATAL_ERROR "configuring with ${ARGN} ended with ${status}, expected that it ${expected}:\n${said}")
  endif()
  if(NOT said MATCHES "${pattern}")
    message(FATAL_ERROR "configuring with ${ARGN} did not say '${pattern}':\n${said}")
  endif()
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
file(MAKE_DIRECTORY ${SCRATCH}/empty)
if(CASE STREQUAL "off")
  configure(passes "CUDA backend: left out" -DSPLITBENCH_CUDA=OFF)
elseif(CASE STREQUAL "missing")
  configure(passes "CUDA backend: not built, missing here: nccl \\(nccl.h, libnccl.so\\)"
            -DSPLITBENCH_NCCL_ROOT=${SCRATCH}/empty)
elseif(CASE STREQUAL "demanded")
  configure(fails "CUDA backend: not built, missing here: cublaslt \\(cublasLt.h, libcublasLt.so\\)"
            -DSPLITBENCH_CUDA=ON -DSPLITBENCH_CUBLAS_ROOT=${SCRATCH}/empty)
elseif(CASE STREQUAL "wheel")
  # As in a wheel, libnccl.so.2 without the link libnccl.so.
  set(wheel ${SCRATCH}/site-packages/nvidia/nccl)
  file(MAKE_DIRECTORY ${wheel}/include ${wheel}/lib)
  file(CREATE_LINK ${NCCL_HEADER} ${wheel}/include/nccl.h SYMBOLIC)
  file(CREATE_LINK ${NCCL_LIBRARY} ${wheel}/lib/libnccl.so.2 SYMBOLIC)
  configure(passes "site-packages/nvidia/nccl/lib/libnccl.so.2, for 80-real"
            -DSPLITBENCH_SITE_PACKAGES=${SCRATCH}/site-packages)
elseif(CASE STREQUAL "old")
  # A toolkit that says it is 12.3: the least is 12.4.
  file(WRITE ${SCRATCH}/bin/nvcc "#!/bin/sh\necho 'Cuda compilation tools, release 12.3, V12.3.1'\n")
  file(CHMOD ${SCRATCH}/bin/nvcc PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  configure(passes "missing here: the CUDA toolkit, 12.4 or later \\([^ ]*/bin/nvcc is 12.3\\)"
            -DCMAKE_CUDA_COMPILER=${SCRATCH}/bin/nvcc)
else()
  message(FATAL_ERROR "no case '${CASE}'")
endif()
