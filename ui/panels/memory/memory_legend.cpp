// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The memory legend's lines: parts by family, with the three totals that people measure where they stand in the stack.
#include "ui/panels/memory/memory_parts.h"

#include <QCoreApplication>

namespace ridgepoint {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(MemoryPanel)
};

using Line = MemoryLegendLine;
enum class Detail { All, WithoutFamilies, PartsOnly };

class Legend {
public:
    Legend(const MemoryBars &bars, const NumberStyle &style, Detail detail, Tips tips)
        : bars_(bars), bar_(bars.bars[bars.selected]), style_(style), detail_(detail),
          writesTips_(tips == Tips::Written) {}

    std::vector<Line> lines() {
        if (detail_ != Detail::PartsOnly)
            lines_.push_back({Line::Kind::Heading, {}, bar_.owner, bars_.scale.unit, {}, {}});
        const bool hasSlack = bar_.reservedBytes > bar_.allocatedBytes;
        total(Text::tr("nvidia-smi"), bar_.totalBytes, "total_bytes");
        for (const MemoryLegendGroup &group : bars_.legend) {
            if (group.family != MemoryFamily::Runtime) {
                allocated(hasSlack);
                family(nameOf(group.family), group.rows.size() > 1 ? figure(group.bytes) : QString());
            }
            for (const MemoryLegendRow &row : group.rows) {
                if (row.part < MemoryPart::Fragmentation)
                    allocated(hasSlack);
                else if (row.part == MemoryPart::Fragmentation && hasSlack)
                    total(Text::tr("reserved"), bar_.reservedBytes, "reserved_bytes");
                part(row);
            }
        }
        return lines_;
    }

private:
    QString figure(double bytes) const { return textIn(bars_.scale, bytes, style_); }

    /// Once, above the first part that the framework allocates.
    void allocated(bool hasSlack) {
        if (saidAllocated_)
            return;
        saidAllocated_ = true;
        total(hasSlack ? Text::tr("allocated") : Text::tr("allocated = reserved"), bar_.allocatedBytes,
              "allocated_bytes");
    }

    void family(const QString &name, const QString &value) {
        if (detail_ == Detail::All)
            lines_.push_back({Line::Kind::Heading, {}, name, value, {}, {}});
    }

    void total(const QString &name, double bytes, const char *key) {
        if (detail_ != Detail::PartsOnly)
            lines_.push_back({Line::Kind::Total,
                              {},
                              name,
                              figure(bytes),
                              bar_.prefix + QString::fromLatin1(key),
                              writesTips_ ? QString(bar_.owner + u'\n' + totalsText(bar_, style_)) : QString()});
    }

    void part(const MemoryLegendRow &row) {
        lines_.push_back(
            {Line::Kind::Part, row.part, nameOf(row.part), figure(row.bytes), bar_.prefix + keyOf(row.part),
             writesTips_ ? Text::tr("%1 on %2: %3").arg(nameOf(row.part), bar_.owner, bothUnits(row.bytes, style_))
                         : QString()});
    }

    const MemoryBars &bars_;
    const MemoryBar &bar_;
    const NumberStyle &style_;
    Detail detail_;
    bool writesTips_;
    bool saidAllocated_ = false;
    std::vector<Line> lines_;
};

} // namespace

std::vector<Line> memoryLegend(const MemoryBars &bars, const NumberStyle &style, int rows, Tips tips) {
    for (const Detail detail : {Detail::All, Detail::WithoutFamilies}) {
        auto lines = Legend(bars, style, detail, tips).lines();
        if (static_cast<int>(lines.size()) <= rows)
            return lines;
    }
    return Legend(bars, style, Detail::PartsOnly, tips).lines();
}

} // namespace ridgepoint
