package org.freshet.handler.codec.http.server;

import org.freshet.testing.FakeTimer;

/** Handlers whose clock is the test's, for tests of other packages. */
public final class TimeoutHandlers {
    private TimeoutHandlers() {}

    /** A handler that measures by the timer alone. */
    public static HttpTimeoutHandler on(FakeTimer timer, HttpTimeouts limits) {
        return new HttpTimeoutHandler(timer, limits, timer::nanos);
    }
}
