package org.freshet.channel.socket.nio;

import static org.freshet.channel.Channels.fireChannelInterestChanged;
import static org.freshet.channel.Channels.fireExceptionCaught;
import static org.freshet.channel.Channels.fireWriteComplete;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.ClosedChannelException;
import org.freshet.channel.AbstractChannel;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelSink;
import org.freshet.channel.MessageEvent;

/**
 * The writing half of stream and datagram channels: the queue, when it is sent, and its water marks. {@link NioChannel} is the other
 * half; one object, so that a connection costs no more.
 *
 * <p>Threading: {@link #write} may be called from anywhere; fields marked "Loop only." belong to the loop. Methods named {@code onX}
 * run on the loop.
 *
 * <p>The way of a write:
 *
 * <pre>
 *   write() on the loop ----&gt; queue --- own read ends, or the turn ends, or 64 KiB are pending ---&gt; flush
 *   write() elsewhere ------&gt; inbox --- one task a channel is under way, however many writes -----&gt; flush
 *   flush: send until the queue is empty, or the kernel takes no more (then OP_WRITE), or the turn's share is used up
 * </pre>
 */
abstract class WritingChannel extends AbstractChannel {
    /** What a send ended with. */
    enum SendResult {
        /** Nothing is left. */
        DRAINED,
        /** The kernel takes no more now. */
        BLOCKED,
        /** The channel has had its share of the turn. */
        SHARE_USED
    }

    /** Pending bytes past which a write on the loop does not wait for the end of the turn. */
    private static final int FLUSH_AT_ONCE_BYTES = 64 * 1024;

    /** Flushes within one another, by handlers that write when they hear of a flush; further writes wait for the turn's end. */
    private static final int MAX_NESTED_FLUSHES = 8;

    /** So that many small writes leave before a close, but the loop does not wait for a fast peer to take a large file. */
    private static final int MAX_SHARES_AT_END = 64;

    private static final VarHandle FLUSH_REQUESTED;
    private static final VarHandle CONGESTION;

    /** Pending bytes are below the high water mark, or were not yet counted above it; a byte for want of room for an enum. */
    private static final byte CLEAR = 0;

    /** Some thread is making the channel unwritable, and asks for a flush afterwards. */
    private static final byte MARKING = 1;

    /** The channel has become unwritable by it, of which handlers are to be told. */
    private static final byte UNANNOUNCED = 2;

    /** Handlers were told, or knew the channel as unwritable before. */
    private static final byte CONGESTED = 3;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            FLUSH_REQUESTED = lookup.findVarHandle(WritingChannel.class, "flushRequested", boolean.class);
            CONGESTION = lookup.findVarHandle(WritingChannel.class, "congestion", byte.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final NioLoop loop;
    private final WriteQueue writes = new WriteQueue();

    /** Whether a flush task of another thread is on its way to the loop. */
    @SuppressWarnings("unused") // through FLUSH_REQUESTED
    private volatile boolean flushRequested;

    /**
     * Whether pending bytes went above the high water mark and not yet below the low one again: {@link #CLEAR} and so on, in turn.
     * Whoever sets {@link #MARKING} takes the next step; the loop takes those after it.
     */
    private volatile byte congestion;

    /** Loop only. Whether the channel waits for the end of the turn to flush. */
    private boolean flushScheduled;

    /** Loop only. Whether a flush is under way, so that its listeners' writes join it. */
    private boolean flushing;

    /** Loop only. Flushes under way that are in a handler, one within the other. */
    private byte nestedFlushes;

    /** Loop only. Whether {@link #onReadable} is under way, which flushes at its end. */
    private boolean reading;

    WritingChannel(Channel parent, ChannelFactory factory, ChannelPipeline pipeline, ChannelSink sink, NioLoop loop) {
        super(parent, factory, pipeline, sink);
        this.loop = loop;
    }

    // ---- what the other half and the kinds of channels supply, on the loop
    // ---------------------------------------------

    /** Sends from the queue's head, completing each request that has left; at most {@code maxSends} system calls. */
    abstract SendResult onSend(WriteQueue queue, FlushTotal total) throws IOException;

    /** Why nothing can be sent now, or null when the channel is able to. Loop only. */
    abstract Exception onCheckSendable();

    abstract boolean isCoalescing();

    abstract void onRead() throws IOException;

    /** Whether the kernel is known to take nothing now. */
    abstract boolean isAwaitingWritable();

    /** Has {@link #onWritable} be called once the kernel takes more, or not any more. */
    abstract void awaitWritable(boolean wanted);

    /** Whether a close was asked for or done. */
    abstract boolean isClosing();

    /** From now on nothing is read, and what is written fails. */
    abstract void onClosing();

    /** Closes at the end of the turn. */
    abstract void askClose(ChannelFuture future);

    /** Something failed while the loop worked on this channel: it is closed alone. */
    abstract void onFailed(Throwable cause);

    @Override
    public abstract NioChannelConfig getConfig();

    final NioLoop loop() {
        return loop;
    }

    // ---- writing ----------------------------------------------------------------------------------------------------

    /** Queues a message; any thread. A message of a wrong type fails its own future. */
    final void write(MessageEvent event) {
        WriteRequest request;
        try {
            request = WriteRequest.of(event);
        } catch (IllegalArgumentException e) {
            event.getFuture().setFailure(e);
            loop.execute(() -> fireExceptionCaught(this, e));
            return;
        }
        if (loop.inLoop()) {
            onWrite(request);
        } else {
            countPending(request);
            writes.push(request);
            requestFlush();
        }
    }

    private void onWrite(WriteRequest request) {
        if (isClosing()) {
            request.complete(new ClosedChannelException());
            return;
        }
        countPending(request);
        writes.append(request);
        if (flushing) {
            return; // the flush under way takes it along
        }
        boolean isUrgent = !isCoalescing() || writes.pendingBytes() >= FLUSH_AT_ONCE_BYTES;
        if (isUrgent && nestedFlushes < MAX_NESTED_FLUSHES) {
            onFlush();
        } else if (!reading) {
            scheduleFlush();
        }
    }

    private void countPending(WriteRequest request) {
        long bytes = request.pendingBytes();
        if (bytes > 0 && writes.addPending(bytes) > getConfig().getWriteBufferHighWaterMark()) {
            markCongested();
        }
    }

    private void markCongested() {
        if (congestion == CLEAR && CONGESTION.compareAndSet(this, CLEAR, MARKING)) {
            congestion = setUnwritable() ? UNANNOUNCED : CONGESTED;
        }
    }

    private void requestFlush() {
        if (FLUSH_REQUESTED.compareAndSet(this, false, true) && !loop.submit(this::onFlushRequested)) {
            failStranded();
        }
    }

    /** The loop is gone and nobody else will look at the inbox. */
    private void failStranded() {
        WriteRequest request = writes.takeStranded();
        while (request != null) {
            WriteRequest following = request.next;
            request.complete(new ClosedChannelException());
            request = following;
        }
        flushRequested = false;
        if (!writes.isEmpty()) {
            requestFlush();
        }
    }

    private void scheduleFlush() {
        if (!flushScheduled) {
            flushScheduled = true;
            loop.onWritten(this);
        }
    }

    /** At the end of the turn, as what the loop itself writes, so that a turn sends one share. */
    private void onFlushRequested() {
        flushRequested = false;
        scheduleFlush();
    }

    final void onFlushTurn() {
        flushScheduled = false;
        onFlush();
    }

    /** Sends what it can now, unless the kernel is known to take nothing. */
    final void onFlush() {
        assert loop.inLoop();
        nestedFlushes++;
        try {
            writes.takeInbox();
            if (writes.peek() != null && !flushing) {
                sendOrFail();
            }
            onPendingChanged();
        } finally {
            nestedFlushes--;
        }
    }

    private void sendOrFail() {
        Exception refusal = onCheckSendable();
        if (refusal != null) {
            failWrites(refusal);
        } else if (!isAwaitingWritable()) {
            send();
        }
    }

    private void send() {
        FlushTotal total = new FlushTotal();
        flushing = true;
        try {
            onSent(onSend(writes, total));
        } catch (Throwable t) { // also an Error out of a user's buffer or file region
            onSendFailed(t);
        } finally {
            flushing = false;
        }
        announceSent(total);
    }

    private void onSent(SendResult result) {
        switch (result) {
            case DRAINED -> awaitWritable(false);
            case BLOCKED -> awaitWritable(true);
            case SHARE_USED -> {
                awaitWritable(false);
                scheduleFlush();
            }
        }
    }

    /** The stream is broken in the middle of the oldest message: that one gets the cause, the others follow. */
    private void onSendFailed(Throwable cause) {
        onClosing();
        if (writes.peek() != null) {
            writes.remove().complete(cause);
        }
        failWrites(new ClosedChannelException());
        fireExceptionCaught(this, cause);
        askClose(getCloseFuture());
    }

    /** Reads, and then sends what was written meanwhile. */
    final void onReadable() throws IOException {
        reading = true;
        try {
            onRead();
        } finally {
            reading = false;
        }
        if (!writes.isEmpty()) {
            onFlush();
        }
    }

    final void onWritable() {
        awaitWritable(false);
        onFlush();
    }

    /** Fails everything queued, also what listeners add meanwhile. */
    final void failWrites(Exception cause) {
        for (writes.takeInbox(); writes.peek() != null; writes.takeInbox()) {
            writes.remove().complete(cause);
        }
    }

    /** Tells handlers of congestion and of its end, each time once and in this order, where it makes a difference. */
    private void onPendingChanged() {
        byte state = congestion;
        if (state == CLEAR || state == MARKING) {
            return;
        }
        if (state == UNANNOUNCED) {
            congestion = CONGESTED;
            fireChannelInterestChanged(this);
        }
        if (writes.pendingBytes() <= getConfig().getWriteBufferLowWaterMark()) {
            onRelieved();
        }
    }

    private void onRelieved() {
        boolean changed = setWritable();
        congestion = CLEAR;
        // A writer that saw the old flag has not marked its excess.
        if (writes.pendingBytes() > getConfig().getWriteBufferHighWaterMark()) {
            markCongested();
        }
        if (changed) {
            fireChannelInterestChanged(this);
        }
    }

    /** One attempt to send what is queued, before a close or a disconnect; the rest is the caller's to fail. */
    final void flushBeforeEnd() {
        writes.takeInbox();
        if (writes.peek() == null) {
            return;
        }
        FlushTotal total = new FlushTotal();
        flushing = true;
        try {
            SendResult result = SendResult.SHARE_USED;
            for (int i = 0; i < MAX_SHARES_AT_END && result == SendResult.SHARE_USED; i++) {
                result = onSend(writes, total);
            }
        } catch (Throwable t) {
            if (writes.peek() != null) {
                writes.remove().complete(t);
            }
        } finally {
            flushing = false;
        }
        announceSent(total);
    }

    private void announceSent(FlushTotal total) {
        if (total.bytes > 0) {
            fireWriteComplete(this, total.bytes);
        }
    }

    /** Bytes sent by one flush. */
    static final class FlushTotal {
        long bytes;
    }
}
