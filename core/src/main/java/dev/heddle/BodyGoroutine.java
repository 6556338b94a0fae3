package dev.heddle;

import dev.heddle.internal.kernel.Goroutine;

/// A goroutine of the API: the kernel's goroutine with a [Go.Body].
final class BodyGoroutine extends Goroutine {
    private final Go.Body body;

    BodyGoroutine(Go.Body body) {
        this.body = body;
    }

    @Override
    public Object body() {
        return body instanceof GroupBody ofGroup ? ofGroup.body : body;
    }

    @Override
    protected void runBody() throws Throwable {
        body.run();
    }

    /// Makes goroutines for the kernel's warm-up. A class and not a lambda, because the agent's start would
    /// wait for the machinery behind lambdas.
    static final class Maker implements Goroutine.Factory {
        @Override
        public Goroutine of(Runnable task) {
            return new BodyGoroutine(task::run);
        }
    }
}
