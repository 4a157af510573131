package org.freshet.internal.transport;

import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.freshet.channel.ConnectTimeoutException;

/** Why none of a host's addresses could be connected to, as one exception. For one thread. */
public final class FailedAttempts {
    private final String target;
    private final List<Exception> failures = new ArrayList<>();

    /** @param target unresolved */
    public FailedAttempts(InetSocketAddress target) {
        this.target = named(target);
    }

    private static String named(InetSocketAddress target) {
        return target.getHostString() + ":" + target.getPort();
    }

    /** @param failure whose message names the address */
    public void add(Exception failure) {
        failures.add(failure);
    }

    /** All addresses have failed, one or more: what the only one said, or what all said. */
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

    /** The time is over; those that have failed before are suppressed exceptions. */
    public ConnectTimeoutException timeout(int timeoutMillis) {
        ConnectTimeoutException timeout =
                new ConnectTimeoutException("connection timed out after " + timeoutMillis + " ms: " + target);
        failures.forEach(timeout::addSuppressed);
        return timeout;
    }
}
