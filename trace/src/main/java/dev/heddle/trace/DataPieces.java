package dev.heddle.trace;

import dev.heddle.internal.trace.EventDecoder.Buffer;
import dev.heddle.internal.trace.EventDecoder.Piece;
import java.util.Arrays;

/// Where in the file the pieces of one buffer are. Four numbers for each, so that the index of a large file stays
/// small.
final class DataPieces {

    private static final int NUMBERS = 4;

    final Buffer buffer;
    private long[] numbers = new long[16 * NUMBERS];
    private int size;

    DataPieces(Buffer buffer) {
        this.buffer = buffer;
    }

    /// @param position where its events begin in the file
    /// @param length   how many bytes they take
    void add(Piece piece, long position, int length) {
        int at = size * NUMBERS;
        if (at == numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * at);
        }
        numbers[at] = piece.chunk();
        numbers[at + 1] = piece.offset();
        numbers[at + 2] = position;
        numbers[at + 3] = length;
        size++;
    }

    int size() {
        return size;
    }

    Piece piece(int index) {
        return new Piece(buffer.id(), numbers[index * NUMBERS], numbers[index * NUMBERS + 1]);
    }

    long position(int index) {
        return numbers[index * NUMBERS + 2];
    }

    int length(int index) {
        return (int) numbers[index * NUMBERS + 3];
    }

    /// Forgets the pieces from this one on.
    void cut(int newSize) {
        size = newSize;
    }
}
