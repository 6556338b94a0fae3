package dev.heddle.testkit.internal.weave;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The classes that have points, by number: a point tells its number, so that a bubble can ignore the points that
/// another test asked for.
public final class WovenClasses {

    private static final Map<String, Integer> NUMBERS = new HashMap<>(); // guarded by this class
    private static final List<String> NAMES = new ArrayList<>(); // guarded by this class

    private WovenClasses() {}

    static synchronized int numberOf(String className) {
        return NUMBERS.computeIfAbsent(className, name -> {
            NAMES.add(name);
            return NAMES.size() - 1;
        });
    }

    public static synchronized String nameOf(int number) {
        return NAMES.get(number);
    }
}
