package org.freshet.handler.ssl;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.request.SerialChannel;

/**
 * Runs the steps of a connection one at a time: whatever uses the engine is part of a step. A step does not call the code of
 * users. It states what has to be called, by the methods of the second half, and the execution does that when and where the
 * transport allows it.
 */
abstract class SerialExecution {
    /** Passes an upstream event on, and fails as handlers may. */
    interface EventHandling {
        void run() throws Exception;
    }

    final ChannelHandlerContext ctx;
    final TlsConnection connection;

    /** The last part of each step: sends what can be sent. */
    final Runnable flush;

    SerialExecution(ChannelHandlerContext ctx, TlsConnection connection, Runnable flush) {
        this.ctx = ctx;
        this.connection = connection;
        this.flush = flush;
    }

    /** The kind that suits the transport. */
    static SerialExecution of(ChannelHandlerContext ctx, TlsConnection connection, Runnable flush) {
        return ctx.getChannel() instanceof SerialChannel
                ? new BlockingExecution(ctx, connection, flush)
                : new EventLoopExecution(ctx, connection, flush);
    }

    /**
     * What a handler below threw at a message, so that its records are lost and the peer can decrypt nothing more; null if it
     * threw nothing. What the transport reports is an IOException, and ends the connection by itself.
     */
    final Throwable lossOf(ChannelEvent sent) {
        Throwable cause = sent instanceof MessageEvent ? sent.getFuture().getCause() : null;
        return cause instanceof IOException || connection.isClosing() ? null : cause;
    }

    // ---- steps ----

    /** Runs an action as a step, or as part of the current one; any thread. */
    abstract void run(Runnable action);

    /** Has another thread run an action as a step. For the threads of timers, which must not wait. */
    abstract void runAsync(Runnable action);

    /** Handles a request that was added to the outbound queue; any thread. */
    abstract void request(ChannelEvent request);

    /** Runs the handling of an upstream event, which contains steps. I/O thread only. */
    abstract void handle(EventHandling event) throws Exception;

    /** Before each record that is read, within an event. I/O thread only. */
    abstract void beginRecord();

    /** After each record. */
    abstract void endRecord();

    /** Whether several records may be decrypted before handlers have seen the content of the first. */
    abstract boolean readsSeveralRecords();

    /** In a step. Whether it encrypts messages; if not, they are left to other steps. */
    abstract boolean encryptsMessages();

    /** In a step. A buffer of the user's pool; null if the pool cannot be called in this step. */
    abstract ByteBuffer acquireBuffer();

    /** In a step. Returns a buffer to the user's pool. */
    abstract void releaseBuffer(ByteBuffer buffer);

    // ---- what a step causes ----

    /** Sends an event to the handlers below. */
    abstract void send(ChannelEvent e);

    /** Passes what was received to the handlers above. */
    abstract void deliver(ChannelBuffer plaintext);

    /** Calls handlers above, or completes futures. */
    abstract void dispatch(Runnable callback);

    /** Calls the user's timer. It must not throw. */
    abstract void callTimer(Runnable call);

    /** Passes the engine's tasks to the user's executor. It must not throw. */
    abstract void submitTasks(Runnable submission);
}
