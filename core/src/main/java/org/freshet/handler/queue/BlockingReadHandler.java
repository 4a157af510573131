package org.freshet.handler.queue;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.DefaultChannelFuture;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.UpstreamChannelStateEvent;
import org.freshet.internal.IoThreadBound;

/**
 * Lets threads other than the channel's I/O thread read messages by blocking. Put it at the top of the pipeline:
 * messages, exceptions and the end of the channel go into a queue and no further.
 *
 * <pre>{@code
 * BlockingReadHandler<ChannelBuffer> reader = new BlockingReadHandler<>();
 * bootstrap.getPipeline().addLast("reader", reader);
 * ...
 * for (ChannelBuffer message = reader.read(); message != null; message = reader.read()) {
 *     ...
 * }
 * }</pre>
 *
 * <p>The queue is unbounded unless you pass your own. A bounded queue, while full, blocks the channel's I/O thread and
 * with it all channels of that thread.
 *
 * <p>Any number of threads may read. Each message goes to one of them, the end of the channel to all.
 *
 * <p>Removing the handler from a channel's pipeline ends the input for its readers, like the end of the channel. To
 * read again, add a new one.
 *
 * <p>If your queue throws when a message is added, that message is lost. The exception becomes an
 * {@code exceptionCaught} event that readers receive, unless the queue throws again. An interrupt of the I/O thread
 * loses a message only while the queue is full.
 *
 * @param <E> the type of messages; not checked
 */
public class BlockingReadHandler<E> extends SimpleChannelUpstreamHandler implements LifeCycleAwareChannelHandler {
    /** Once the end of the input is in here, it wakes waiting threads: each puts it back for the next. */
    private final BlockingQueue<ChannelEvent> queue;

    /** Null until the first event. */
    private volatile Channel channel;

    /**
     * Set before the end is put into the queue, because the queue may reject it or, on removal, be full. Null before
     * that.
     */
    private volatile ChannelEvent end;

    /** The handler was removed while the queue was full, so the reader of the last message adds the end. */
    private volatile boolean wasFull;

    public BlockingReadHandler() {
        this(new LinkedBlockingQueue<>());
    }

    /** Creates a handler with your own queue. It must be empty and used for nothing else. */
    public BlockingReadHandler(BlockingQueue<ChannelEvent> queue) {
        this.queue = Objects.requireNonNull(queue, "queue");
    }

    protected BlockingQueue<ChannelEvent> getQueue() {
        return queue;
    }

    /**
     * Returns whether the channel is closed or this handler was removed from it. There may still be messages to read.
     */
    public boolean isClosed() {
        return end != null;
    }

    /**
     * Waits for the next message.
     *
     * @return null at the end, when the channel is closed and everything has been read
     * @throws IOException its cause is an exception caught in the pipeline; you can continue reading
     * @throws IllegalStateException if called on the channel's I/O thread, which would wait for itself
     */
    public E read() throws IOException, InterruptedException {
        return message(readEvent());
    }

    /**
     * Waits for the next message for a limited time. Otherwise the same as {@link #read()}.
     *
     * @throws BlockingReadTimeoutException if neither a message nor the end arrives in time
     */
    public E read(long timeout, TimeUnit unit) throws IOException, InterruptedException {
        return message(readEvent(timeout, unit));
    }

    /**
     * Waits for the next message or exception.
     *
     * @return a {@link MessageEvent} or {@link ExceptionEvent}; null at the end, when the channel is closed and
     *     everything has been read
     * @throws IllegalStateException if called on the channel's I/O thread, which would wait for itself
     */
    public ChannelEvent readEvent() throws InterruptedException {
        refuseIoThread();
        return isAtEnd() ? null : unlessEnd(queue.take());
    }

    /**
     * Waits for the next message or exception for a limited time. Otherwise the same as {@link #readEvent()}.
     *
     * @throws BlockingReadTimeoutException if neither arrives in time, nor the end
     */
    public ChannelEvent readEvent(long timeout, TimeUnit unit)
            throws InterruptedException, BlockingReadTimeoutException {
        refuseIoThread();
        if (isAtEnd()) {
            return null;
        }
        ChannelEvent e = queue.poll(timeout, unit);
        if (e == null) {
            throw new BlockingReadTimeoutException("nothing was received within " + timeout + " " + unit);
        }
        return unlessEnd(e);
    }

    private void refuseIoThread() {
        if (DefaultChannelFuture.isUseDeadLockChecker()
                && channel instanceof IoThreadBound bound
                && bound.inIoThread()) {
            throw new IllegalStateException(
                    "reading on the I/O thread of " + channel + ", the only thread that can receive messages");
        }
    }

    /** True even if the queue did not take the end. */
    private boolean isAtEnd() {
        return end != null && queue.isEmpty();
    }

    private ChannelEvent unlessEnd(ChannelEvent e) {
        if (e instanceof ChannelStateEvent) {
            queue.offer(e); // there is space: this was the last element
            return null;
        }
        if (wasFull && queue.isEmpty()) {
            queue.offer(end); // other readers may be waiting for it
        }
        return e;
    }

    private E message(ChannelEvent e) throws IOException {
        if (e instanceof ExceptionEvent exception) {
            throw new IOException("caught on " + exception.getChannel(), exception.getCause());
        }
        @SuppressWarnings("unchecked")
        E message = e == null ? null : (E) ((MessageEvent) e).getMessage();
        return message;
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        enqueue(e);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) throws Exception {
        enqueue(e);
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        end = e;
        enqueue(e);
    }

    /**
     * Unlike the end of a channel, this never waits for space. A draft pipeline, without a channel, has no readers to
     * wake.
     */
    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        if (ctx.getPipeline().isAttached() && end == null) {
            Channel left = ctx.getChannel();
            end = new UpstreamChannelStateEvent(left, ChannelState.OPEN, Boolean.FALSE);
            wasFull = true; // set before the offer, so a reader that takes the last message in between adds the end
            wasFull = !queue.offer(end);
        }
    }

    private void enqueue(ChannelEvent e) throws InterruptedException {
        channel = e.getChannel();
        if (!queue.offer(e)) { // unlike put(), it ignores interrupts
            queue.put(e);
        }
    }
}
