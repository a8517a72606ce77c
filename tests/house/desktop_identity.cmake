# SPDX-FileCopyrightText: The Ridgepoint authors
# SPDX-License-Identifier: GPL-3.0-or-later
# A ctest: desktop entry, metainfo and file type are valid, and agree on ids and on the version.
cmake_minimum_required(VERSION 3.25)

set(id "org.ridgepoint.Ridgepoint")
set(desktop "${ROOT}/packaging/${id}.desktop")
set(metainfo "${ROOT}/packaging/${id}.metainfo.xml")
set(mime "${ROOT}/packaging/${id}.mime.xml")
set(mimeType "application/x-ridgepoint")

function(expect_text path text)
    file(READ "${path}" content)
    string(FIND "${content}" "${text}" position)
    if(position EQUAL -1)
        message(SEND_ERROR "${path}: '${text}' is missing")
    endif()
endfunction()

expect_text("${desktop}" "\nIcon=${id}\n")
expect_text("${desktop}" "\nMimeType=${mimeType};")
expect_text("${metainfo}" "<id>${id}</id>")
expect_text("${metainfo}" "<launchable type=\"desktop-id\">${id}.desktop</launchable>")
expect_text("${metainfo}" "<mediatype>${mimeType}</mediatype>")
expect_text("${metainfo}" "<release version=\"${VERSION}\"")
expect_text("${mime}" "<mime-type type=\"${mimeType}\">")
expect_text("${mime}" "<glob pattern=\"*.ridgepoint\"/>")
if(NOT EXISTS "${ROOT}/resources/icons/ridgepoint.svg")
    message(SEND_ERROR "resources/icons/ridgepoint.svg is missing")
endif()

function(expect_valid)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        message(SEND_ERROR "${ARGN}\n${result}\n${output}")
    endif()
endfunction()

expect_valid(desktop-file-validate "${desktop}")
expect_valid(appstreamcli validate --no-net "${metainfo}")
