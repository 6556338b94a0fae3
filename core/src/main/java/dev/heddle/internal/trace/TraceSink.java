package dev.heddle.internal.trace;

import java.io.IOException;

/// Where the drainer puts what it finds: a file, or the memory of the flight recorder. Called by the drainer only.
interface TraceSink {

    /// A block of any type but DATA, NAMES, STACKS and MARK, for example a BUFFER before its first piece.
    void block(Block.Type type, byte[] payload) throws IOException;

    /// A piece of a chunk: `bytes` holds the chunk from its beginning up to `length`; what is new begins at `offset`.
    void piece(long buffer, long chunk, int offset, byte[] bytes, int length) throws IOException;

    /// Nothing more comes from this buffer.
    void ended(long buffer) throws IOException;

    /// All events up to `time` have been given.
    void complete(long time, long dropped) throws IOException;

    /// From `time` on every machine writes.
    void strict(long time, long dropped) throws IOException;
}
