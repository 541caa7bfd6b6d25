# A relocatable tree: bin/splitbench, lib/splitbench with its modules (BackendModule.cmake), and
# share/splitbench with what the program reads.

include(GNUInstallDirs)
foreach(folder protocols results/schema)
  if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/${folder})
    install(DIRECTORY ${folder}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/splitbench/${folder}
            FILES_MATCHING PATTERN "*.json")
  endif()
endforeach()
