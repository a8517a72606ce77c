# SPDX-FileCopyrightText: The Ridgepoint authors
# SPDX-License-Identifier: GPL-3.0-or-later
# A ctest: nothing in core knows of Qt or of the layers above it, nothing in ui knows of app.
cmake_minimum_required(VERSION 3.25)

set(problems "")

function(forbid_include folder pattern)
    file(GLOB_RECURSE files "${ROOT}/${folder}/*.h" "${ROOT}/${folder}/*.cpp")
    if(NOT files)
        message(FATAL_ERROR "no sources found in ${ROOT}/${folder}")
    endif()
    foreach(file IN LISTS files)
        file(STRINGS "${file}" hits REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]${pattern}")
        foreach(hit IN LISTS hits)
            list(APPEND problems "${file}: ${hit}")
        endforeach()
    endforeach()
    set(problems "${problems}" PARENT_SCOPE)
endfunction()

forbid_include(core "(Q[A-Z]|Qt[A-Z]|q[a-z]+\\.h|qcustomplot|ui/|app/|CLI/)")
forbid_include(ui "(app/|CLI/)")

if(EXISTS "${NM}")
    execute_process(COMMAND "${NM}" -u "${CORE_LIBRARY}" OUTPUT_VARIABLE symbols RESULT_VARIABLE failed)
    if(failed)
        message(FATAL_ERROR "${NM} cannot read ${CORE_LIBRARY}")
    endif()
    # Mangled names: a global class is its length and its name (7QString), a global function likewise (9qt_assert).
    string(REGEX MATCHALL " U (_ZN?K?[0-9]+(Q[A-Z]|Qt|q[A-Z]|qt_)[A-Za-z0-9_]*|qt_[a-z_]+)" hits "${symbols}")
    foreach(hit IN LISTS hits)
        list(APPEND problems "${CORE_LIBRARY} needs:${hit}")
    endforeach()
endif()

if(problems)
    list(JOIN problems "\n  " text)
    message(FATAL_ERROR "layers are mixed:\n  ${text}")
endif()
