// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Short ways to write scenario texts and to show problems, shared by the tests of the scenario room.
#pragma once

#include "core/scenario/problem.h"

#include <fstream>
#include <iterator>
#include <string>

namespace ridgepoint::test {

inline std::string fileText(const std::string &name) {
    std::ifstream file(std::string(RIDGEPOINT_TEST_DATA) + "/scenarios/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// A scenario of a model and the given further keys.
inline std::string with(const std::string &keys, const std::string &model = R"({"preset": "llama-2-7b"})") {
    return R"({"model": )" + model + (keys.empty() ? "" : ", " + keys) + "}";
}

/// One message a line.
inline std::string lines(const Problems &problems) {
    std::string text;
    for (const Problem &problem : problems) {
        text += problem.message() + "\n";
    }
    return text;
}

} // namespace ridgepoint::test
