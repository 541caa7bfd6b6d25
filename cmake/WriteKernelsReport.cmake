# Prints what the compiled kernels use and which architectures are in the object files; fails on a
# spill, on a wanted architecture that is missing, and where there is nothing to look at.
#
#   OBJECTS   object files of .cu sources, each with OBJECT.resources beside it: what ptxas -v said
#   WANTED    as CMAKE_CUDA_ARCHITECTURES: 80-real (machine code), 90-virtual (PTX), 86 (both)
#   OBJCOPY, CXXFILT   of binutils; SCRATCH: a folder to write in
#
# Architectures are read from the object files, without the toolkit's cuobjdump. The section
# .nv_fatbin holds containers: magic 0xba55ed50, version (2 bytes), length of this header (2), length
# of what follows it (8). A container holds entries: kind (2; 1 PTX, 2 machine code), version (2),
# length of this header (4), length of what follows it (8), ..., architecture (4, at byte 28).
# Numbers are little-endian. The vendor does not document the layout; this is how ZLUDA reads it
# (vosen/ZLUDA, FatbinHeader and FatbinFileHeader) and what nvcc 13.0 writes. What does not fit it
# is an error here, so a change of the layout cannot pass for a good build.

cmake_minimum_required(VERSION 3.22)

# ---- registers, stack, spills ------------------------------------------------------------------

# Sets kernels (mangled names) and, for each, ARCHITECTURES_, REGISTERS_, STACK_, SPILLS_<name>.
function(read_resources objects)
  set(kernels "")
  foreach(object ${objects})
    file(STRINGS ${object}.resources lines)
    set(name "")
    foreach(line IN LISTS lines)
      if(line MATCHES "Compiling entry function '([^']+)' for '([^']+)'")
        set(name ${CMAKE_MATCH_1})
        list(APPEND kernels ${name})
        list(APPEND ARCHITECTURES_${name} ${CMAKE_MATCH_2})
      elseif(name AND line MATCHES "([0-9]+) bytes stack frame, ([0-9]+) bytes spill stores, ([0-9]+) bytes spill loads")
        math(EXPR spilled "${CMAKE_MATCH_2} + ${CMAKE_MATCH_3}")
        list(APPEND STACK_${name} ${CMAKE_MATCH_1})
        list(APPEND SPILLS_${name} ${spilled})
      elseif(name AND line MATCHES "Used ([0-9]+) registers")
        list(APPEND REGISTERS_${name} ${CMAKE_MATCH_1})
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES kernels)
  foreach(name ${kernels})
    foreach(property ARCHITECTURES REGISTERS STACK SPILLS)
      set(${property}_${name} ${${property}_${name}} PARENT_SCOPE)
    endforeach()
  endforeach()
  set(kernels ${kernels} PARENT_SCOPE)
endfunction()

function(readable_name mangled variable)
  set(name ${mangled})
  if(CXXFILT)
    execute_process(COMMAND ${CXXFILT} ${mangled} OUTPUT_VARIABLE name OUTPUT_STRIP_TRAILING_WHITESPACE)
    string(REGEX REPLACE "^void |splitbench::kernels::|\\(.*$" "" name "${name}")
  endif()
  set(${variable} ${name} PARENT_SCOPE)
endfunction()

# The largest of a list of whole numbers.
function(largest variable)
  list(SORT ARGN COMPARE NATURAL ORDER DESCENDING)
  list(GET ARGN 0 first)
  set(${variable} ${first} PARENT_SCOPE)
endfunction()

function(report_kernels objects)
  read_resources("${objects}")
  if(NOT kernels)
    message(FATAL_ERROR "No kernel was compiled with ptxas -v: nothing is known of spills")
  endif()
  message("registers  stack  spilled  kernel (most over the architectures; bytes)")
  foreach(kernel ${kernels})
    readable_name(${kernel} name)
    largest(registers ${REGISTERS_${kernel}})
    largest(stack ${STACK_${kernel}})
    largest(spilled ${SPILLS_${kernel}})
    message("${registers}  ${stack}  ${spilled}  ${name}")
    if(spilled GREATER 0)
      message(SEND_ERROR "${name} spills registers")
    endif()
  endforeach()
endfunction()

# ---- architectures -----------------------------------------------------------------------------

# read_number(FILE OFFSET BYTES VARIABLE): little-endian.
function(read_number file offset bytes variable)
  file(READ ${file} digits OFFSET ${offset} LIMIT ${bytes} HEX)
  string(REGEX MATCHALL ".." digits "${digits}")
  list(REVERSE digits)
  list(JOIN digits "" digits)
  math(EXPR number "0x0${digits}")
  set(${variable} ${number} PARENT_SCOPE)
endfunction()

# Adds the architectures of the entries in [begin, end) of a section's contents to `found`.
function(read_entries contents begin end)
  while(begin LESS end)
    read_number(${contents} ${begin} 2 kind)
    math(EXPR at_header "${begin} + 4")
    math(EXPR at_length "${begin} + 8")
    math(EXPR at_architecture "${begin} + 28")
    read_number(${contents} ${at_header} 4 header)
    read_number(${contents} ${at_length} 8 length)
    read_number(${contents} ${at_architecture} 4 architecture)
    if(kind EQUAL 1)
      list(APPEND found ${architecture}-virtual)
    elseif(kind EQUAL 2)
      list(APPEND found ${architecture}-real)
    else()
      message(FATAL_ERROR "${contents}: an entry of kind ${kind} at byte ${begin}, expected 1 or 2")
    endif()
    math(EXPR begin "${begin} + ${header} + ${length}")
  endwhile()
  set(found ${found} PARENT_SCOPE)
endfunction()

# architectures_of(OBJECT VARIABLE): as in CMAKE_CUDA_ARCHITECTURES, 80-real or 90-virtual.
function(architectures_of object variable)
  string(RANDOM LENGTH 12 unique)  # reports may be made side by side
  set(contents ${SCRATCH}/nv_fatbin.${unique})
  execute_process(COMMAND ${OBJCOPY} -O binary --only-section=.nv_fatbin ${object} ${contents}
                  RESULT_VARIABLE failed ERROR_VARIABLE why)
  if(failed)
    message(FATAL_ERROR "${object}: .nv_fatbin could not be copied out: ${why}")
  endif()
  file(SIZE ${contents} size)
  set(found "")
  set(begin 0)
  while(begin LESS size)
    read_number(${contents} ${begin} 4 magic)
    if(NOT magic EQUAL 3126193488)  # 0xba55ed50
      message(FATAL_ERROR "${object}: no fat binary at byte ${begin} of .nv_fatbin")
    endif()
    math(EXPR at_header "${begin} + 6")
    math(EXPR at_length "${begin} + 8")
    read_number(${contents} ${at_header} 2 header)
    read_number(${contents} ${at_length} 8 length)
    math(EXPR entries "${begin} + ${header}")
    math(EXPR begin "${entries} + ${length}")
    read_entries(${contents} ${entries} ${begin})
  endwhile()
  file(REMOVE ${contents})
  list(REMOVE_DUPLICATES found)
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

# 86 means machine code and PTX; the rest is as it stands.
function(spelled_out wanted variable)
  set(all "")
  foreach(architecture ${wanted})
    if(architecture MATCHES "^[0-9]+$")
      list(APPEND all ${architecture}-real ${architecture}-virtual)
    else()
      list(APPEND all ${architecture})
    endif()
  endforeach()
  set(${variable} ${all} PARENT_SCOPE)
endfunction()

function(report_architectures objects wanted)
  spelled_out("${wanted}" wanted)
  foreach(object ${objects})
    architectures_of(${object} found)
    get_filename_component(name ${object} NAME)
    message("${name}: ${found}")
    foreach(architecture ${wanted})
      if(NOT architecture IN_LIST found)
        message(SEND_ERROR "${name} has no code for ${architecture}")
      endif()
    endforeach()
  endforeach()
endfunction()

report_kernels("${OBJECTS}")
report_architectures("${OBJECTS}" "${WANTED}")
