// problem: The thread of a boat ends by an exception and does not deregister from the phaser of its race, so the other
//     boats of the race wait for it forever.
// place: Race.sail
// place: Race.run
// remedy: Deregister in a finally block (arriveAndDeregister), and wait with a time limit.

import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/** Simulates sailing races in steps: all boats of a race finish a step before the next one begins. */
public final class Regatta {

    public static void main(String[] args) {
        var forecasts = new LongAdder();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 15; i++) {
                var race = new Race(8);
                for (int number = 0; number < 8; number++) {
                    int boat = number;
                    threads.submit(() -> race.run(boat));
                }
            }
            for (int i = 0; i < 40; i++) {
                threads.submit(() -> {
                    while (true) {
                        Thread.sleep(15); // a spectator asks for the weather
                        forecasts.increment();
                    }
                });
            }
        }
    }
}

/** One race with its boats. */
final class Race {

    private final Phaser step;
    private final double[] miles;

    Race(int boats) {
        step = new Phaser(boats);
        miles = new double[boats];
    }

    Void run(int boat) throws InterruptedException {
        while (true) {
            sail(boat);
        }
    }

    private void sail(int boat) throws InterruptedException {
        miles[boat] += knots(windSpeed(), boat) / 3_600;
        step.arriveAndAwaitAdvance();
        double leader = 0;
        for (double it : miles) {
            leader = Math.max(leader, it);
        }
        step.arriveAndAwaitAdvance();
        if (leader > 40) {
            miles[boat] = 0; // a new race begins
        }
    }

    private static String windSpeed() throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 9)); // asks the buoy
        return ThreadLocalRandom.current().nextInt(200) == 0 ? "calm" : "12.5";
    }

    private static double knots(String wind, int boat) {
        return Double.parseDouble(wind) * (0.5 + boat / 50.0);
    }
}
