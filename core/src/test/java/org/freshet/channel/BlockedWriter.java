package org.freshet.channel;

import java.util.function.Supplier;
import org.freshet.testing.Await;

/** A thread that writes to a full channel, and has begun to wait. */
final class BlockedWriter extends Thread {
    private final Supplier<Exception> write;
    private volatile Exception refusal;
    volatile boolean wasInterrupted;

    private BlockedWriter(Supplier<Exception> write) {
        this.write = write;
    }

    static BlockedWriter waiting(Supplier<Exception> write) {
        BlockedWriter writer = new BlockedWriter(write);
        writer.start();
        Await.until(() -> writer.getState() == State.TIMED_WAITING, "a writer that waits");
        return writer;
    }

    @Override
    public void run() {
        refusal = write.get();
        wasInterrupted = isInterrupted();
    }

    Exception awaitRefusal() {
        Await.end(this);
        return refusal;
    }
}
