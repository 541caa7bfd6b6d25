# Writes <build>/generated/splitbench_version.cpp at every build, touching it only when it changes, so
# that a result names the commit it was built from. Without .git the commit is unknown (null in JSON).

set(SPLITBENCH_VERSION_SOURCE ${PROJECT_BINARY_DIR}/generated/splitbench_version.cpp)
add_custom_target(splitbench_version_source
  BYPRODUCTS ${SPLITBENCH_VERSION_SOURCE}
  COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION}
          -DTEMPLATE=${PROJECT_SOURCE_DIR}/cmake/version.cpp.in -DOUTPUT=${SPLITBENCH_VERSION_SOURCE}
          -P ${PROJECT_SOURCE_DIR}/cmake/WriteVersion.cmake
  COMMENT "Recording version and commit" VERBATIM)
