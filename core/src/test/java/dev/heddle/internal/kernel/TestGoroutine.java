package dev.heddle.internal.kernel;

/// A goroutine for tests that go around the API.
final class TestGoroutine extends Goroutine {

    /// What it does.
    @FunctionalInterface
    interface Body {
        void run() throws Throwable;
    }

    private final Body body;

    TestGoroutine(Body body) {
        this.body = body;
    }

    @Override
    public Object body() {
        return body;
    }

    @Override
    protected void runBody() throws Throwable {
        body.run();
    }
}
