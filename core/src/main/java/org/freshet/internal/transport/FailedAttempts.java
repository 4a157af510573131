package org.freshet.internal.transport;

import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.freshet.channel.ConnectTimeoutException;

/** Combines the failures to connect to each of a host's addresses into one exception. Not thread-safe. */
public final class FailedAttempts {
    private final String target;
    private final List<Exception> failures = new ArrayList<>();

    /**
     * @param target unresolved
     */
    public FailedAttempts(InetSocketAddress target) {
        this.target = named(target);
    }

    private static String named(InetSocketAddress target) {
        return target.getHostString() + ":" + target.getPort();
    }

    /**
     * @param failure its message names the address
     */
    public void add(Exception failure) {
        failures.add(failure);
    }

    /** Returns the only failure, or one exception with the messages of all. Call it when all addresses, one or more, have failed. */
    public Exception all() {
        if (failures.size() == 1) {
            return failures.get(0);
        }
        StringBuilder said =
                new StringBuilder("cannot connect to any of the " + failures.size() + " addresses of " + target);
        String separator = ": ";
        for (Exception failure : failures) {
            said.append(separator).append(failure.getMessage() == null ? failure.toString() : failure.getMessage());
            separator = "; ";
        }
        ConnectException all = new ConnectException(said.toString());
        all.initCause(failures.get(0));
        failures.subList(1, failures.size()).forEach(all::addSuppressed);
        return all;
    }

    /** Returns a time-out; the earlier failures are its suppressed exceptions. */
    public ConnectTimeoutException timeout(int timeoutMillis) {
        ConnectTimeoutException timeout =
                new ConnectTimeoutException("connection timed out after " + timeoutMillis + " ms: " + target);
        failures.forEach(timeout::addSuppressed);
        return timeout;
    }
}
