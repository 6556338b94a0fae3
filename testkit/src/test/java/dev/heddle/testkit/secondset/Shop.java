package dev.heddle.testkit.secondset;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;

/// Lock-order cycle of three: each part of a shop calls the next part while it holds its own monitor.
class Shop {

    final Orders orders = new Orders();
    final Stock stock = new Stock();
    final Ledger ledger = new Ledger();

    static void broken() {
        new Shop().openForADay();
    }

    static void fixed() {
        new ShopWithOpenCalls().openForADay();
    }

    final void openForADay() {
        orders.accept("desk");
        try (var staff = Executors.newVirtualThreadPerTaskExecutor()) {
            staff.submit(() -> orders.ship("lamp"));
            staff.submit(() -> stock.refill("chair", 2));
            staff.submit(() -> refund("desk", 120));
        }
        if (!orders.isOpen("lamp") || orders.isOpen("desk")) {
            throw new AssertionError("the lamp must be on its way, and the desk must be cancelled");
        }
    }

    void refund(String item, int amount) {
        synchronized (ledger) {
            ledger.pay(amount);
            orders.cancel(item);
        }
    }

    final class Orders {
        private final Map<String, Boolean> open = new HashMap<>();

        synchronized void accept(String item) {
            open.put(item, true);
        }

        synchronized void ship(String item) {
            open.put(item, true);
            stock.take(item);
        }

        synchronized void cancel(String item) {
            open.remove(item);
        }

        synchronized boolean isOpen(String item) {
            return open.containsKey(item);
        }
    }

    final class Stock {
        private final Map<String, Integer> pieces = new HashMap<>();

        synchronized void take(String item) {
            pieces.merge(item, -1, Integer::sum);
        }

        synchronized void refill(String item, int count) {
            pieces.merge(item, count, Integer::sum);
            ledger.pay(count * 30);
        }
    }

    static final class Ledger {
        private int balance = 1000;

        synchronized void pay(int amount) {
            balance -= amount;
        }
    }

    /// The correction: a refund calls the orders after it has left the ledger.
    private static final class ShopWithOpenCalls extends Shop {
        @Override
        void refund(String item, int amount) {
            ledger.pay(amount);
            orders.cancel(item);
        }
    }
}
