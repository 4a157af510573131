package org.freshet.handler.ssl;

import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.handler.Deadline;
import org.freshet.internal.request.SerialChannel;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Runs steps on any thread, for transports where a write may block and other threads must be able to read meanwhile. A step
 * holds the engine's lock and is short: what it causes is queued. After the step, without the lock, the thread that ran it
 * calls the timer, dispatches the callbacks on the thread that runs the channel's events, sends, and submits the engine's
 * tasks. There are two kinds of steps:
 *
 * <ul>
 *   <li>A request's step encrypts all queued messages, and then sends everything, after what other threads are sending. So a
 *       write returns when the message has left, as without TLS.
 *   <li>Any other step, such as a reader's, encrypts no messages and never waits for a sender. The protocol's own records,
 *       such as a flight of the handshake, are sent if no other thread is sending, or left to that thread.
 * </ul>
 *
 * <p>Messages that are written during a handshake stay in the queue. When it is done, a background thread sends them: the
 * reader must not, since the peer may be writing too, and read only after we have read.
 *
 * <p>A close does not wait for another thread that is writing either: it overtakes, and the other thread's write fails. A
 * background sender, for which no caller waits, gets as much time as a handshake; so does a thread that sends the protocol's own
 * records, to which the close is left, because these are short and the last of them is the close_notify.
 */
final class BlockingExecution extends SerialExecution {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(BlockingExecution.class);

    /** Held during a step, while the engine is used. */
    private final ReentrantLock engineLock = new ReentrantLock();

    /** A step adds to it. */
    private final SendQueue sendQueue = new SendQueue(this::sendNow);

    /** Steps add to it; run by the thread that runs the channel's events. */
    private final Queue<Runnable> callbacks = new ConcurrentLinkedQueue<>();

    /** Steps add to it; run by the threads that ran the steps. */
    private final Queue<Runnable> timerCalls = new ConcurrentLinkedQueue<>();

    /** Steps add to it; run by the threads that ran the steps. */
    private final Queue<Runnable> taskSubmissions = new ConcurrentLinkedQueue<>();

    /** In a step. Whether it is of the kind that encrypts messages. */
    private boolean encryptsMessages;

    /** In a step. From the pool, for what the step encrypts; null if there is none, or if it is in use. */
    private ByteBuffer buffer;

    /** Steps add to it; returned to the pool by the threads that ran the steps. */
    private final Queue<ByteBuffer> usedBuffers = new ConcurrentLinkedQueue<>();

    /** In a step. Whether queued messages are handled by their writers, so that no background thread is needed. */
    private boolean wasAtRest;

    /** In a step. The last request to close that it has added to {@link #sendQueue}. */
    private ChannelEvent closing;

    /** The last request to close for which a time limit was started; null before. Any thread. */
    private final AtomicReference<ChannelEvent> limitedClose = new AtomicReference<>();

    /** Guarded by the engine's lock for writing. */
    private volatile int backgroundSenders;

    BlockingExecution(ChannelHandlerContext ctx, TlsConnection connection, Runnable flush) {
        super(ctx, connection, flush);
    }

    // ---- what a step causes ----

    @Override
    void send(ChannelEvent e) {
        sendQueue.add(e);
        if (e instanceof ChannelStateEvent) {
            closing = e;
        }
    }

    @Override
    void deliver(ChannelBuffer plaintext) {
        callbacks.add(() -> Channels.fireMessageReceived(ctx, plaintext));
    }

    @Override
    void dispatch(Runnable callback) {
        callbacks.add(callback);
    }

    @Override
    void callTimer(Runnable call) {
        timerCalls.add(call);
    }

    @Override
    void submitTasks(Runnable submission) {
        taskSubmissions.add(submission);
    }

    // ---- the buffer pool ----

    @Override
    ByteBuffer acquireBuffer() {
        ByteBuffer acquired = buffer;
        buffer = null;
        return acquired;
    }

    @Override
    void releaseBuffer(ByteBuffer used) {
        usedBuffers.add(used);
    }

    /** Without the lock. Null if the pool throws, which ends the connection. */
    private ByteBuffer acquireFromPool() {
        try {
            return connection.bufferPool.acquireBuffer();
        } catch (Throwable e) {
            run(() -> connection.fail(e));
            return null;
        }
    }

    /** Without the lock. If the pool throws, the connection ends. */
    private void returnBuffers() {
        for (ByteBuffer next = usedBuffers.poll(); next != null; next = usedBuffers.poll()) {
            try {
                connection.bufferPool.releaseBuffer(next);
            } catch (Throwable e) {
                run(() -> connection.fail(e));
            }
        }
    }

    // ---- a reader's steps, and those of timers and tasks ----

    @Override
    void run(Runnable action) {
        beginStep();
        try {
            action.run();
            flush.run();
        } finally {
            endStep();
        }
    }

    /** On a new thread: sending an alert may have to wait for the peer. */
    @Override
    void runAsync(Runnable action) {
        try {
            startThread("TLS time-out of ", () -> run(action));
        } catch (OutOfMemoryError noThread) {
            run(action);
        }
    }

    @Override
    void handle(EventHandling event) throws Exception {
        event.run();
    }

    @Override
    void beginRecord() {
        beginStep();
    }

    @Override
    void endRecord() {
        try {
            if (!wasAtRest || !connection.outbound.isAtRest()) {
                flush.run();
            }
        } finally {
            endStep();
        }
    }

    @Override
    boolean readsSeveralRecords() {
        return false;
    }

    @Override
    boolean encryptsMessages() {
        return encryptsMessages;
    }

    private void beginStep() {
        engineLock.lock();
        if (engineLock.getHoldCount() == 1) {
            wasAtRest = connection.outbound.isAtRest();
        }
    }

    private void endStep() {
        if (engineLock.getHoldCount() > 1) {
            engineLock.unlock();
            return;
        }
        boolean leavesMessages = !wasAtRest && connection.outbound.holdsMessages();
        if (leavesMessages) {
            backgroundSenders++;
        }
        ChannelEvent ownClosing = takeClosing();
        engineLock.unlock();
        try {
            afterStep();
            sendQueue.trySendUrgent(this::isUrgent);
            if (ownClosing != null && ownClosing != connection.inbound.closingAfterPeer()) {
                closeAfterStep(ownClosing);
            }
        } finally {
            if (leavesMessages) {
                startBackgroundSender();
            }
            runAll(taskSubmissions);
        }
    }

    private ChannelEvent takeClosing() {
        ChannelEvent taken = closing;
        closing = null;
        return taken;
    }

    /** Without the lock: all that may not wait for the peer. */
    private void afterStep() {
        runAll(timerCalls);
        returnBuffers();
        if (callbacks.isEmpty()) {
            return;
        }
        if (((SerialChannel) ctx.getChannel()).serialExecutor().isHeldByCurrentThread()) {
            runAll(callbacks);
        } else {
            ctx.getPipeline().execute(() -> runAll(callbacks));
        }
    }

    private void runAll(Queue<Runnable> calls) {
        for (Runnable next = calls.poll(); next != null; next = calls.poll()) {
            try {
                next.run();
            } catch (Throwable t) {
                logger.warn("a callback of TLS failed on " + ctx.getChannel(), t); // the others are of other futures
            }
        }
    }

    /** Messages can wait for their writer, unless there is nothing more to read. */
    private boolean isUrgent(ChannelEvent e) {
        return !(e instanceof MessageEvent)
                || e instanceof ProtocolEvent
                || connection.inbound.closingAfterPeer() != null;
    }

    // ---- a request's step ----

    @Override
    void request(ChannelEvent request) {
        if (engineLock.isHeldByCurrentThread()) {
            return; // made by the engine: the step goes on to flush
        }
        try {
            encryptMessages();
            if (request instanceof ChannelStateEvent) {
                close(request);
            } else {
                sendQueue.sendAll(); // another thread may have taken the request and be about to send it
            }
        } finally {
            runAll(taskSubmissions);
        }
    }

    /** Returns the request to close that follows what was encrypted; null if there is none. */
    private ChannelEvent encryptMessages() {
        ByteBuffer acquired = acquireFromPool();
        ChannelEvent following;
        engineLock.lock();
        encryptsMessages = true;
        buffer = acquired;
        try {
            flush.run();
        } finally {
            encryptsMessages = false;
            if (buffer != null) {
                releaseBuffer(acquireBuffer());
            }
            following = takeClosing();
            engineLock.unlock();
            afterStep();
        }
        return following;
    }

    // ---- sending ----

    /** A handler below may throw. Without the records that it has thrown away, the peer can decrypt nothing more. */
    private void sendNow(ChannelEvent e) {
        try {
            connection.outbound.queue.passOn(ctx, e);
        } catch (Throwable t) {
            e.getFuture().setFailure(t);
        }
        Throwable loss = lossOf(e);
        if (loss != null) {
            run(() -> connection.fail(loss));
        }
    }

    private void close(ChannelEvent request) {
        if (!sendQueue.contains(request)) {
            return; // waits for the handshake, or was sent by another thread
        }
        boolean limited = closeInTime(request);
        if (backgroundSenders > 0 ? !limited : !sendQueue.trySendAll(limited)) {
            closeNow(request);
        }
    }

    /** Must not wait. The thread that has asked for the close may be sending what comes before it. */
    private void closeAfterStep(ChannelEvent request) {
        boolean isLeft = sendQueue.contains(request) && sendQueue.isLeftToSender(true) && closeInTime(request);
        if (!isLeft) {
            closeNow(request);
        }
    }

    /** Lets a close overtake what others are sending, unless it was sent before. */
    private void closeNow(ChannelEvent request) {
        if (sendQueue.contains(request)) {
            sendNow(request);
        }
    }

    /** The peer may not even read our close_notify. Returns whether there is a time limit for it. */
    private boolean closeInTime(ChannelEvent request) {
        if (limitedClose.getAndSet(request) == request) {
            return connection.handshake.hasLimit(); // the thread that closes and the one that sends both come here
        }
        Deadline limit = connection.handshake.startCloseDeadline(() -> closeNow(request));
        if (limit != null) {
            request.getFuture().addListener(closed -> limit.cancel());
        }
        return limit != null;
    }

    // ---- messages that were written during a handshake ----

    private void startBackgroundSender() {
        try {
            startThread("TLS sender of ", this::sendInBackground);
        } catch (Throwable noThread) {
            endBackgroundSender();
            run(() -> connection.fail(noThread));
        }
    }

    private void startThread(String role, Runnable work) {
        Thread thread = new Thread(null, work, role + ctx.getChannel(), 0, false);
        thread.setDaemon(true);
        thread.start();
    }

    private void sendInBackground() {
        try {
            ChannelEvent following = encryptMessages();
            if (following != null && !closeInTime(following)) {
                closeNow(following);
            }
            sendQueue.sendAll();
        } finally {
            endBackgroundSender();
            runAll(taskSubmissions);
        }
        if (!sendQueue.isEmpty()) { // added by a close that left it to this thread
            sendQueue.sendAll();
        }
    }

    private void endBackgroundSender() {
        engineLock.lock();
        backgroundSenders--;
        engineLock.unlock();
    }
}
