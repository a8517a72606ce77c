// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Just enough UTF-8 (RFC 3629) to check a stranger's text and to show it without being fooled by it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ridgepoint {

/// Bytes of the well-formed sequence that the text starts with; 0 when there is none (overlong forms and surrogates are
/// not).
std::size_t utf8SequenceLength(std::string_view text);

/// Pre: `sequence` is one well-formed sequence.
std::uint32_t codePointOf(std::string_view sequence);

/// Pre: a code point that is no surrogate.
void appendUtf8(std::string &text, std::uint32_t codePoint);

/// Control, zero-width and direction-changing characters: what would make a message or a name look like another.
bool isHiddenCodePoint(std::uint32_t codePoint);

} // namespace ridgepoint
