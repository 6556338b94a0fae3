package dev.heddle.internal.queue;

import org.jspecify.annotations.Nullable;

/*
 * Superclasses of LocalRunQueue, for the sake of their order: HotSpot lays out the fields of a superclass before
 * those of its subclasses, and may move a subclass's field up only into an alignment gap. All padding is int, and so
 * are the fields before the second pad, which leaves no gap for a hot field to slip into. 128 bytes between groups:
 * two cache lines, because the adjacent-line prefetcher of x86 moves lines in pairs. LayoutTest proves the distances.
 *
 *   | header | 128 | head | 128 | tail cleared runNext | 128 | slots mask |
 *                    anyone's CAS   the owner's, mostly         read only
 */

/// Keeps `head` away from the object's header and the neighbour before it.
@SuppressWarnings({"MultiVariableDeclaration", "unused", "UnusedVariable"}) // padding is never read
abstract class PadBeforeHead {
    int a00, a01, a02, a03, a04, a05, a06, a07;
    int a08, a09, a10, a11, a12, a13, a14, a15;
    int a16, a17, a18, a19, a20, a21, a22, a23;
    int a24, a25, a26, a27, a28, a29, a30, a31;
}

/// The contended index: thieves and the owner advance it by CAS.
abstract class RunQueueHead extends PadBeforeHead {
    int head;
}

/// Keeps `tail` away from `head`.
@SuppressWarnings({"MultiVariableDeclaration", "unused", "UnusedVariable"}) // padding is never read
abstract class PadBeforeTail extends RunQueueHead {
    int b00, b01, b02, b03, b04, b05, b06, b07;
    int b08, b09, b10, b11, b12, b13, b14, b15;
    int b16, b17, b18, b19, b20, b21, b22, b23;
    int b24, b25, b26, b27, b28, b29, b30, b31;
}

/// What the owner writes on every put.
abstract class RunQueueTail extends PadBeforeTail {
    int tail;
    int cleared;

    @Nullable
    Runnable runNext;
}

/// Keeps the constants that thieves read away from what the owner writes.
@SuppressWarnings({"MultiVariableDeclaration", "unused", "UnusedVariable"}) // padding is never read
abstract class RunQueuePadding extends RunQueueTail {
    int c00, c01, c02, c03, c04, c05, c06, c07;
    int c08, c09, c10, c11, c12, c13, c14, c15;
    int c16, c17, c18, c19, c20, c21, c22, c23;
    int c24, c25, c26, c27, c28, c29, c30, c31;
}
