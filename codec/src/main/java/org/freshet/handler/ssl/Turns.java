package org.freshet.handler.ssl;

import java.io.IOException;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.transport.SerialChannel;

/**
 * Lets one thread at a time use the engine of a handler: who has the turn. What that causes outside of the handler goes
 * through here as well, since not everything may happen within a turn.
 */
abstract class Turns {
    /** Something that is done in a turn and may fail as handlers may. */
    interface Event {
        void happen() throws Exception;
    }

    final ChannelHandlerContext ctx;
    final TlsConnection connection;

    /** Done in each turn, at its end. */
    final Runnable ending;

    Turns(ChannelHandlerContext ctx, TlsConnection connection, Runnable ending) {
        this.ctx = ctx;
        this.connection = connection;
        this.ending = ending;
    }

    /** The kind of turns that is right for the transport. */
    static Turns of(ChannelHandlerContext ctx, TlsConnection connection, Runnable ending) {
        return ctx.getChannel() instanceof SerialChannel
                ? new LockTurns(ctx, connection, ending)
                : new LoopTurns(ctx, connection, ending);
    }

    /**
     * What a handler below threw at a message, so that its records are lost and the peer can decrypt nothing more; null if
     * that is not so. What the transport reports is an IOException, and ends the connection by itself.
     */
    final Throwable lossOf(ChannelEvent sent) {
        Throwable cause = sent instanceof MessageEvent ? sent.getFuture().getCause() : null;
        return cause instanceof IOException || connection.isClosing() ? null : cause;
    }

    // ---- taking turns ----

    /** Runs an action in a turn; any thread. */
    abstract void run(Runnable action);

    /** Has an action run in a turn, without waiting for it. For the threads of timers, which serve others, too. */
    abstract void runSoon(Runnable action);

    /** Has a request seen to that is in the outbox; any thread. */
    abstract void request(ChannelEvent request);

    /** Lets an upstream event happen that needs turns. I/O thread only. */
    abstract void onEvent(Event event) throws Exception;

    /** Before each record that is read, within an event. I/O thread only. */
    abstract void beginRecord();

    /** After each record. */
    abstract void endRecord();

    /** Whether records may be read together, though handlers have not seen the first when the second is read. */
    abstract boolean readsSeveralRecords();

    /** In a turn. Whether messages are encrypted in it; if not, they are left to other turns. */
    abstract boolean takesMessages();

    // ---- what is caused, in a turn ----

    /** Sends an event down. */
    abstract void down(ChannelEvent e);

    /** Sends what was received up. */
    abstract void up(ChannelBuffer plaintext);

    /** Calls handlers above, or completes futures. */
    abstract void tell(Runnable news);
}
