package dev.heddle.testkit.secondset;

import dev.heddle.Chan;
import dev.heddle.Select;
import dev.heddle.WaitGroup;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Channel closed while another goroutine sends: a subscriber that leaves closes the channel to which the publisher may
/// be sending.
class NewsHub {

    private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();

    static void broken() throws Exception {
        new NewsHub().publishToReaders();
    }

    static void fixed() throws Exception {
        new HubWithLeaveSignal().publishToReaders();
    }

    private Subscription subscribe() {
        var subscription = new Subscription(Chan.make(), Chan.make());
        subscriptions.add(subscription);
        return subscription;
    }

    private void unsubscribe(Subscription subscription) {
        subscriptions.remove(subscription);
        end(subscription);
    }

    private void publish(String news) throws InterruptedException {
        for (Subscription subscription : subscriptions) {
            deliver(subscription, news);
        }
    }

    void end(Subscription subscription) {
        subscription.news.close();
    }

    void deliver(Subscription subscription, String news) throws InterruptedException {
        subscription.news.send(news);
    }

    final void publishToReaders() throws InterruptedException {
        var readers = new WaitGroup();
        for (int i = 0; i < 2; i++) {
            Subscription subscription = subscribe();
            readers.go(() -> {
                String headline = subscription.news.receive();
                if (!"rain".equals(headline)) {
                    throw new AssertionError("the first headline was " + headline);
                }
                unsubscribe(subscription);
            });
        }
        publish("rain");
        publish("sun");
        readers.await();
    }

    record Subscription(Chan<String> news, Chan<Void> left) {}

    /// The correction: the reader closes a channel on which only the reader ever acts, and the publisher watches it.
    private static final class HubWithLeaveSignal extends NewsHub {
        @Override
        void end(Subscription subscription) {
            subscription.left.close();
        }

        @Override
        void deliver(Subscription subscription, String news) throws InterruptedException {
            Select.select(Select.send(subscription.news, news), Select.receive(subscription.left));
        }
    }
}
