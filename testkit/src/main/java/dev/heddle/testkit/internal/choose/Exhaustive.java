package dev.heddle.testkit.internal.choose;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// All schedules with at most `bound` preemptions, depth first. Serves all schedules of a check, one after the other.
///
/// It repeats the beginning of the last schedule and changes its last choice. If a step then has another number of
/// options than before, something in the test depends on chance that is not from the seed.
public final class Exhaustive extends Chooser {

    private static final class Choice {
        int taken;
        final int options;

        Choice(int options) {
            this.options = options;
        }
    }

    private final int bound;
    private final List<Choice> path = new ArrayList<>();
    private int depth;
    private int preemptions;
    private @Nullable String mismatch;

    public Exhaustive(int bound) {
        this.bound = bound;
    }

    /// Begins the next schedule.
    public void begin() {
        depth = 0;
        preemptions = 0;
    }

    /// Moves on to the next schedule; false if that was the last.
    public boolean advance() {
        while (!path.isEmpty()) {
            Choice last = path.getLast();
            if (++last.taken < last.options) {
                return true;
            }
            path.removeLast();
        }
        return false;
    }

    /// A sentence if a schedule did not repeat; otherwise null.
    public @Nullable String mismatch() {
        return mismatch;
    }

    @Override
    public int choose(RunnableSet runnable, int self, int last, int step) {
        int own = self == NONE ? -1 : runnable.indexOf(self);
        int options = own >= 0 && preemptions >= bound ? 1 : runnable.size();
        int index = index(option(options, step), own);
        if (own >= 0 && index != own) {
            preemptions++;
        }
        return runnable.get(index);
    }

    /// All orders of notification are explored: to wake another waiter is no preemption.
    @Override
    public int chooseWaiter(RunnableSet waiters, int longest, int step) {
        return waiters.get(index(option(waiters.size(), step), waiters.indexOf(longest)));
    }

    /// The option to take at this step; options begin with 0.
    private int option(int options, int step) {
        if (depth == path.size()) {
            path.add(new Choice(options));
        }
        Choice choice = path.get(depth++);
        if (choice.options != options && mismatch == null) {
            mismatch = "step " + step + " had " + choice.options + " threads to choose from, now " + options;
        }
        return Math.min(choice.taken, options - 1);
    }

    /// Option 0 is `usual`, where there is one; the others follow in their order.
    private static int index(int option, int usual) {
        if (usual < 0 || option > usual) {
            return option;
        }
        return option == 0 ? usual : option - 1;
    }
}
