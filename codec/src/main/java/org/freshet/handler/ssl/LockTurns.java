package org.freshet.handler.ssl;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.transport.SerialChannel;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Turns by a lock, for transports where a write may wait for the peer, and other threads must read on meanwhile. A turn is
 * short: no handler and no listener is called in it, and nothing is sent. Those wait in queues until it is over; then the
 * thread that had the turn has the news told, on the thread that has the channel's own turn for events, and sees to what it
 * caused to be sent. There are two kinds of turns:
 *
 * <ul>
 *   <li>Of who has a request: encrypts all messages that wait, and sends what waits to be sent, after what others are
 *       sending. So whoever writes returns when the message has left, as without TLS.
 *   <li>Of who reads, or brings anything else: encrypts no messages, and never waits for who sends. What the protocol wants
 *       sent, a flight of the handshake or an answer, it sends by itself if nobody else is sending, or leaves to the other.
 * </ul>
 *
 * <p>Messages that were written during a handshake are left behind by their writers. When it is done, a thread is started
 * that sends them: the reader must not do it, since the peer may be writing as well and read only when it is read from.
 *
 * <p>Who closes the channel while another thread is busy sending does not wait for it either. The close goes ahead, and the
 * other's write fails; only what was left behind, for which nobody waits, is given as much time as a handshake.
 */
final class LockTurns extends Turns {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(LockTurns.class);

    private final ReentrantLock turn = new ReentrantLock();

    /** Held while sending, so that records leave in the order in which they were encrypted. Within a turn it is only tried. */
    private final ReentrantLock sending = new ReentrantLock();

    /** Added to in a turn; taken out by who holds {@link #sending}. */
    private final Queue<ChannelEvent> departing = new ConcurrentLinkedQueue<>();

    /** Added to in a turn; taken out in the channel's turn for events. */
    private final Queue<Runnable> news = new ConcurrentLinkedQueue<>();

    /** In a turn. Whether it is of the kind that encrypts messages. */
    private boolean takesMessages;

    /** In a turn. Whether messages that wait are the business of others, who are on their way. */
    private boolean wasAtRest;

    /** In a turn. The last request to close that it has added to {@link #departing}. */
    private ChannelEvent closing;

    /** Written in a turn. How many threads there are that send what was left behind. */
    private volatile int senders;

    /** Guarded by {@link #sending}. A listener of what is being sent has caused more. */
    private boolean sendsMore;

    LockTurns(ChannelHandlerContext ctx, TlsConnection connection, Runnable ending) {
        super(ctx, connection, ending);
    }

    @Override
    void run(Runnable action) {
        beginTurn();
        try {
            action.run();
            ending.run();
        } finally {
            endTurn();
        }
    }

    /** Who has the turn may be looking at a certificate for long, and an alert may have to wait for the peer. */
    @Override
    void runSoon(Runnable action) {
        try {
            start("TLS time-out of ", () -> run(action));
        } catch (OutOfMemoryError noThread) {
            run(action);
        }
    }

    @Override
    void request(ChannelEvent request) {
        if (turn.isHeldByCurrentThread()) {
            return; // made by a task of the engine's: waits for the end of the handshake
        }
        takeMessages();
        if (request instanceof ChannelStateEvent) {
            close(request);
        } else {
            sendDeparting(); // another thread may have taken the request out and not be done with it
        }
    }

    @Override
    void onEvent(Event event) throws Exception {
        event.happen();
    }

    @Override
    void beginRecord() {
        beginTurn();
    }

    @Override
    void endRecord() {
        try {
            if (!wasAtRest || !connection.outbound.isAtRest()) {
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
    boolean takesMessages() {
        return takesMessages;
    }

    @Override
    void down(ChannelEvent e) {
        departing.add(e);
        if (e instanceof ChannelStateEvent) {
            closing = e;
        }
    }

    @Override
    void up(ChannelBuffer plaintext) {
        news.add(() -> Channels.fireMessageReceived(ctx, plaintext));
    }

    @Override
    void tell(Runnable news) {
        this.news.add(news);
    }

    // ---- the end of a turn ----

    private ChannelEvent takeClosing() {
        ChannelEvent taken = closing;
        closing = null;
        return taken;
    }

    private void haveNewsTold() {
        if (news.isEmpty()) {
            return;
        }
        if (((SerialChannel) ctx.getChannel()).serialExecutor().isHeldByCurrentThread()) {
            tellNews();
        } else {
            ctx.getPipeline().execute(this::tellNews);
        }
    }

    private void tellNews() {
        for (Runnable next = news.poll(); next != null; next = news.poll()) {
            try {
                next.run();
            } catch (Throwable t) {
                logger.warn("a notification of TLS failed on " + ctx.getChannel(), t); // the next are of other futures
            }
        }
    }

    // ---- of who reads ----

    private void beginTurn() {
        turn.lock();
        if (turn.getHoldCount() == 1) {
            wasAtRest = connection.outbound.isAtRest();
        }
    }

    private void endTurn() {
        if (turn.getHoldCount() > 1) {
            turn.unlock();
            return;
        }
        boolean leavesMessages = !wasAtRest && connection.outbound.holdsMessages();
        if (leavesMessages) {
            senders++;
        }
        ChannelEvent ownClosing = takeClosing();
        turn.unlock();
        try {
            haveNewsTold();
            sendWhatCannotWait();
            if (ownClosing != null && ownClosing != connection.inbound.closingAfterPeer()) {
                closeNow(ownClosing);
            }
        } finally {
            if (leavesMessages) {
                startSending();
            }
        }
    }

    /** What is left here is sent by who holds the lock and looks again, or by a writer who is about to take it. */
    private void sendWhatCannotWait() {
        if (sending.isHeldByCurrentThread()) {
            return;
        }
        while (isForReaders(departing.peek()) && sending.tryLock()) {
            boolean more = false;
            try {
                while (isForReaders(departing.peek())) {
                    send(departing.poll());
                }
            } finally {
                more = endSending();
            }
            if (more) {
                sendDeparting();
            }
        }
    }

    /** Messages are not, unless there is nothing more to read. */
    private boolean isForReaders(ChannelEvent e) {
        return e != null
                && (!(e instanceof MessageEvent)
                        || e instanceof ProtocolEvent
                        || connection.inbound.closingAfterPeer() != null);
    }

    // ---- of who has a request ----

    /** Returns the request to close that follows what was encrypted; null if there is none. */
    private ChannelEvent takeMessages() {
        ChannelEvent following;
        turn.lock();
        takesMessages = true;
        try {
            ending.run();
        } finally {
            takesMessages = false;
            following = takeClosing();
            turn.unlock();
            haveNewsTold();
        }
        return following;
    }

    /** Waits for who is sending. */
    private void sendDeparting() {
        if (!tryToSendDeparting()) {
            sending.lock();
            sendAll();
        }
    }

    private boolean tryToSendDeparting() {
        if (sending.isHeldByCurrentThread()) {
            sendsMore = true; // called by a listener of what is being sent, or by a handler below
            return true;
        }
        boolean free = sending.tryLock();
        if (free) {
            sendAll();
        }
        return free;
    }

    /** For who holds {@link #sending}, and gives it back. */
    private void sendAll() {
        do {
            try {
                for (ChannelEvent next = departing.poll(); next != null; next = departing.poll()) {
                    send(next);
                }
            } finally {
                endSending();
            }
        } while (!departing.isEmpty() && sending.tryLock()); // left here by a reader that found the lock taken
    }

    /** A handler below may throw. Without the records that it has thrown away, the peer can decrypt nothing more. */
    private void send(ChannelEvent e) {
        try {
            ctx.sendDownstream(e);
        } catch (Throwable t) {
            e.getFuture().setFailure(t);
        }
        Throwable loss = lossOf(e);
        if (loss != null) {
            run(() -> connection.fail(loss));
        }
    }

    /** Returns whether there is more to send that nobody else sees to. */
    private boolean endSending() {
        boolean more = sendsMore;
        sendsMore = false;
        sending.unlock();
        return more;
    }

    // ---- closing ----

    private void close(ChannelEvent request) {
        if (!departing.contains(request)) {
            return; // waits for the handshake, or was sent by another thread
        }
        boolean limited = closeInTime(request);
        if (senders > 0 ? !limited : !tryToSendDeparting()) {
            closeNow(request);
        }
    }

    /** Lets a close go ahead of what others are sending, unless it was sent before. */
    private void closeNow(ChannelEvent request) {
        if (departing.contains(request)) {
            send(request);
        }
    }

    /** The peer may not read even our close_notify. Returns whether there is a limit to the time that is given to it. */
    private boolean closeInTime(ChannelEvent request) {
        HandshakeDeadline limit = connection.handshake.startFarewell(() -> closeNow(request));
        if (limit != null) {
            request.getFuture().addListener(closed -> limit.cancel());
        }
        return limit != null;
    }

    // ---- what was left behind ----

    private void startSending() {
        try {
            start("TLS sender of ", this::sendLeftBehind);
        } catch (Throwable noThread) {
            turn.lock();
            senders--;
            turn.unlock();
            run(() -> connection.fail(noThread));
        }
    }

    private void start(String role, Runnable work) {
        Thread thread = new Thread(null, work, role + ctx.getChannel(), 0, false);
        thread.setDaemon(true);
        thread.start();
    }

    private void sendLeftBehind() {
        try {
            ChannelEvent following = takeMessages();
            if (following != null && !closeInTime(following)) {
                closeNow(following);
            }
            sendDeparting();
        } finally {
            turn.lock();
            senders--;
            turn.unlock();
        }
        if (!departing.isEmpty()) { // left here by who closed
            sendDeparting();
        }
    }
}
