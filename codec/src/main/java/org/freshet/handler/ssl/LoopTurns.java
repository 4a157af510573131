package org.freshet.handler.ssl;

import java.util.concurrent.atomic.AtomicBoolean;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;

/**
 * Turns on the channel's I/O thread, for transports where that takes up any task and no write waits. There is no lock. A turn
 * lasts as long as an upstream event, so what handlers write meanwhile is encrypted together at its end.
 */
final class LoopTurns extends Turns {
    /** Any thread. A turn will come that empties the outbox. */
    private final AtomicBoolean flushScheduled = new AtomicBoolean();

    /** Each thread compares it with itself only, so that it need not be volatile. */
    private Thread holder;

    LoopTurns(ChannelHandlerContext ctx, TlsConnection connection, Runnable ending) {
        super(ctx, connection, ending);
    }

    @Override
    void run(Runnable action) {
        if (holder == Thread.currentThread()) {
            action.run();
            return;
        }
        ChannelFuture done = ctx.getPipeline().execute(() -> {
            holder = Thread.currentThread();
            try {
                action.run();
            } finally {
                end();
            }
        });
        if (done.isDone() && !done.isSuccess()) {
            flushScheduled.set(false);
            connection.onTurnRefused(done.getCause());
        }
    }

    private void end() {
        try {
            ending.run();
        } finally {
            holder = null;
        }
    }

    @Override
    void runSoon(Runnable action) {
        run(action);
    }

    @Override
    void request(ChannelEvent request) {
        if (holder != Thread.currentThread() && flushScheduled.compareAndSet(false, true)) {
            run(() -> flushScheduled.set(false));
        }
    }

    @Override
    void onEvent(Event event) throws Exception {
        if (holder == Thread.currentThread()) {
            event.happen();
            return;
        }
        holder = Thread.currentThread();
        try {
            event.happen();
        } finally {
            end();
        }
    }

    @Override
    void beginRecord() {
        // The event's turn.
    }

    @Override
    void endRecord() {
        // The event's turn goes on.
    }

    @Override
    boolean readsSeveralRecords() {
        return true;
    }

    @Override
    boolean takesMessages() {
        return true;
    }

    @Override
    void down(ChannelEvent e) {
        ctx.sendDownstream(e);
        Throwable loss = lossOf(e);
        if (loss != null) {
            connection.fail(loss);
        }
    }

    @Override
    void up(ChannelBuffer plaintext) {
        Channels.fireMessageReceived(ctx, plaintext);
    }

    @Override
    void tell(Runnable news) {
        news.run();
    }
}
