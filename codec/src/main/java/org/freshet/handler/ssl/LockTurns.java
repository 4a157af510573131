package org.freshet.handler.ssl;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.TakesTurns;

/**
 * Turns by a lock, for transports where a write may wait for the peer, and other threads must read on meanwhile. A turn is
 * short: no handler and no listener is called in it, and nothing is sent. Those wait in queues until it is over; then the
 * thread that had the turn
 *
 * <ol>
 *   <li>has the news told, on the thread that has the channel's own turn for events, and
 *   <li>sends what it caused, after what others caused before, and waits for that. Whoever writes returns when the message
 *       has left, as without TLS; whoever only reads does not wait for those who write.
 * </ol>
 *
 * <p>Who closes the channel while another thread is busy sending does not wait for it either: the close goes ahead, and the
 * other's write fails.
 */
final class LockTurns extends Turns {
    private final ReentrantLock turn = new ReentrantLock();

    /** Held while sending, so that records leave in the order in which they were encrypted. Never taken within a turn. */
    private final ReentrantLock sending = new ReentrantLock();

    /** Added to in a turn. */
    private final Queue<ChannelEvent> departing = new ConcurrentLinkedQueue<>();

    /** Added to in a turn; taken out in the channel's turn for events. */
    private final Queue<Runnable> news = new ConcurrentLinkedQueue<>();

    /** In a turn. Whether it has added to {@link #departing}. */
    private boolean sends;

    /** In the turn of a record. What is in the outbox is the business of those who put it there. */
    private boolean leavesRequests;

    LockTurns(ChannelHandlerContext ctx, TlsConnection connection, Runnable ending) {
        super(ctx, connection, ending);
    }

    @Override
    void run(Runnable action) {
        turn.lock();
        try {
            action.run();
            ending.run();
        } finally {
            endTurn();
        }
    }

    @Override
    void request(ChannelEvent request) {
        run(() -> {});
        if (!turn.isHeldByCurrentThread()) {
            sendDeparting(); // another thread may have taken the request out and not be done with it
        }
    }

    @Override
    void onEvent(Event event) throws Exception {
        event.happen();
    }

    @Override
    void beginRecord() {
        turn.lock();
        leavesRequests = connection.isAtRest();
    }

    @Override
    void endRecord() {
        try {
            if (!leavesRequests || !connection.isAtRest()) {
                ending.run();
            }
        } finally {
            endTurn();
        }
    }

    @Override
    boolean readsSeveralRecords() {
        return false;
    }

    @Override
    void down(ChannelEvent e) {
        departing.add(e);
        sends = true;
    }

    @Override
    void up(ChannelBuffer plaintext) {
        news.add(() -> Channels.fireMessageReceived(ctx, plaintext));
    }

    @Override
    void tell(Runnable news) {
        this.news.add(news);
    }

    // ---- after a turn ----

    private void endTurn() {
        boolean mustSend = false;
        if (turn.getHoldCount() == 1) {
            mustSend = sends;
            sends = false;
        }
        turn.unlock();
        if (turn.isHeldByCurrentThread()) {
            return;
        }
        if (!news.isEmpty()) {
            haveNewsTold();
        }
        if (mustSend) {
            sendDeparting();
        }
    }

    private void haveNewsTold() {
        if (((TakesTurns) ctx.getChannel()).turn().isMine()) {
            tellNews();
        } else {
            ctx.getPipeline().execute(this::tellNews);
        }
    }

    private void tellNews() {
        for (Runnable next = news.poll(); next != null; next = news.poll()) {
            next.run();
        }
    }

    private void sendDeparting() {
        if (sending.isHeldByCurrentThread()) {
            return; // called by a listener of what is being sent; the loop below goes on with this
        }
        if (!sending.tryLock()) {
            letClosingAhead();
            sending.lock();
        }
        try {
            for (ChannelEvent next = departing.poll(); next != null; next = departing.poll()) {
                ctx.sendDownstream(next);
            }
        } finally {
            sending.unlock();
        }
    }

    /** Except for a close that is only due to the end of the peer's stream: that lets what is being sent leave. */
    private void letClosingAhead() {
        for (ChannelEvent e : departing) {
            if (!(e instanceof MessageEvent) && e != connection.closingAfterPeer()) {
                ctx.sendDownstream(e);
            }
        }
    }
}
