package org.freshet.handler.ssl;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.handler.HeldWrite;
import org.freshet.internal.request.SerialChannel;

/**
 * Runs the steps of a connection one at a time; everything that uses the engine is part of a step. A step doesn't call user
 * code. It requests calls through the methods of the second half, and the execution makes them when and where the transport
 * allows it.
 */
abstract class SerialExecution {
    /** Passes an upstream event on; may fail like a handler. */
    interface EventHandling {
        void run() throws Exception;
    }

    final ChannelHandlerContext ctx;
    final TlsConnection connection;

    /** Ends each step: sends whatever can be sent. */
    final Runnable flush;

    SerialExecution(ChannelHandlerContext ctx, TlsConnection connection, Runnable flush) {
        this.ctx = ctx;
        this.connection = connection;
        this.flush = flush;
    }

    /** Creates the kind that suits the transport. */
    static SerialExecution of(ChannelHandlerContext ctx, TlsConnection connection, Runnable flush) {
        return ctx.getChannel() instanceof SerialChannel
                ? new BlockingExecution(ctx, connection, flush)
                : new EventLoopExecution(ctx, connection, flush);
    }

    /**
     * The exception that a handler below threw for a message, whose records are lost, so the peer can decrypt nothing after
     * them; null if none was thrown. A transport's own failures are IOExceptions, and end the connection anyway.
     */
    final Throwable lossOf(ChannelEvent sent) {
        Throwable cause = sent instanceof MessageEvent ? sent.getFuture().getCause() : null;
        return cause instanceof IOException || connection.isClosing() ? null : cause;
    }

    // ---- steps ----

    /** Runs an action as a step, or as part of the current one. Any thread. */
    abstract void run(Runnable action);

    /** Makes another thread run an action as a step. For timer threads, which must not wait. */
    abstract void runAsync(Runnable action);

    /** Handles a request that was added to the outbound queue. Any thread. */
    abstract void request(ChannelEvent request);

    /** There may be room below for messages that were held back. I/O thread only. */
    abstract void resumeMessages();

    /** Runs the handling of an upstream event, which contains steps. I/O thread only. */
    abstract void handle(EventHandling event) throws Exception;

    /** Called before each record is read, within an event. I/O thread only. */
    abstract void beginRecord();

    /** Called after each record. */
    abstract void endRecord();

    /** Whether several records may be decrypted before handlers have seen the content of the first. */
    abstract boolean readsSeveralRecords();

    /** In a step. Whether it encrypts messages; if not, they are left to other steps. */
    abstract boolean encryptsMessages();

    /** In a step. Returns a buffer from the user's pool; null if the pool cannot be called in this step. */
    abstract ByteBuffer acquireBuffer();

    /** In a step. Returns a buffer to the user's pool. */
    abstract void releaseBuffer(ByteBuffer buffer);

    // ---- effects of a step ----

    /** Sends an event to the handlers below. */
    abstract void send(ChannelEvent e);

    /** Passes received data to the handlers above. */
    abstract void deliver(ChannelBuffer plaintext);

    /** Calls handlers above, or completes futures. */
    abstract void dispatch(Runnable callback);

    /** Fails a message that is not sent; where the step may do that itself, without allocating: there may be very many in a full heap. */
    abstract void fail(HeldWrite message, Throwable cause);

    /** Calls the user's timer. The call must not throw. */
    abstract void callTimer(Runnable call);

    /** Passes the engine's tasks to the user's executor. The call must not throw. */
    abstract void submitTasks(Runnable submission);
}
