// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// UTF-8 sequences: lengths, code points and back.
#include "core/import/utf8.h"

#include <array>

namespace ridgepoint {
namespace {

constexpr std::uint32_t continuationBits = 6;

std::uint32_t byteAt(std::string_view text, std::size_t index) {
    return static_cast<unsigned char>(text[index]);
}

std::size_t lengthOfLead(std::uint32_t lead) {
    if (lead < 0x80) {
        return 1;
    }
    if (lead >= 0xC2 && lead <= 0xDF) {
        return 2;
    }
    if (lead >= 0xE0 && lead <= 0xEF) {
        return 3;
    }
    return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
}

} // namespace

std::size_t utf8SequenceLength(std::string_view text) {
    if (text.empty()) {
        return 0;
    }
    const std::size_t length = lengthOfLead(byteAt(text, 0));
    if (length == 0 || length > text.size()) {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if ((byteAt(text, i) & 0xC0U) != 0x80U) {
            return 0;
        }
    }
    const std::uint32_t code = codePointOf(text.substr(0, length));
    const bool isOverlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    const bool isSurrogate = code >= 0xD800 && code < 0xE000;
    return isOverlong || isSurrogate || code > 0x10FFFF ? 0 : length;
}

std::uint32_t codePointOf(std::string_view sequence) {
    static constexpr std::array<std::uint32_t, 5> leadMasks = {0, 0x7F, 0x1F, 0x0F, 0x07};
    std::uint32_t code = byteAt(sequence, 0) & leadMasks[sequence.size()];
    for (std::size_t i = 1; i < sequence.size(); ++i) {
        code = (code << continuationBits) | (byteAt(sequence, i) & 0x3FU);
    }
    return code;
}

void appendUtf8(std::string &text, std::uint32_t codePoint) {
    const auto tail = [&](std::uint32_t shift) { text += static_cast<char>(0x80U | ((codePoint >> shift) & 0x3FU)); };
    if (codePoint < 0x80) {
        text += static_cast<char>(codePoint);
    } else if (codePoint < 0x800) {
        text += static_cast<char>(0xC0U | (codePoint >> 6U));
        tail(0);
    } else if (codePoint < 0x10000) {
        text += static_cast<char>(0xE0U | (codePoint >> 12U));
        tail(6);
        tail(0);
    } else {
        text += static_cast<char>(0xF0U | (codePoint >> 18U));
        tail(12);
        tail(6);
        tail(0);
    }
}

bool isHiddenCodePoint(std::uint32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0x61C || (c >= 0x200B && c <= 0x200F) ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF;
}

} // namespace ridgepoint
