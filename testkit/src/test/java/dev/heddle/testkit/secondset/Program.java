package dev.heddle.testkit.secondset;

import dev.heddle.testkit.FailureKind;

/// The programs of this package: the kind of bug, both forms, and how the broken form fails.
enum Program {
    SHOP("lock-order cycle of three", FailureKind.DEADLOCK, Shop::broken, Shop::fixed),
    HANDLE_CACHE("two calls of a thread-safe class", FailureKind.TEST, HandleCache::broken, HandleCache::fixed),
    CONNECTION_POOL("lost notify", FailureKind.DEADLOCK, ConnectionPool::broken, ConnectionPool::fixed),
    PRICE_LIST("publication before initialisation", FailureKind.TEST, PriceList::broken, PriceList::fixed),
    NEWS_HUB("channel closed while another sends", FailureKind.TEST, NewsHub::broken, NewsHub::fixed),
    REPLICATED_STORE("leak on cancellation", FailureKind.LEAK, ReplicatedStore::broken, ReplicatedStore::fixed);

    /// One form of a program: it makes its state anew in each call.
    @FunctionalInterface
    interface Form {
        void run() throws Exception;
    }

    final String bug;
    final FailureKind failure;
    final Form broken;
    final Form fixed;

    Program(String bug, FailureKind failure, Form broken, Form fixed) {
        this.bug = bug;
        this.failure = failure;
        this.broken = broken;
        this.fixed = fixed;
    }
}
