# SPDX-FileCopyrightText: The Ridgepoint authors
# SPDX-License-Identifier: GPL-3.0-or-later
# What `cmake --install` puts where: the program and what a desktop needs to show and open it.
install(TARGETS ridgepoint RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(FILES "${PROJECT_SOURCE_DIR}/packaging/org.ridgepoint.Ridgepoint.desktop"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
install(FILES "${PROJECT_SOURCE_DIR}/packaging/org.ridgepoint.Ridgepoint.metainfo.xml"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo")
install(FILES "${PROJECT_SOURCE_DIR}/packaging/org.ridgepoint.Ridgepoint.mime.xml"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages" RENAME org.ridgepoint.Ridgepoint.xml)
install(FILES "${PROJECT_SOURCE_DIR}/resources/icons/ridgepoint.svg"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps" RENAME org.ridgepoint.Ridgepoint.svg)
