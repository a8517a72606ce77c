// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that the program carries the data files of resources/ byte for byte.
#include "core/catalog/embedded.h"

#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using namespace ridgepoint;
namespace fs = std::filesystem;

class TestEmbedded : public QObject {
    Q_OBJECT

private:
    fs::path root_ = fs::path(RIDGEPOINT_TEST_DATA).parent_path().parent_path();

private Q_SLOTS:
    void everyDataFileIsEmbeddedByteForByte() {
        std::size_t count = 0;
        for (const fs::directory_entry &entry : fs::recursive_directory_iterator(root_ / "resources")) {
            const std::string extension = entry.path().extension().string();
            if (extension != ".json" && extension != ".ridgepoint")
                continue;
            ++count;
            std::ifstream file(entry.path(), std::ios::binary);
            const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
            const std::string path = fs::relative(entry.path(), root_).generic_string();
            QVERIFY2(embeddedResource(path) == bytes, path.c_str());
        }
        QVERIFY(count > 0);
        QCOMPARE(embeddedResources().size(), count);
    }

    void pathsAreSortedAndDistinct() {
        std::vector<std::string_view> paths;
        for (const EmbeddedResource &resource : embeddedResources())
            paths.push_back(resource.path);
        QVERIFY(std::is_sorted(paths.begin(), paths.end()));
        QVERIFY(std::adjacent_find(paths.begin(), paths.end()) == paths.end());
    }

    void anUnknownPathIsEmpty() {
        QVERIFY(embeddedResource("resources/no-such-file.json").empty());
        QVERIFY(embeddedResource("").empty());
    }
};

QTEST_APPLESS_MAIN(TestEmbedded)
#include "tst_embedded.moc"
