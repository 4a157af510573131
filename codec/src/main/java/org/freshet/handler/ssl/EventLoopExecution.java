package org.freshet.handler.ssl;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.internal.handler.HeldWrite;

/**
 * Runs all steps on the channel's I/O thread, for transports where that thread accepts tasks and no write blocks. There is no
 * lock, so a step's effects happen right away. A step lasts as long as an upstream event, so messages that handlers write
 * during it are encrypted together at its end.
 */
final class EventLoopExecution extends SerialExecution {
    /** Any thread. A step that empties the outbound queue is scheduled. */
    private final AtomicBoolean flushScheduled = new AtomicBoolean();

    /** The I/O thread during a step. Not volatile, because each thread compares it only with itself. */
    private Thread stepThread;

    EventLoopExecution(ChannelHandlerContext ctx, TlsConnection connection, Runnable flush) {
        super(ctx, connection, flush);
    }

    private boolean isInStep() {
        return stepThread == Thread.currentThread();
    }

    @Override
    void run(Runnable action) {
        if (isInStep()) {
            action.run();
            return;
        }
        ChannelFuture done = ctx.getPipeline().execute(() -> {
            stepThread = Thread.currentThread();
            try {
                action.run();
            } finally {
                endStep();
            }
        });
        if (done.isDone() && !done.isSuccess()) {
            flushScheduled.set(false);
            connection.onStepRefused(done.getCause());
        }
    }

    private void endStep() {
        try {
            flush.run();
        } finally {
            stepThread = null;
        }
    }

    @Override
    void runAsync(Runnable action) {
        run(action);
    }

    @Override
    void request(ChannelEvent request) {
        if (!isInStep() && flushScheduled.compareAndSet(false, true)) {
            run(() -> flushScheduled.set(false));
        }
    }

    @Override
    void resumeMessages() {
        run(() -> {}); // each step ends with a flush
    }

    @Override
    void handle(EventHandling event) throws Exception {
        if (isInStep()) {
            event.run();
            return;
        }
        stepThread = Thread.currentThread();
        try {
            event.run();
        } finally {
            endStep();
        }
    }

    @Override
    void beginRecord() {
        // The event's step has already begun.
    }

    @Override
    void endRecord() {
        // The event's step continues.
    }

    @Override
    boolean readsSeveralRecords() {
        return true;
    }

    @Override
    boolean encryptsMessages() {
        return true;
    }

    @Override
    ByteBuffer acquireBuffer() {
        return connection.bufferPool.acquireBuffer();
    }

    @Override
    void releaseBuffer(ByteBuffer buffer) {
        connection.bufferPool.releaseBuffer(buffer);
    }

    @Override
    void send(ChannelEvent e) {
        connection.outbound.queue.passOn(ctx, e);
        Throwable loss = lossOf(e);
        if (loss != null) {
            connection.fail(loss);
        }
    }

    @Override
    void deliver(ChannelBuffer plaintext) {
        Channels.fireMessageReceived(ctx, plaintext);
    }

    @Override
    void dispatch(Runnable callback) {
        callback.run();
    }

    @Override
    void fail(HeldWrite message, Throwable cause) {
        connection.outbound.queue.fail(message, cause);
    }

    @Override
    void callTimer(Runnable call) {
        call.run();
    }

    @Override
    void submitTasks(Runnable submission) {
        submission.run();
    }
}
