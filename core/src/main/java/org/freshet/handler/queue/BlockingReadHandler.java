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
 * Lets any thread but the channel's own read messages by waiting for them. It belongs at the top of the pipeline: what is
 * received, caught exceptions and the end of the channel go into a queue and no further.
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
 * <p>The queue is unbounded unless another one is given. A bounded one holds up the channel's I/O thread, and with it all
 * channels of that thread, while it is full.
 *
 * <p>Any number of threads may read; each message goes to one of them, the end of the channel to all.
 *
 * <p>Removing the handler from a channel's pipeline ends the input for its readers, as the end of the channel does. Add a new one to
 * read again.
 *
 * <p>If a given queue throws when it is to take a message, that message is lost; what it threw becomes an {@code exceptionCaught}
 * event, which readers get unless the queue throws again. An interrupt of the I/O thread loses a message only while the queue is full.
 *
 * @param <E> what messages are; not checked
 */
public class BlockingReadHandler<E> extends SimpleChannelUpstreamHandler implements LifeCycleAwareChannelHandler {
    /** The end of the input, once it is in here, wakes the threads that wait: each puts it back for the next. */
    private final BlockingQueue<ChannelEvent> queue;

    /** Null until the first event. */
    private volatile Channel channel;

    /** Set before the end is put into the queue, which may fail to take it or, on removal, be full. Null before. */
    private volatile ChannelEvent end;

    /** The handler was removed while the queue was full, so the reader of the last message adds the end. */
    private volatile boolean wasFull;

    public BlockingReadHandler() {
        this(new LinkedBlockingQueue<>());
    }

    /** Makes a handler with a queue of the user's, which is empty and used for nothing else. */
    public BlockingReadHandler(BlockingQueue<ChannelEvent> queue) {
        this.queue = Objects.requireNonNull(queue, "queue");
    }

    protected BlockingQueue<ChannelEvent> getQueue() {
        return queue;
    }

    /** Whether the channel is closed or this handler was removed from it. There may still be messages to read. */
    public boolean isClosed() {
        return end != null;
    }

    /**
     * Waits for the next message.
     *
     * @return null at the end, when the channel is closed and everything was read
     * @throws IOException whose cause is an exception that was caught in the pipeline; reading can go on
     * @throws IllegalStateException on the channel's I/O thread, which would wait for itself
     */
    public E read() throws IOException, InterruptedException {
        return message(readEvent());
    }

    /**
     * Waits for the next message, for a limited time; otherwise as {@link #read()}.
     *
     * @throws BlockingReadTimeoutException if there is neither a message nor the end in time
     */
    public E read(long timeout, TimeUnit unit) throws IOException, InterruptedException {
        return message(readEvent(timeout, unit));
    }

    /**
     * Waits for the next message or exception.
     *
     * @return a {@link MessageEvent} or {@link ExceptionEvent}; null at the end, when the channel is closed and
     *     everything was read
     * @throws IllegalStateException on the channel's I/O thread, which would wait for itself
     */
    public ChannelEvent readEvent() throws InterruptedException {
        refuseIoThread();
        return isAtEnd() ? null : unlessEnd(queue.take());
    }

    /**
     * Waits for the next message or exception, for a limited time; otherwise as {@link #readEvent()}.
     *
     * @throws BlockingReadTimeoutException if there is neither of them nor the end in time
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
                    "reading on the I/O thread of " + channel + ", which alone can receive what is awaited");
        }
    }

    /** Whatever became of the end in the queue. */
    private boolean isAtEnd() {
        return end != null && queue.isEmpty();
    }

    private ChannelEvent unlessEnd(ChannelEvent e) {
        if (e instanceof ChannelStateEvent) {
            queue.offer(e); // there is room: this was the last element
            return null;
        }
        if (wasFull && queue.isEmpty()) {
            queue.offer(end); // other readers may wait for it
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

    /** Unlike the end of a channel, this never waits for room. A draft of a pipeline, which has no channel, has no readers to wake. */
    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        if (ctx.getPipeline().isAttached() && end == null) {
            Channel left = ctx.getChannel();
            end = new UpstreamChannelStateEvent(left, ChannelState.OPEN, Boolean.FALSE);
            wasFull = true; // perhaps: a reader that takes the last message looks after the others
            wasFull = !queue.offer(end);
        }
    }

    private void enqueue(ChannelEvent e) throws InterruptedException {
        channel = e.getChannel();
        if (!queue.offer(e)) { // which, unlike put(), heeds no interrupt
            queue.put(e);
        }
    }
}
