package org.freshet.testing;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.freshet.util.Timeout;
import org.freshet.util.Timer;
import org.freshet.util.TimerTask;

/** A timer of a user that throws an Error instead of taking a task. Stateless; any thread. */
public record RefusingTimer(Error error) implements Timer {
    @Override
    public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
        throw error;
    }

    @Override
    public Set<Timeout> stop() {
        return Set.of();
    }
}
