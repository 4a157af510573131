package org.freshet.handler.stream;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.internal.ActsOn;
import org.freshet.internal.EventKind;
import org.freshet.internal.HoldsOutput;
import org.freshet.internal.handler.CoalescedTask;
import org.freshet.internal.handler.DrainedWork;
import org.freshet.internal.handler.HeldWrite;
import org.freshet.internal.handler.Holding;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.telemetry.Explainable;
import org.freshet.telemetry.Explanation;

/**
 * Sends {@link ChunkedInput}s of any size with little memory: it reads the next chunk only while less than the
 * channel's high water mark waits below this handler. So a slow peer costs no more than that and one chunk.
 *
 * <pre>{@code
 * pipeline.addLast("chunkedWriter", new ChunkedWriteHandler());
 * ...
 * channel.write(new ChunkedNioFile(file)).addListener(ChannelFutureListener.CLOSE);
 * }</pre>
 *
 * <p>Other messages pass, but never overtake an input written before them. The future of an input succeeds when its
 * last chunk has been sent, and reports progress in bytes until then. It fails when a chunk fails, when the input
 * throws (the exception also goes up as an event) or when the channel closes. In each case the input has been closed by
 * then. After a failure in the middle of an input, the peer has only part of it: you should usually close the channel.
 *
 * <p>An input that has nothing available suspends everything written after it until {@link #resumeTransfer()}.
 *
 * <p>Threading: any thread may write. Chunks are read on the writing thread or on the channel's I/O thread, by one of
 * them at a time. {@code reading} and {@code watched} belong to the thread that drains the queue.
 */
@SuppressWarnings("exports") // HoldsOutput is exported to Freshet's modules only
@ActsOn({EventKind.INTEREST_CHANGED, EventKind.CLOSED, EventKind.WRITTEN})
public class ChunkedWriteHandler
        implements ChannelUpstreamHandler,
                ChannelDownstreamHandler,
                LifeCycleAwareChannelHandler,
                Explainable,
                HoldsOutput {
    private final Queue<HeldWrite> queue = new ConcurrentLinkedQueue<>();
    private final Holding held = new Holding();
    private final CoalescedTask draining = new CoalescedTask(this::drain);

    /** Null while no input is being read. Other threads only check for null. */
    private volatile Transfer reading;

    /**
     * The channel whose close future is listened to, in case a handler hides the close event; null before the first
     * input.
     */
    private Channel watched;

    /** Null until the handler is added to a pipeline; kept after its removal. */
    private volatile ChannelHandlerContext ctx;

    private volatile boolean removed;

    /** Null until the channel is drained. Updated within {@link #draining} only. */
    private volatile DrainedWork drained;

    public ChunkedWriteHandler() {}

    /** Resumes an input that had nothing to send and now has something. Any thread may call it, at any time. */
    public void resumeTransfer() {
        if (ctx != null) {
            draining.request();
        }
    }

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof MessageEvent write) {
            onWrite(write);
        } else {
            ctx.sendDownstream(e);
        }
    }

    private void onWrite(MessageEvent write) {
        if (held.admitTo(queue, write) != null) {
            draining.request();
        }
    }

    /** Not for users: the bytes waiting for an input to end. */
    @Override
    public long heldBytes(Object channel) {
        return held.bytes();
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof ChannelStateEvent change) {
            boolean closed =
                    change.getState() == ChannelState.OPEN && !ctx.getChannel().isOpen();
            if (closed || change.getState() == ChannelState.INTEREST_OPS) {
                draining.request();
            }
        } else if (e instanceof WriteCompletionEvent && hasWork()) {
            draining.request(); // there may be space below even if the messages held here make the channel unwritable
        }
        if (e instanceof DrainEvent drain) {
            drained = new DrainedWork(ctx, drain, "a transfer", this::hasWork);
            draining.request();
        }
        ctx.sendUpstream(e);
    }

    private boolean hasWork() {
        return reading != null || !queue.isEmpty();
    }

    private void drain() {
        sendQueue();
        DrainedWork transfers = drained;
        if (transfers != null) {
            transfers.update();
        }
    }

    private void sendQueue() {
        boolean more = true;
        while (more) {
            if (removed || !ctx.getChannel().isOpen()) {
                failAll();
                return;
            }
            more = reading != null ? sendChunk() : sendMessage();
        }
    }

    /** Returns false if the queue is empty. */
    private boolean sendMessage() {
        HeldWrite write = queue.peek();
        if (write == null) {
            return false;
        }
        if (write.getMessage() instanceof ChunkedInput) {
            startReading(write);
        } else {
            queue.poll();
            passOn(write);
        }
        return true;
    }

    private void startReading(HeldWrite write) {
        try {
            watchClose(ctx.getChannel());
            reading = new Transfer(write, held, draining::request);
        } catch (Error withoutMemory) {
            held.fail(write, withoutMemory);
        }
        queue.poll();
    }

    /** Never throws: later messages must still be sent. */
    private void passOn(HeldWrite write) {
        try {
            held.passOn(ctx, write);
        } catch (Throwable thrown) {
            Holding.complete(write, thrown);
            Holding.report(ctx, thrown);
        }
    }

    private void watchClose(Channel channel) {
        if (watched != channel) {
            channel.getCloseFuture().addListener(closed -> draining.request());
            watched = channel;
        }
    }

    /** Returns false if the channel takes no more now or the input has no more now. */
    private boolean sendChunk() {
        if (reading.chunkFailure() != null) {
            failReading(reading.chunkFailure());
            return true;
        }
        if (!WriteAccount.isWritableBelow(ctx)) {
            return false;
        }
        try {
            if (reading.input.isEndOfInput()) {
                Transfer ended = reading;
                reading = null;
                ended.onEndOfInput();
                return true;
            }
            Object chunk = reading.input.nextChunk();
            if (chunk == null) {
                return reading.input.isEndOfInput();
            }
            write(chunk);
        } catch (Throwable thrown) {
            failReading(thrown);
            Holding.report(ctx, thrown);
        }
        return true;
    }

    /** Writes a part of an input. The input was admitted as a whole. */
    private void write(Object chunk) {
        Channel channel = ctx.getChannel();
        ChannelFuture sent = Channels.future(channel);
        sent.addListener(reading.expectChunk(chunk));
        SocketAddress receiver = reading.write.getRemoteAddress();
        WriteAccount.passOn(ctx, new DownstreamMessageEvent(channel, sent, chunk, receiver), 0);
    }

    private void failReading(Throwable cause) {
        Transfer failed = reading;
        reading = null;
        failed.fail(cause);
    }

    private void failAll() {
        if (!hasWork()) {
            return;
        }
        Throwable cause = causeOfEnd();
        if (reading != null) {
            failReading(cause);
        }
        for (HeldWrite write = queue.poll(); write != null; write = queue.poll()) {
            held.fail(write, cause);
        }
        DrainedWork lost = drained;
        if (lost != null && removed) { // what a closed channel has lost, the drain sees itself
            drained = lost.abandonCurrent();
        }
    }

    private Throwable causeOfEnd() {
        if (!removed) {
            return UnsentMessage.causeOfClosed(ctx.getChannel());
        }
        try {
            return new IOException("the handler was removed before the message was written");
        } catch (Error withoutMemory) {
            return withoutMemory;
        }
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        this.ctx = ctx;
        removed = false;
    }

    /** Fails all messages queued in this handler. */
    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        removed = true;
        draining.request();
    }

    @Override
    public void explain(ChannelHandlerContext ctx, Explanation out) {
        out.put("messages waiting", queue.size() + (reading == null ? 0 : 1));
    }
}
