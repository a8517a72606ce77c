# SPDX-FileCopyrightText: The Ridgepoint authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Run by the build (cmake -P): writes the bytes of INPUT to OUTPUT as the C++ text view SYMBOL.
file(READ "${INPUT}" bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
# The closing NUL keeps an empty file valid C++; it is not part of the view.
file(WRITE "${OUTPUT}" "#include <string_view>
namespace {
constexpr char bytes[] = {
${bytes}'\\0'};
}
namespace ridgepoint::embedded {
extern const std::string_view ${SYMBOL};
constinit const std::string_view ${SYMBOL}{bytes, sizeof(bytes) - 1};
}
")
