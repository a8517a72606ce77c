// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// JSON as RFC 8259 has it and nothing more, with the field or byte of every mistake: what a stranger's file is read
// with.
#pragma once

#include "core/import/json_walker.h"
#include "core/scenario/problem.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace ridgepoint {

/// The value of a UTF-8 text; a byte order mark is accepted. Errors: the first mistake of the syntax, or every key that
/// stands twice. Problems name the field (`text_config.head_dim`) where there is one, else `byte N` counted from 0.
/// NaN, Infinity, hexadecimal and numbers beyond a double are mistakes, as are lone surrogates and bytes that are not
/// UTF-8.
Expected<nlohmann::json> parseStrictJson(std::string_view text, const JsonLimits &limits = {});

/// The same for a text that must hold an object.
Expected<nlohmann::json> parseStrictJsonObject(std::string_view text, const JsonLimits &limits = {});

/// A value as a problem shows it: `text "32"`, `true`, `null`, `a list`, `an object`, `32.5`.
std::string shownValue(const nlohmann::json &value);

/// Text for a message: control, invisible and direction-changing characters as \uXXXX, cut with `...` after about
/// `limit` bytes.
std::string shownText(std::string_view text, std::size_t limit = 60);

} // namespace ridgepoint
