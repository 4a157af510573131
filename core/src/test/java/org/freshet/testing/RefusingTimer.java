package org.freshet.testing;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.freshet.util.Timeout;
import org.freshet.util.Timer;
import org.freshet.util.TimerTask;

/**
 * A timer of a user that throws instead of taking a task. Stateless; any thread.
 *
 * @param refusal an error or an unchecked exception
 */
public record RefusingTimer(Throwable refusal) implements Timer {
    @Override
    public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
        if (refusal instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) refusal;
    }

    @Override
    public Set<Timeout> stop() {
        return Set.of();
    }
}
