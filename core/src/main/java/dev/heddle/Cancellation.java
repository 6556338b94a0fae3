package dev.heddle;

import org.jspecify.annotations.Nullable;

/// One cancellation on its way down a tree of contexts: to a context, and to all that is below it.
///
/// There is no recursion, because trees may be as deep as the user likes. What fails on the way, say an [AfterFunc]
/// that cannot be started, keeps nobody else from being told; the first failure is thrown when all have been told, and
/// the others are suppressed in it.
final class Cancellation {
    /*
     * Shape.      todo -> child -> child -> null: who has still to be told, linked by Child.next. Whoever has children
     *             puts them in front, so the order is that of a walk through the tree, parents first.
     * Invariants. A child whose parent is done is in the chain of one cancellation, or was told: it is taken out of its
     *             parent's list, by the one thread that makes the parent done. Nothing is allocated on the way.
     * Who writes. everything: the thread that cancels.
     */

    /// Something below a context that is told when the context is done.
    abstract static class Child {
        // The links and isLinked belong to the parent's list, and are guarded by its lock; after the parent is done,
        // next belongs to the cancellation.
        @Nullable
        Child previous;

        @Nullable
        Child next;

        boolean isLinked;

        /// Called once, with no lock held. What it throws is reported when all others have been told.
        abstract void parentIsDone(Cancellation cancellation);
    }

    final Exception err;
    final Throwable cause;
    private @Nullable Child todo;
    private @Nullable Throwable failure;

    Cancellation(Exception err, Throwable cause) {
        this.err = err;
        this.cause = cause;
    }

    /// `first` and what follows up to `last` are to be told next.
    void willTell(Child first, Child last) {
        last.next = todo;
        todo = first;
    }

    /// Makes `top` done and tells all below it.
    void spreadFrom(Cancellable top) {
        try {
            top.become(this);
        } catch (Throwable e) {
            failed(e);
        }
        while (todo != null) {
            Child child = todo;
            todo = child.next;
            child.next = null;
            try {
                child.parentIsDone(this);
            } catch (Throwable e) {
                failed(e);
            }
        }
    }

    private void failed(Throwable e) {
        if (failure == null) {
            failure = e;
        } else if (failure != e) {
            failure.addSuppressed(e);
        }
    }

    /// Throws what failed on the way, if anything did.
    void report() {
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
    }
}
