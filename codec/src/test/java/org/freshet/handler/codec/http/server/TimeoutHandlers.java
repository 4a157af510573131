package org.freshet.handler.codec.http.server;

import org.freshet.testing.FakeTimer;

/** Gives tests in other packages handlers with a fake clock. */
public final class TimeoutHandlers {
    private TimeoutHandlers() {}

    /** A handler that uses the given timer only. */
    public static HttpTimeoutHandler on(FakeTimer timer, HttpTimeouts limits) {
        return new HttpTimeoutHandler(timer, limits, timer::nanos);
    }
}
