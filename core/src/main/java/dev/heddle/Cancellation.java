package dev.heddle;

import org.jspecify.annotations.Nullable;

/// One cancellation that spreads down a tree of contexts: to one context and all its descendants.
///
/// It does not recurse, because the depth of the tree is not limited. A failure on the way, such as an [AfterFunc] that
/// cannot be started, does not keep other children from being notified. The first failure is thrown after all children
/// have been notified. Further failures are added to it as suppressed exceptions.
final class Cancellation {
    /*
     * Shape.      todo -> child -> child -> null: the children still to be notified, linked by Child.next. A context
     *             that becomes done puts its children in front, so the tree is walked depth first, parents first.
     * Invariants. A child whose parent is done is in the chain of exactly one cancellation, or has been notified: the
     *             one thread that makes the parent done takes it out of the parent's list. Walking the tree allocates
     *             nothing.
     * Who writes. everything: the cancelling thread.
     */

    /// An entry in a context's list of children. It is notified when the context is done.
    abstract static class Child {
        // The links and isLinked belong to the parent's list and are guarded by the parent's lock. Once the parent is
        // done, next belongs to the cancellation.
        @Nullable
        Child previous;

        @Nullable
        Child next;

        boolean isLinked;

        /// Called at most once, with no lock held. What it throws is reported after all other children were
        /// notified.
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

    /// Puts the chain from `first` to `last` in front of the children still to be notified.
    void willTell(Child first, Child last) {
        last.next = todo;
        todo = first;
    }

    /// Makes `top` done and notifies all its descendants.
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

    /// Throws the first failure, if there was one.
    void report() {
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
    }
}
