package dev.heddle.internal.trace;

/// One block of a recording's file.
///
/// @param type    what is in it
/// @param payload its content; `docs/trace-format.md` has the fields of each type
public record Block(Type type, byte[] payload) {

    /// The types of blocks.
    public enum Type {
        /// The first block: clocks, process, versions.
        HEADER(1),
        /// A scheduler: its number and its name.
        SCHEDULER(2),
        /// A buffer: which machine writes it, or that foreign threads share it.
        BUFFER(3),
        /// Events: a piece of a chunk of one buffer.
        DATA(4),
        /// Texts with their ids.
        NAMES(5),
        /// Stacks with their numbers.
        STACKS(6),
        /// The threads of a scheduler at one moment.
        THREADS(7),
        /// A moment, and what holds from then on or until then: see [Mark].
        MARK(8),
        /// Why a snapshot of the flight recorder was taken, and other remarks for people.
        REMARK(9);

        private final int code;

        Type(int code) {
            this.code = code;
        }

        public int code() {
            return code;
        }
    }

    /// The moments that a file names.
    public enum Mark {
        /// From here on every machine writes: a strict replay begins.
        STRICT,
        /// All events up to here are in the file, before this block.
        COMPLETE,
        /// The same, and the recording ended here in good order.
        END
    }
}
