// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Refills the window.
#include "core/import/text_window.h"

#include <algorithm>

namespace ridgepoint {

TextWindow::TextWindow(const ByteSource &source, std::uint64_t begin, std::uint64_t end)
    : base_(begin), end_(std::min(end, source.size())), source_(&source) {}

bool TextWindow::more(std::size_t wanted) {
    constexpr std::size_t windowBytes = 1 << 16;
    if (source_ == nullptr) {
        return false;
    }
    const std::uint64_t next = base_ + view_.size();
    const auto unread = static_cast<std::size_t>(std::min<std::uint64_t>(end_ - std::min(end_, next), windowBytes));
    if (unread == 0) {
        return false;
    }
    buffer_.erase(0, at_);
    base_ += at_;
    at_ = 0;
    const std::size_t kept = buffer_.size();
    buffer_.resize(kept + unread);
    buffer_.resize(kept + source_->read(next, buffer_.data() + kept, unread));
    if (buffer_.size() < kept + unread) {
        end_ = next + (buffer_.size() - kept); // the system could not read on: the text ends here
    }
    view_ = buffer_;
    return view_.size() >= wanted;
}

} // namespace ridgepoint
