// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A text that is looked at through a small window moving forward, so that its size costs no memory.
#pragma once

#include "core/import/byte_source.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace ridgepoint {

class TextWindow {
public:
    /// The whole text, already in memory. Pre: it outlives this.
    explicit TextWindow(std::string_view whole) : view_(whole), end_(whole.size()) {}
    /// Bytes `begin` to `end` of a source. Positions count from the source's start. Pre: the source outlives this.
    TextWindow(const ByteSource &source, std::uint64_t begin, std::uint64_t end);
    TextWindow(const TextWindow &) = delete;
    TextWindow &operator=(const TextWindow &) = delete;
    ~TextWindow() = default;

    bool atEnd() { return at_ == view_.size() && !more(1); }
    /// The next byte; NUL at the end.
    char peek() { return atEnd() ? '\0' : view_[at_]; }
    /// The next bytes, as many of `most` as there are. Pre: most <= longestLook.
    std::string_view ahead(std::size_t most) {
        if (view_.size() - at_ < most) {
            more(most);
        }
        return view_.substr(at_, most);
    }
    /// What of the text is at hand, at least one byte unless at the end.
    std::string_view atHand() { return atEnd() ? std::string_view() : view_.substr(at_); }
    /// Pre: that many bytes were looked at.
    void advance(std::size_t bytes = 1) { at_ += bytes; }
    /// Of the next byte.
    std::uint64_t position() const { return base_ + at_; }

    static constexpr std::size_t longestLook = 4096;

private:
    bool more(std::size_t wanted);

    std::string_view view_;
    std::size_t at_ = 0;
    std::uint64_t base_ = 0; ///< position of view_'s first byte
    std::uint64_t end_ = 0;
    const ByteSource *source_ = nullptr;
    std::string buffer_;
};

} // namespace ridgepoint
