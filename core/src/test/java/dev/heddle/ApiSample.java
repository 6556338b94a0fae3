package dev.heddle;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One of each kind of type and member, for the test of [ApiListing].
public final class ApiSample {

    private ApiSample() {}

    /// Its visible members are members of [Visible].
    abstract static class Hidden {
        protected void inherited() {}
    }

    public abstract static class Visible<T extends @Nullable Object> extends Hidden
            implements Supplier<List<? super T>> {
        public static final int CONSTANT = 7;
        public static final Object VARIABLE = new Object();
        protected volatile @Nullable T field;

        protected Visible(int number) throws IOException {
            if (number < 0) {
                throw new IOException();
            }
        }

        @SafeVarargs
        public static synchronized <E extends Exception & Comparable<E>> void several(int first, E... others) throws E {
            if (first < others.length) {
                throw others[first];
            }
        }

        abstract void packagePrivate();
    }

    public sealed interface Closed permits One, Two {
        default int number() {
            return 1;
        }
    }

    public record One(int first, @Nullable String second) implements Closed {}

    record Two() implements Closed {}

    public enum Kind {
        A
    }
}
