package org.freshet.channel.local;

import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.CloseReason;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.internal.transport.LifecycleEvents;
import org.freshet.internal.write.StallTimer;
import org.freshet.internal.write.WriteStall;

/**
 * What one end has written: the messages that the other end has not taken, charged to the channel's account, and the events that say how
 * many were taken.
 *
 * <p>Threading: any thread may call, but for methods marked "Events only.", as in {@link DefaultLocalChannel}.
 */
final class LocalWrites implements StallTimer.Queue {
    private final DefaultLocalChannel channel;
    private final LocalConfig config;

    /** Events only. */
    private final LifecycleEvents events;

    private final Outbox outbox;

    /** Messages that were sent, without a writeComplete so far. */
    private final AtomicInteger unreported = new AtomicInteger();

    private final StallTimer stalls = new StallTimer(this);

    LocalWrites(DefaultLocalChannel channel, LocalConfig config, LifecycleEvents events) {
        this.channel = channel;
        this.config = config;
        this.events = events;
        outbox = new Outbox(channel::release);
    }

    /** The other end takes from it. */
    Outbox outbox() {
        return outbox;
    }

    // ---- sending ----------------------------------------------------------------------------------------------------

    /** Call while the channel is connected, as for {@link #sendEnd}. */
    void send(MessageEvent message) {
        long bytes = WriteAccount.bytesOf(message.getMessage());
        Exception refusal = channel.admit(bytes);
        if (refusal != null) {
            message.getFuture().setFailure(refusal);
            return;
        }
        send(message, bytes);
        if (channel.isUnsettled()) {
            channel.later(channel::settleNow);
        }
        if (stallMillis() > 0) {
            stalls.onQueued();
        }
    }

    /** Leaves the end of the output behind the messages. */
    void sendEnd(MessageEvent end) {
        send(end, 0);
    }

    private void send(MessageEvent event, long bytes) {
        DefaultLocalChannel to = channel.peer();
        Outbox.Message message = outbox.add(event, bytes);
        if (channel.isClosed() || to.isClosed()) { // the thread that closed an end may have missed the message
            CloseReason reason = channel.isClosed() ? channel.getCloseReason() : CloseReason.PEER_CLOSED;
            outbox.fail(message, new ChannelClosedException(reason));
        }
        to.takeLater();
    }

    // ---- what the other end has taken -------------------------------------------------------------------------------

    /** For the other end, which has taken the message. */
    void succeed(Outbox.Message message) {
        if (outbox.succeed(message)) {
            unreported.incrementAndGet();
            channel.later(this::onTaken);
        }
    }

    /** Counts what still waits as sent; the other end may take it after this one has closed. */
    void succeedAll() {
        unreported.addAndGet(outbox.succeedAll());
    }

    /** Events only. */
    private void onTaken() {
        announceWritten();
        channel.settleNow();
    }

    /** Events only. The unit of "how much" is messages here. */
    void announceWritten() {
        events.written(unreported.getAndSet(0));
    }

    // ---- stalls -----------------------------------------------------------------------------------------------------

    @Override
    public Object head() {
        return channel.isClosed() ? null : outbox.peek();
    }

    /** A message is taken as a whole. */
    @Override
    public long sentBytes() {
        return 0;
    }

    @Override
    public int stallMillis() {
        return config.writeBound().stallMillis();
    }

    @Override
    public void onStalled(int stallMillis) {
        channel.giveUp(WriteStall.reason(stallMillis, WriteAccount.waitingBytes(channel)));
    }
}
