package dev.heddle.testkit.internal.choose;

import java.util.Arrays;

/// The numbers of the threads among which a strategy chooses, ascending, so that nothing depends on the order in which
/// they became runnable.
public final class RunnableSet {

    private int[] numbers = new int[16];
    private int size;

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /// The number at a position; positions begin with 0.
    public int get(int position) {
        return numbers[position];
    }

    public int indexOf(int number) {
        for (int i = 0; i < size; i++) {
            if (numbers[i] == number) {
                return i;
            }
        }
        return -1;
    }

    public boolean contains(int number) {
        return indexOf(number) >= 0;
    }

    /// False if the number is there already: the JDK may queue a thread twice.
    public boolean add(int number) {
        int at = size;
        while (at > 0 && numbers[at - 1] >= number) {
            at--;
        }
        if (at < size && numbers[at] == number) {
            return false;
        }
        if (size == numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * size);
        }
        System.arraycopy(numbers, at, numbers, at + 1, size - at);
        numbers[at] = number;
        size++;
        return true;
    }

    public void clear() {
        size = 0;
    }

    public void remove(int number) {
        int at = indexOf(number);
        if (at >= 0) {
            System.arraycopy(numbers, at + 1, numbers, at, size - at - 1);
            size--;
        }
    }

    /// The smallest number greater than `number`, or else the smallest of all.
    public int after(int number) {
        for (int i = 0; i < size; i++) {
            if (numbers[i] > number) {
                return numbers[i];
            }
        }
        return numbers[0];
    }

    @Override
    public String toString() {
        return Arrays.toString(Arrays.copyOf(numbers, size));
    }
}
