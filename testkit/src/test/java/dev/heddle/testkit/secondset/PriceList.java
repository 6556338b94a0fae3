package dev.heddle.testkit.secondset;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// Publication before initialisation: the first reader makes the price list and publishes it before it is filled. A
/// second reader takes the fast path, without the lock, and misses prices.
class PriceList {

    private final Map<String, Integer> cents = new HashMap<>();

    static void broken() throws Exception {
        sell(new Loader());
    }

    static void fixed() throws Exception {
        sell(new LoaderThatPublishesLast());
    }

    private void fill(List<String> lines) {
        for (String line : lines) {
            String[] fields = line.split("=", 2);
            cents.put(fields[0].strip(), Integer.parseInt(fields[1].strip()));
        }
    }

    private int priceOf(String article) {
        Integer price = cents.get(article);
        if (price == null) {
            throw new IllegalArgumentException("no price for " + article);
        }
        return price;
    }

    private static void sell(Loader loader) throws Exception {
        List<Future<Integer>> sales = new ArrayList<>();
        try (var tills = Executors.newVirtualThreadPerTaskExecutor()) {
            for (String article : List.of("bread", "milk", "tea")) {
                sales.add(tills.submit(() -> loader.prices().priceOf(article)));
            }
        }
        int sum = 0;
        for (Future<Integer> sale : sales) {
            sum += sale.get();
        }
        if (sum != 899) {
            throw new AssertionError("the tills took " + sum + " cents instead of 899");
        }
    }

    private static class Loader {
        private static final List<String> FILE = List.of("bread = 320", "milk = 129", "tea = 450");

        volatile @Nullable PriceList loaded;

        PriceList prices() {
            PriceList prices = loaded;
            return prices != null ? prices : load();
        }

        private synchronized PriceList load() {
            PriceList prices = loaded;
            return prices != null ? prices : publish(FILE);
        }

        PriceList publish(List<String> lines) {
            var prices = new PriceList();
            loaded = prices;
            prices.fill(lines);
            return prices;
        }
    }

    /// The correction: the list is filled first.
    private static final class LoaderThatPublishesLast extends Loader {
        @Override
        PriceList publish(List<String> lines) {
            var prices = new PriceList();
            prices.fill(lines);
            loaded = prices;
            return prices;
        }
    }
}
