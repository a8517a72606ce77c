// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A traced number has the value of the double it stands for, and remembers its sum.
#include "core/number/number.h"

#include <QtTest/QTest>

#include <cmath>
#include <limits>

using namespace ridgepoint;
using Kind = TraceNode::Kind;

namespace {

/// A formula with every operation there is.
template <Number N>
N everyOperation(const N &a, const N &b) {
    N total = 0.0;
    total += a * b + a / b - b;
    total -= larger(a, b) * 1.0;
    total *= smaller(a, N(3.0)) + power(a, N(1.5)) + squareRoot(b);
    total /= roundedUp(a) + roundedDown(b) + rounded(a * b);
    return named<N>(total, "total");
}

} // namespace

class TestTraced : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sameValueAsDouble_data();
    void sameValueAsDouble();
    void constantHasAConstantNode();
    void leafKeepsLabelUnitAndSource();
    void namedHasOnePartAndItsValue();
    void operandsStayInOrder_data();
    void operandsStayInOrder();
    void identitiesStayLiteral();
    void namingTwiceTheSameIsNamingOnce();
    void totalFromZeroHasNoZeroTerm();
    void comparesByValue();
    void sharedPartIsOneNode();
    void longSumsAreReleasedWithoutRecursion();
    void copyOutlivesTheOriginal();
};

void TestTraced::sameValueAsDouble_data() {
    QTest::addColumn<double>("a");
    QTest::addColumn<double>("b");
    QTest::newRow("small") << 2.0 << 5.0;
    QTest::newRow("fractions") << 0.1 << 0.7;
    QTest::newRow("large") << 6738415616.0 << 1.0e12;
    QTest::newRow("negative") << -2.5 << 3.5;
}

void TestTraced::sameValueAsDouble() {
    QFETCH(double, a);
    QFETCH(double, b);
    const double plain = everyOperation<double>(a, b);
    const double traced = everyOperation<Traced>(a, b).value();
    QVERIFY(traced == plain || (std::isnan(traced) && std::isnan(plain)));
    QCOMPARE(valueOf(Traced(a)), a);
    QCOMPARE(everyOperation<double>(2, 5),
             (-0.0 + (10.0 + 0.4 - 5.0) - 5.0) * (2.0 + std::pow(2.0, 1.5) + std::sqrt(5.0)) / 17.0);
}

void TestTraced::constantHasAConstantNode() {
    const auto node = Traced(4.5).node();
    QVERIFY(node->kind == Kind::Constant);
    QCOMPARE(node->value, 4.5);
    QVERIFY(node->parts.empty());
    QCOMPARE(Traced().node()->value, 0.0);
}

void TestTraced::leafKeepsLabelUnitAndSource() {
    const auto node = fact<Traced>(80e9, "capacity", "bytes", "A100 datasheet").node();
    QVERIFY(node->kind == Kind::Leaf);
    QCOMPARE(node->value, 80e9);
    QCOMPARE(node->label, std::string("capacity"));
    QCOMPARE(node->unit, std::string("bytes"));
    QCOMPARE(node->source, std::string("A100 datasheet"));
    QCOMPARE(fact<double>(80e9, "capacity"), 80e9);
}

void TestTraced::namedHasOnePartAndItsValue() {
    const Traced sum = Traced(2.0) + Traced(3.0);
    const auto node = named<Traced>(sum, "five", "bytes", "arithmetic").node();
    QVERIFY(node->kind == Kind::Named);
    QCOMPARE(node->value, 5.0);
    QCOMPARE(node->parts.size(), std::size_t(1));
    QCOMPARE(node->parts.front(), sum.node());
}

void TestTraced::operandsStayInOrder_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<double>("value");
    QTest::newRow("add") << static_cast<int>(Kind::Add) << 10.0;
    QTest::newRow("subtract") << static_cast<int>(Kind::Subtract) << 6.0;
    QTest::newRow("multiply") << static_cast<int>(Kind::Multiply) << 16.0;
    QTest::newRow("divide") << static_cast<int>(Kind::Divide) << 4.0;
    QTest::newRow("larger") << static_cast<int>(Kind::Larger) << 8.0;
    QTest::newRow("smaller") << static_cast<int>(Kind::Smaller) << 2.0;
    QTest::newRow("power") << static_cast<int>(Kind::Power) << 64.0;
}

void TestTraced::operandsStayInOrder() {
    QFETCH(int, kind);
    QFETCH(double, value);
    const Traced a = 8.0;
    const Traced b = 2.0;
    Traced result;
    switch (static_cast<Kind>(kind)) {
    case Kind::Add:
        result = a + b;
        break;
    case Kind::Subtract:
        result = a - b;
        break;
    case Kind::Multiply:
        result = a * b;
        break;
    case Kind::Divide:
        result = a / b;
        break;
    case Kind::Larger:
        result = larger(a, b);
        break;
    case Kind::Smaller:
        result = smaller(a, b);
        break;
    case Kind::Power:
        result = power(a, b);
        break;
    default:
        QFAIL("no such operation");
    }
    const auto node = result.node();
    QCOMPARE(static_cast<int>(node->kind), kind);
    QCOMPARE(node->value, value);
    QCOMPARE(result.value(), value);
    QCOMPARE(node->parts.size(), std::size_t(2));
    QCOMPARE(node->parts.front()->value, 8.0);
    QCOMPARE(node->parts.back()->value, 2.0);
}

void TestTraced::identitiesStayLiteral() {
    const Traced x = fact<Traced>(7, "x");
    const auto node = (x * 1.0).node();
    QVERIFY(node->kind == Kind::Multiply);
    QCOMPARE(node->parts.back()->value, 1.0);
    QVERIFY(rounded(x).node()->kind == Kind::Round);
}

void TestTraced::namingTwiceTheSameIsNamingOnce() {
    const Traced x = named<Traced>(fact<Traced>(7, "x") * 2.0, "output head", "elements");
    QCOMPARE(named<Traced>(x, "output head").node(), x.node());
    QVERIFY(named<Traced>(x, "head").node() != x.node());
}

void TestTraced::totalFromZeroHasNoZeroTerm() {
    const Traced x = fact<Traced>(7, "x");
    Traced total = 0.0;
    total += x;
    QCOMPARE(total.node(), x.node());
    total += x;
    QVERIFY(total.node()->kind == Kind::Add);
    QCOMPARE(total.value(), 14.0);
    // A zero that no formula produced is not a term; one that a formula produced is.
    QCOMPARE((x + 0.0).node(), x.node());
    QCOMPARE((Traced(0.0) + x).node(), x.node());
    QVERIFY((x + fact<Traced>(0, "nothing kept")).node()->kind == Kind::Add);
}

void TestTraced::comparesByValue() {
    const Traced one = fact<Traced>(1, "one");
    QVERIFY(one < Traced(2.0));
    QVERIFY(Traced(2.0) > one);
    QVERIFY(one <= Traced(1.0) && one >= Traced(1.0));
    QVERIFY(!(one < Traced(std::numeric_limits<double>::quiet_NaN())));
}

void TestTraced::sharedPartIsOneNode() {
    const Traced x = fact<Traced>(3, "x");
    const auto node = (x * x).node();
    QCOMPARE(node->parts.front(), node->parts.back());
}

void TestTraced::longSumsAreReleasedWithoutRecursion() {
    std::weak_ptr<const TraceNode> first;
    {
        Traced x = fact<Traced>(1, "x");
        first = x.node();
        for (int i = 0; i < 200'000; ++i) {
            x = x * 0.5 + 1.0;
        }
        QCOMPARE(x.value(), 2.0);
        QVERIFY(!first.expired());
    }
    QVERIFY(first.expired());
}

void TestTraced::copyOutlivesTheOriginal() {
    std::shared_ptr<const TraceNode> inner;
    {
        const Traced sum = (fact<Traced>(1, "a") + fact<Traced>(2, "b")) * fact<Traced>(3, "c");
        inner = sum.node()->parts.front();
    }
    QCOMPARE(inner->parts.size(), std::size_t(2));
    QCOMPARE(inner->parts.front()->label, std::string("a"));
    QCOMPARE(inner->parts.back()->label, std::string("b"));
}

QTEST_APPLESS_MAIN(TestTraced)
#include "tst_traced.moc"
