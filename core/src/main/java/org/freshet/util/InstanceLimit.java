package org.freshet.util;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Counts the live instances of a class that is meant to be shared. It warns once when there are so many that some were
 * probably never closed. Any thread may call it.
 */
final class InstanceLimit {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(InstanceLimit.class);

    private final Class<?> type;
    private final int manyInstances;
    private final AtomicInteger living = new AtomicInteger();
    private final AtomicBoolean warned = new AtomicBoolean();

    /** Warns when more than {@code manyInstances} are open. */
    InstanceLimit(Class<?> type, int manyInstances) {
        this.type = type;
        this.manyInstances = manyInstances;
    }

    void opened() {
        if (living.incrementAndGet() > manyInstances && warned.compareAndSet(false, true)) {
            logger.warn("More than " + manyInstances + " instances of " + type.getName()
                    + " hold resources now. One instance is meant to be shared; check that the others are released.");
        }
    }

    void closed() {
        living.decrementAndGet();
    }
}
