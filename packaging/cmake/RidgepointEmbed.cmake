# SPDX-FileCopyrightText: The Ridgepoint authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Turns files under resources/ into C++ sources of a target, so that the program needs no files beside it.

set(RIDGEPOINT_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/EmbedFile.cmake")

# ridgepoint_embed(<target> <path>...): paths relative to the repository root; they keep that name in the program.
function(ridgepoint_embed target)
    list(LENGTH ARGN EMBEDDED_COUNT)
    set(EMBEDDED_DECLARATIONS "")
    set(EMBEDDED_ROWS "")
    foreach(path IN LISTS ARGN)
        string(MAKE_C_IDENTIFIER "${path}" symbol)
        set(source "${CMAKE_CURRENT_BINARY_DIR}/embedded/${symbol}.cpp")
        add_custom_command(
            OUTPUT "${source}"
            COMMAND "${CMAKE_COMMAND}" "-DINPUT=${PROJECT_SOURCE_DIR}/${path}" "-DOUTPUT=${source}"
                    "-DSYMBOL=${symbol}" -P "${RIDGEPOINT_EMBED_SCRIPT}"
            DEPENDS "${PROJECT_SOURCE_DIR}/${path}" "${RIDGEPOINT_EMBED_SCRIPT}"
            COMMENT "Embedding ${path}"
            VERBATIM)
        target_sources(${target} PRIVATE "${source}")
        string(APPEND EMBEDDED_DECLARATIONS "extern const std::string_view ${symbol};\n")
        string(APPEND EMBEDDED_ROWS "        EmbeddedResource{\"${path}\", embedded::${symbol}},\n")
    endforeach()
    set(index "${CMAKE_CURRENT_BINARY_DIR}/embedded/index.cpp")
    configure_file("${PROJECT_SOURCE_DIR}/packaging/cmake/embedded_index.cpp.in" "${index}" @ONLY)
    target_sources(${target} PRIVATE "${index}")
endfunction()
