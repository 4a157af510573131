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
import org.freshet.internal.handler.HeldWrite;
import org.freshet.internal.request.SerialChannel;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Runs steps on any thread, for transports where a write may block while other threads must still be able to read. A step holds
 * the engine's lock and is short: its effects are queued. After the step, without the lock, the thread that ran it calls the
 * timer, dispatches callbacks on the thread that runs the channel's events, sends, and submits the engine's tasks. There are
 * two kinds of steps:
 *
 * <ul>
 * <li>The step of a request encrypts all queued messages, then sends everything, after whatever other threads are sending. So a
 * write returns when the message has been sent, as without TLS.
 * <li>Any other step, such as a reader's, encrypts no messages and never waits for a sender. The protocol's own records, such
 * as a handshake flight, are sent if no other thread is sending, or else left to that thread.
 * </ul>
 *
 * <p>Messages written during a handshake stay in the queue. When it is done, a background thread sends them. The reader must
 * not do so: the peer may be writing too, and might not read until we have read.
 *
 * <p>A close doesn't wait for another thread that is writing: it overtakes that write, which then fails. A background
 * sender, which no caller waits for, gets as much time as a handshake. So does a thread that sends the protocol's own records,
 * and the close is left to it: these records are short, and the last of them is the close_notify.
 */
final class BlockingExecution extends SerialExecution {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(BlockingExecution.class);

    /** Held during a step, while the engine is used. */
    private final ReentrantLock engineLock = new ReentrantLock();

    /** Filled by steps. */
    private final SendQueue sendQueue = new SendQueue(this::sendNow);

    /** Filled by steps; run by the thread that runs the channel's events. */
    private final Queue<Runnable> callbacks = new ConcurrentLinkedQueue<>();

    /** Filled by steps; run by the threads that ran the steps. */
    private final Queue<Runnable> timerCalls = new ConcurrentLinkedQueue<>();

    /** Filled by steps; run by the threads that ran the steps. */
    private final Queue<Runnable> taskSubmissions = new ConcurrentLinkedQueue<>();

    /** In a step. Whether the step encrypts messages. */
    private boolean encryptsMessages;

    /** In a step. A pooled buffer for encryption; null if the step has none, or if it is in use. */
    private ByteBuffer buffer;

    /** Filled by steps; returned to the pool by the threads that ran the steps. */
    private final Queue<ByteBuffer> usedBuffers = new ConcurrentLinkedQueue<>();

    /** In a step. Whether writers handle their own queued messages, so no background thread is needed. */
    private boolean wasAtRest;

    /** In a step. The last close request that this step has added to {@link #sendQueue}. */
    private ChannelEvent closing;

    /** The last close request with a time limit; null if no close has one. Any thread. */
    private final AtomicReference<ChannelEvent> limitedClose = new AtomicReference<>();

    /** Written only with the engine's lock held. */
    private volatile int backgroundSenders;

    BlockingExecution(ChannelHandlerContext ctx, TlsConnection connection, Runnable flush) {
        super(ctx, connection, flush);
    }

    // ---- effects of a step ----

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
    void fail(HeldWrite message, Throwable cause) {
        callbacks.add(() -> connection.outbound.queue.fail(message, cause));
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

    /** Without the lock. Returns null if the pool throws, which ends the connection. */
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

    // ---- steps of readers, timers and tasks ----

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

    /** Uses a new thread, because sending an alert may have to wait for the peer. */
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

    /** Without the lock: everything that must not wait for the peer. */
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
                logger.warn(
                        "a TLS callback failed on " + ctx.getChannel(),
                        t); // the remaining callbacks are for other futures
            }
        }
    }

    /** Messages can wait for their writer, unless there is nothing more to read. */
    private boolean isUrgent(ChannelEvent e) {
        return !(e instanceof MessageEvent)
                || e instanceof ProtocolEvent
                || connection.inbound.closingAfterPeer() != null;
    }

    // ---- the step of a request ----

    @Override
    void request(ChannelEvent request) {
        if (engineLock.isHeldByCurrentThread()) {
            return; // made by the engine: the current step will flush it
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

    /** Returns the close request that follows the encrypted messages, or null. */
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

    /** On a transport that blocks, the thread that has written a message sends it. Elsewhere, that thread may be gone. */
    @Override
    void resumeMessages() {
        if (!SerialChannel.isWriteBlocking(ctx.getChannel())) {
            try {
                sendQueued();
            } finally {
                runAll(taskSubmissions);
            }
        }
    }

    /** Encrypts and sends what is queued, up to a close. */
    private void sendQueued() {
        ChannelEvent following = encryptMessages();
        if (following != null && !closeInTime(following)) {
            closeNow(following);
        }
        sendQueue.sendAll();
    }

    // ---- sending ----

    /** A handler below may throw. If it loses records, the peer can't decrypt anything after them. */
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
            return; // waits for the handshake, or another thread has sent it
        }
        boolean limited = closeInTime(request);
        if (backgroundSenders > 0 ? !limited : !sendQueue.trySendAll(limited)) {
            closeNow(request);
        }
    }

    /** Must not wait. The thread that requested the close may still be sending earlier events. */
    private void closeAfterStep(ChannelEvent request) {
        boolean isLeft = sendQueue.contains(request) && sendQueue.isLeftToSender(true) && closeInTime(request);
        if (!isLeft) {
            closeNow(request);
        }
    }

    /** Lets a close overtake other senders, unless it has already been sent. */
    private void closeNow(ChannelEvent request) {
        if (sendQueue.contains(request)) {
            sendNow(request);
        }
    }

    /** The peer might not even read our close_notify. Returns whether there is a time limit for that. */
    private boolean closeInTime(ChannelEvent request) {
        if (limitedClose.getAndSet(request) == request) {
            return connection.handshake.hasLimit(); // both the closing and the sending thread come here
        }
        Deadline limit = connection.handshake.startCloseDeadline(() -> closeNow(request));
        if (limit != null) {
            request.getFuture().addListener(closed -> limit.cancel());
        }
        return limit != null;
    }

    // ---- messages written during a handshake ----

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
            sendQueued();
        } finally {
            endBackgroundSender();
            runAll(taskSubmissions);
        }
        if (!sendQueue.isEmpty()) { // a close has left something to this thread
            sendQueue.sendAll();
        }
    }

    private void endBackgroundSender() {
        engineLock.lock();
        backgroundSenders--;
        engineLock.unlock();
    }
}
