package sample;

import java.util.ArrayList;
import java.util.List;

/// Loops of every shape, for the weaver. Each method is a pure function of its argument.
public final class Loops {

    private Loops() {}

    public static long whileLoop(int n) {
        long sum = 0;
        while (n > 0) {
            sum += n--;
        }
        return sum;
    }

    public static long doWhile(int n) {
        long sum = 0;
        do {
            sum += n;
        } while (--n > 0);
        return sum;
    }

    public static long nested(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i; j < n; j += 2) {
                sum += i ^ j;
            }
        }
        return sum;
    }

    public static long labelled(int n) {
        long sum = 0;
        outer:
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                if ((i + j) % 7 == 3) {
                    continue outer;
                }
                if (sum > 10_000) {
                    break outer;
                }
                sum += j;
            }
        }
        return sum;
    }

    public static long switchInside(int n) {
        long sum = 0;
        int i = 0;
        while (true) {
            switch (i++ % 5) {
                case 0:
                    continue;
                case 1:
                    sum += 3;
                    break;
                case 2:
                    sum ^= i;
                    continue;
                default:
                    sum -= 1;
            }
            if (i > n) {
                return sum;
            }
        }
    }

    public static long tryInside(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            try {
                if (i % 3 == 0) {
                    throw new IllegalStateException();
                }
                sum += i;
            } catch (IllegalStateException e) {
                sum -= 1;
                continue;
            } finally {
                sum += 2;
            }
        }
        return sum;
    }

    /// Ends by an exception: the limit is beyond the array.
    public static long tryAround(int n) {
        int[] array = new int[n];
        int i = 0;
        try {
            while (i < n + 1) {
                array[i] = i;
                i++;
            }
        } catch (ArrayIndexOutOfBoundsException e) {
            return -i;
        }
        return i;
    }

    public static long forEach(int n) {
        List<Integer> list = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            list.add(i);
        }
        long sum = 0;
        for (int element : list) {
            sum += element;
        }
        return sum;
    }

    public static long overArray(int n) {
        long sum = 0;
        for (int element : new int[n]) {
            sum += element + 1;
        }
        return sum;
    }

    public static long longCounter(int n) {
        long sum = 0;
        for (long i = 0; i < n; i++) {
            sum = sum * 31 + i;
        }
        return sum;
    }

    /// With something on the operand stack around the loop.
    public static long insideExpression(int n) {
        return 3 * n
                + switch (n % 2) {
                    case 0 -> {
                        int sum = 0;
                        for (int i = 0; i < n; i++) {
                            sum += i;
                        }
                        yield sum;
                    }
                    default -> 1;
                };
    }

    /// The limit changes while the loop runs.
    public static long movingLimit(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            if (i % 4 == 0) {
                n--;
            }
            sum += i;
        }
        return sum;
    }

    /// The counter changes inside, too.
    public static long jumpingCounter(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            if (i % 4 == 0) {
                i += 2;
            }
            sum += i;
        }
        return sum;
    }

    /// Near the end of the ints.
    public static long nearTheEnd(int n) {
        long sum = 0;
        int limit = Integer.MAX_VALUE - 5;
        for (int i = limit - n; i < limit; i += 3) {
            sum += i;
        }
        return sum;
    }

    public static long fromBelowZero(int n) {
        long sum = 0;
        int limit = Integer.MIN_VALUE + n;
        for (int i = Integer.MIN_VALUE; i < limit; i++) {
            sum += i;
        }
        return sum;
    }

    /// In a constructor, a lambda and an inner class.
    public static long elsewhere(int n) {
        return new Loops(n).sum;
    }

    private long sum;

    private Loops(int n) {
        Runnable loop = () -> {
            for (int i = 0; i < n; i++) {
                sum += i;
            }
        };
        while (sum < n) {
            sum += 2;
        }
        loop.run();
    }

    /// Throws in the line that says so.
    public static long failing(int n) {
        for (int i = 0; i < n; i++) {
            if (i == n / 2) {
                throw new IllegalStateException("half"); // line of the failure
            }
        }
        return 0;
    }
}
