package org.freshet.channel.socket.oio;

import org.freshet.channel.MessageEvent;
import org.freshet.internal.request.ChannelRequest;
import org.freshet.internal.write.OutgoingMessage;

/**
 * An entry of a {@link WriterQueue}: a message to send, or an action that runs once all earlier entries have been sent
 * or have failed.
 *
 * <p>The thread that queues an entry creates it; the queue alone changes its state.
 */
final class QueuedWrite extends ChannelRequest {
    /** The entry's progress. */
    enum State {
        /** Waits for the writer. */
        QUEUED,
        /** Now the oldest entry: its thread becomes the writer. */
        CHOSEN,
        /** Sent, failed or run. */
        DONE
    }

    private static final Runnable NOTHING = () -> {};

    /** Null for an action. */
    final OutgoingMessage message;

    /** Null for a message. */
    final Runnable action;

    /** The thread that waits for this entry, or null. Set before it is queued. */
    Thread waiter;

    volatile State state = State.QUEUED;

    private QueuedWrite(OutgoingMessage message, Runnable action) {
        this.message = message;
        this.action = action;
    }

    /**
     * @throws IllegalArgumentException if the message is neither a buffer nor a file region
     */
    static QueuedWrite of(MessageEvent event) {
        return new QueuedWrite(new OutgoingMessage(event), null);
    }

    /** An entry without effect. When it is done, all earlier entries have been sent or have failed. */
    static QueuedWrite marker() {
        return new QueuedWrite(null, NOTHING);
    }

    static QueuedWrite action(Runnable action) {
        return new QueuedWrite(null, action);
    }

    /** The next entry in a list taken from the inbox. */
    QueuedWrite following() {
        return (QueuedWrite) next;
    }
}
