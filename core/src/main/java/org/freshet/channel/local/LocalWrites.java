package org.freshet.channel.local;

import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DefaultWriteCompletionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.internal.transport.LifecycleEvents;
import org.freshet.internal.write.StallTimer;
import org.freshet.internal.write.WriteStall;

/**
 * The output of one end: the messages that the other end has not taken yet, charged to the channel's account, and the events that report
 * how many it has taken.
 *
 * <p>Threading: any thread may call any method, except those marked "Events only."; see {@link DefaultLocalChannel}.
 */
final class LocalWrites implements StallTimer.Queue {
    private final DefaultLocalChannel channel;
    private final LocalConfig config;

    /** Events only. */
    private final LifecycleEvents events;

    private final Outbox outbox;

    /** Messages that were sent but not yet reported by a writeComplete. */
    private final AtomicInteger unreported = new AtomicInteger();

    private final StallTimer stalls = new StallTimer(this);

    LocalWrites(DefaultLocalChannel channel, LocalConfig config, LifecycleEvents events) {
        this.channel = channel;
        this.config = config;
        this.events = events;
        outbox = new Outbox(channel::release);
    }

    /** The queue that the other end takes from. */
    Outbox outbox() {
        return outbox;
    }

    // ---- sending ----------------------------------------------------------------------------------------------------

    /** Call this and {@link #sendEnd} while the channel is connected. */
    void send(MessageEvent message) {
        long bytes = WriteAccount.bytesOf(message.getMessage());
        Exception refusal = channel.admit(bytes);
        if (refusal != null) {
            UnsentMessage.fail(message, refusal);
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

    /** Queues the end of the output after the messages. */
    void sendEnd(MessageEvent end) {
        send(end, 0);
    }

    private void send(MessageEvent event, long bytes) {
        DefaultLocalChannel to = channel.peer();
        Outbox.Message message = outbox.add(event, bytes);
        if (channel.isClosed() || to.isClosed()) { // the thread that closed an end may have missed the message
            CloseReason reason = channel.isClosed() ? channel.getCloseReason() : CloseReason.PEER_CLOSED;
            outbox.fail(message, UnsentMessage.causeOfClosed(reason));
        }
        to.takeLater();
    }

    // ---- taken by the other end -------------------------------------------------------------------------------------

    /** Called by the other end when it has taken the message. */
    void succeed(Outbox.Message message) {
        if (outbox.succeed(message)) {
            unreported.incrementAndGet();
            channel.later(this::onTaken);
        }
    }

    /** Counts all queued messages as sent; the other end may take them after this one has closed. */
    void succeedAll() {
        unreported.addAndGet(outbox.succeedAll());
    }

    /** Events only. */
    private void onTaken() {
        announceWritten();
        channel.settleNow();
    }

    /** Events only. Here, the amount written is the number of messages. */
    void announceWritten() {
        int amount = unreported.get();
        if (amount > 0) {
            WriteCompletionEvent event = new DefaultWriteCompletionEvent(channel, amount);
            unreported.addAndGet(-amount);
            events.written(event);
        }
    }

    // ---- stalls -----------------------------------------------------------------------------------------------------

    @Override
    public Object head() {
        return channel.isClosed() ? null : outbox.peek();
    }

    /** Always 0: a message is taken as a whole. */
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
