# SPDX-FileCopyrightText: The Ridgepoint authors
# SPDX-License-Identifier: GPL-3.0-or-later
# A ctest: every source names its license and its reason to exist, and none outgrows 600 lines.
cmake_minimum_required(VERSION 3.25)

set(problems "")
foreach(folder IN ITEMS core ui app tests)
    file(GLOB_RECURSE files "${ROOT}/${folder}/*.h" "${ROOT}/${folder}/*.cpp")
    foreach(file IN LISTS files)
        file(READ "${file}" text)
        string(REGEX REPLACE "[^\n]" "" newlines "${text}")
        string(LENGTH "${newlines}" count)
        if(count GREATER 600)
            list(APPEND problems "${file}: more than 600 lines, what two things is it?")
        endif()
        file(STRINGS "${file}" head LIMIT_COUNT 3)
        if(NOT "${head}" MATCHES "^// SPDX-FileCopyrightText: [^;]+;// SPDX-License-Identifier: GPL-3.0-or-later;// [^;]+")
            list(APPEND problems "${file}: does not start with two SPDX lines and a sentence on why it exists")
        endif()
    endforeach()
endforeach()

if(problems)
    list(JOIN problems "\n  " text)
    message(FATAL_ERROR "  ${text}")
endif()
