// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Bounded reading of a file.
#include "core/import/read_file.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <system_error>
#include <unistd.h>

namespace ridgepoint {

namespace {

tl::unexpected<Problems> wholeFile(std::string found, std::string allowed) {
    return tl::unexpected(Problems{{.field = "", .found = std::move(found), .allowed = std::move(allowed)}});
}

class Descriptor {
public:
    // Without waiting: opening a pipe that nobody writes to would not return.
    explicit Descriptor(const std::string &path) : number_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    ~Descriptor() {
        if (number_ >= 0) {
            close(number_);
        }
    }
    int number() const { return number_; }

private:
    int number_;
};

/// Whether something can be read within the time; a negative one waits for good.
bool waitForBytes(int descriptor, int milliseconds) {
    struct pollfd waiting {};
    waiting.fd = descriptor;
    waiting.events = POLLIN;
    return poll(&waiting, 1, milliseconds) > 0;
}

} // namespace

Expected<std::string> readFileBounded(const std::string &path, std::string_view what, std::size_t largest) {
    constexpr int writerStartsWithin = 1000; // milliseconds
    const Descriptor file(path);
    struct stat status {};
    const auto refuse = [what] {
        return wholeFile(std::generic_category().message(errno), fmt::format("a {} file that can be read", what));
    };
    if (file.number() < 0 || fstat(file.number(), &status) != 0) {
        return refuse();
    }
    if (S_ISDIR(status.st_mode)) {
        return wholeFile("a folder", fmt::format("a {} file", what));
    }
    std::string text;
    std::array<char, 65536> block{};
    while (text.size() <= largest) {
        const ssize_t got = read(file.number(), block.data(), block.size());
        if (got > 0) {
            text.append(block.data(), static_cast<std::size_t>(got));
        } else if (got < 0 && errno == EAGAIN) {
            waitForBytes(file.number(), -1); // a writer is there and takes its time
        } else if (got < 0 && errno != EINTR) {
            return refuse();
        } else if (got == 0) {
            if (!S_ISFIFO(status.st_mode) || !text.empty()) {
                return text;
            }
            if (!waitForBytes(file.number(), writerStartsWithin)) {
                return wholeFile("a pipe that nobody writes to", fmt::format("a {} file that can be read", what));
            }
            status.st_mode = 0; // from now on no bytes are the end
        }
    }
    return wholeFile(fmt::format("more than {} bytes", largest),
                     fmt::format("a {} file of {} bytes at most", what, largest));
}

} // namespace ridgepoint
