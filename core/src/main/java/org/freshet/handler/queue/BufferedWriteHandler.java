package org.freshet.handler.queue;

import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OutputShutdown;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.internal.ActsOn;
import org.freshet.internal.HoldsOutput;
import org.freshet.internal.handler.CoalescedTask;
import org.freshet.internal.handler.HeldWrite;
import org.freshet.internal.handler.Holding;
import org.freshet.internal.handler.UnsentMessage;

/**
 * Holds writes back until {@link #flush()}, to send many small messages together or in an order you choose.
 *
 * <p>Freshet's transports already send together everything written in one loop iteration; with this handler you decide
 * when. It also flushes before the channel is disconnected or closed or its output is shut down, before the handler is
 * removed, and while the channel is being drained. When the messages held exceed the channel's
 * {@code writeBufferLimit}, it flushes too; the limit then applies to what the transport does not take. Messages still
 * held when the channel has closed fail with {@link ClosedChannelException}.
 *
 * <p>With <em>consolidation</em>, consecutive buffers of one byte order for the same receiver are sent as one message,
 * and each gets its outcome. Don't modify the buffers until then.
 *
 * <p>Threading: any thread may write and flush. One thread at a time moves messages from the queue down the pipeline; a
 * concurrent flush leaves its messages to that thread and returns.
 */
@SuppressWarnings("exports") // HoldsOutput is exported to Freshet's modules only
@ActsOn({})
public class BufferedWriteHandler extends SimpleChannelHandler implements LifeCycleAwareChannelHandler, HoldsOutput {
    private final Queue<MessageEvent> queue;
    private final Holding held = new Holding();
    private final boolean consolidateOnFlush;

    /**
     * Requests to disconnect, to close or to shut down the output. Each is sent down after the messages written before
     * it.
     */
    private final Queue<ChannelEvent> endings = new ConcurrentLinkedQueue<>();

    private final CoalescedTask flushing = new CoalescedTask(this::sendAll);

    /** Messages taken from the queue to be sent as one. Used within {@link #flushing} only; empty between two runs. */
    private final ArrayList<MessageEvent> batch = new ArrayList<>(1);

    /** The mode requested by the last flush. */
    private volatile boolean consolidate;

    /** Null until the handler is in a pipeline. */
    private volatile ChannelHandlerContext place;

    /** The handler has left the pipeline, so writes are no longer held. */
    private volatile boolean removed;

    /** The channel is being drained, so writes are no longer held. */
    private volatile boolean isDrained;

    /** Holds messages in the order written, without consolidation. */
    public BufferedWriteHandler() {
        this(false);
    }

    /** Holds messages in your own queue, without consolidation. */
    public BufferedWriteHandler(Queue<MessageEvent> queue) {
        this(queue, false);
    }

    /** Holds messages in the order written. */
    public BufferedWriteHandler(boolean consolidateOnFlush) {
        this(new ConcurrentLinkedQueue<>(), consolidateOnFlush);
    }

    /**
     * Holds messages in your own queue; its order is the order of sending.
     *
     * @param queue must be safe for all threads that write and flush
     * @param consolidateOnFlush whether {@link #flush()} consolidates, as well as the flush before the channel is
     *     closed
     */
    public BufferedWriteHandler(Queue<MessageEvent> queue, boolean consolidateOnFlush) {
        this.queue = Objects.requireNonNull(queue, "queue");
        this.consolidateOnFlush = consolidateOnFlush;
        this.consolidate = consolidateOnFlush;
    }

    public boolean isConsolidateOnFlush() {
        return consolidateOnFlush;
    }

    protected Queue<MessageEvent> getQueue() {
        return queue;
    }

    /** Sends all held messages, consolidated if the handler was created that way. */
    public void flush() {
        flush(consolidateOnFlush);
    }

    /** Sends all held messages. Does nothing while this handler is in no pipeline. */
    public void flush(boolean consolidateOnFlush) {
        consolidate = consolidateOnFlush;
        if (place != null) {
            flushing.request();
        }
    }

    private void sendAll() {
        ChannelEvent ending;
        do {
            ending = endings.peek(); // read first: the messages sent now were written before it
            sendMessages(consolidate);
            if (ending != null) {
                endings.poll(); // before it goes down, where it may fail
                place.sendDownstream(ending);
            }
        } while (ending != null);
    }

    private void sendMessages(boolean consolidated) {
        while (true) {
            if (!hasSpace()) {
                sendBatch();
            }
            MessageEvent e = queue.poll();
            if (e == null) {
                sendBatch();
                return;
            }
            if (!batch.isEmpty() && !(consolidated && canJoin(batch.get(0), e))) {
                sendBatch();
            }
            batch.add(e);
        }
    }

    /**
     * Returns whether the batch can take one more without allocating, so no message is lost between the queue and the
     * batch.
     */
    private boolean hasSpace() {
        try {
            batch.ensureCapacity(batch.size() + 1);
            return true;
        } catch (Error withoutMemory) {
            return false;
        }
    }

    /** A buffer of buffers has one byte order. */
    private static boolean canJoin(MessageEvent first, MessageEvent next) {
        try {
            return first.getMessage() instanceof ChannelBuffer one
                    && next.getMessage() instanceof ChannelBuffer other
                    && one.order() == other.order()
                    && Objects.equals(first.getRemoteAddress(), next.getRemoteAddress());
        } catch (RuntimeException | Error e) { // from a user's address or event
            return false;
        }
    }

    /**
     * Never throws: later messages must be sent, and only this can complete the futures of messages taken from the
     * queue.
     */
    private void sendBatch() {
        try {
            if (batch.size() > 1) {
                sendJoined();
            } else if (!batch.isEmpty()) {
                send(batch.get(0), HeldWrite.chargeOf(batch.get(0)));
            }
        } catch (VirtualMachineError withoutMemory) { // for joining; they can be sent separately
            for (int i = 0; i < batch.size(); i++) {
                send(batch.get(i), HeldWrite.chargeOf(batch.get(i)));
            }
        } catch (RuntimeException | Error e) { // from a user's buffer
            failBatch(e);
        }
        batch.clear();
    }

    private void sendJoined() {
        MessageEvent[] parts = batch.toArray(new MessageEvent[0]);
        ChannelBuffer[] buffers = new ChannelBuffer[parts.length];
        for (int i = 0; i < parts.length; i++) {
            buffers[i] = (ChannelBuffer) parts[i].getMessage();
        }
        ChannelFuture sent = Channels.future(place.getChannel());
        MessageEvent joined = new DownstreamMessageEvent(
                place.getChannel(), sent, ChannelBuffers.wrappedBuffer(buffers), parts[0].getRemoteAddress());
        sent.addListener(outcome -> {
            for (MessageEvent part : parts) {
                Holding.complete(part, outcome.getCause());
            }
        });
        send(joined, chargeOfBatch());
    }

    private void failBatch(Throwable cause) {
        held.release(place.getChannel(), chargeOfBatch());
        for (int i = 0; i < batch.size(); i++) { // without an iterator, which takes memory
            Holding.complete(batch.get(i), cause);
        }
        Holding.report(place, cause);
    }

    private long chargeOfBatch() {
        long charge = 0;
        for (int i = 0; i < batch.size(); i++) {
            charge += HeldWrite.chargeOf(batch.get(i));
        }
        return charge;
    }

    /** Never throws. */
    private void send(MessageEvent e, long charge) {
        try {
            held.passOn(place, e, charge);
        } catch (Throwable failure) { // from a handler below
            Holding.complete(e, failure);
            Holding.report(place, failure);
        }
    }

    private void failAll() {
        if (queue.isEmpty()) {
            return; // a writer that adds one now sees that the channel is closed
        }
        Throwable cause = UnsentMessage.causeOfClosed(place.getChannel()); // first: it takes memory
        for (MessageEvent e = queue.poll(); e != null; e = queue.poll()) {
            held.release(e.getChannel(), HeldWrite.chargeOf(e));
            UnsentMessage.release(e.getMessage());
            Holding.complete(e, cause);
        }
    }

    @Override
    public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        if (e.getMessage() == OutputShutdown.INSTANCE) {
            endings.add(e);
            flush(consolidateOnFlush);
            return;
        }
        if (!WriteAccount.hasRoomFor(e.getChannel(), WriteAccount.bytesOf(e.getMessage()))) {
            flush();
        }
        if (held.admitTo(queue, e) == null) {
            return;
        }
        if (!e.getChannel().isOpen()) {
            failAll(); // channelClosed may have run before this message was added
        } else if (removed || isDrained) {
            flush(); // removal may have happened in between; and nothing must be left when a drain closes the channel
        }
    }

    /** Not for users: the bytes waiting for a flush. */
    @Override
    public long heldBytes(Object channel) {
        return held.bytes();
    }

    @Override
    public void disconnectRequested(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        endings.add(e);
        flush(consolidateOnFlush);
    }

    @Override
    public void closeRequested(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        endings.add(e);
        flush(consolidateOnFlush);
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        failAll();
        ctx.sendUpstream(e);
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof DrainEvent) {
            isDrained = true;
            flush();
        }
        super.handleUpstream(ctx, e);
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        place = ctx;
        removed = false;
    }

    @Override
    public void beforeRemove(ChannelHandlerContext ctx) throws Exception {
        flush(consolidateOnFlush);
    }

    /** Sends messages written after {@link #beforeRemove}. */
    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        removed = true;
        flush(consolidateOnFlush);
    }
}
