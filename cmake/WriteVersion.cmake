set(COMMIT "")
if(EXISTS ${SOURCE_DIR}/.git)
  execute_process(COMMAND git describe --always --dirty --abbrev=12 --exclude=*
                  WORKING_DIRECTORY ${SOURCE_DIR}
                  OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
