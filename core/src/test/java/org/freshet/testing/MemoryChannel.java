package org.freshet.testing;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.AbstractChannel;
import org.freshet.channel.AbstractChannelSink;
import org.freshet.channel.ChannelConfig;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.ChildChannelStateEvent;
import org.freshet.channel.DefaultChannelConfig;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OutputShutdown;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteMarks;
import org.freshet.channel.WriteOverflow;

/**
 * A channel that behaves like one of a transport but transfers no bytes, for tests of handlers. The test plays the
 * transport.
 *
 * <pre>{@code
 * MemoryChannel channel = MemoryChannel.connected(handler);   // open, bound and connected have gone up
 * channel.receive(message);                                   // up through the handlers ...
 * assertEquals(List.of(decoded), channel.takeReceived());     // ... and what came out at the top
 * channel.write(message);
 * assertEquals(List.of(encoded), channel.takeWritten());      // what came out at the bottom, and has succeeded
 * }</pre>
 *
 * <p>All events that reach the top are kept, so none is unhandled. Requests are carried out immediately, on the calling
 * thread. {@link #holdWrites} leaves writes pending until {@link #completeWrites} or {@link #failWrites}, and {@link
 * #holdTasks} keeps tasks for the I/O thread until {@link #runTasks}. Any thread may call this.
 */
public final class MemoryChannel extends AbstractChannel implements WriteMarks {
    private static final int CONGESTION_BYTES = 128 * 1024;

    /** Whether the transport acts as if it were full. */
    private boolean isCongested;

    private int limitBytes;

    /** What a write beyond the limit does. */
    private WriteOverflow overflow = WriteOverflow.CLOSE;

    /**
     * A pending write, with its size when it was made: a test may read the buffer before the write completes.
     *
     * @param length of the message
     */
    private record Unanswered(MessageEvent event, long chargedBytes, int length) {
        static Unanswered of(MessageEvent e) {
            int length = e.getMessage() instanceof ChannelBuffer buffer ? buffer.readableBytes() : 1;
            return new Unanswered(e, WriteAccount.bytesOf(e.getMessage()), length);
        }
    }

    private static final SocketAddress LOCAL = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    private static final SocketAddress REMOTE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 2);

    private final ChannelConfig config = new DefaultChannelConfig() {
        @Override
        public <T> T getOption(ChannelOption<T> option) {
            return option == ChannelOption.WRITE_OVERFLOW ? option.type().cast(overflow) : super.getOption(option);
        }
    };
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Queue<ChannelEvent> upstream = new ConcurrentLinkedQueue<>();
    private final Queue<ChannelEvent> downstream = new ConcurrentLinkedQueue<>();
    private final Queue<Object> received = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> caught = new ConcurrentLinkedQueue<>();
    private final Queue<Object> written = new ConcurrentLinkedQueue<>();
    private final Queue<Unanswered> unanswered = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private volatile boolean holdsWrites;
    private volatile boolean holdsTasks;
    private volatile boolean closesAfterEnd;

    /** The memory for tasks of the I/O thread; null for no limit. */
    private volatile Scarcity scarcity;

    private volatile SocketAddress localAddress;
    private volatile SocketAddress remoteAddress;

    /** An open channel whose open event has been sent up. A factory is only stored, for {@link #getFactory}. */
    MemoryChannel(ChannelFactory factory, ChannelPipeline pipeline) {
        super(null, factory, pipeline, new Transport());
        pipeline.addLast("keeper of a MemoryChannel", (ChannelUpstreamHandler) (ctx, e) -> onTop(e));
        Accounts.watch(this);
        Channels.fireChannelOpen(this);
    }

    /** The end of a test: runs the kept tasks and closes, even if a handler keeps requests to close to itself. */
    void end() {
        holdsTasks = false;
        onClose();
        runTasks();
    }

    /** Whether the pipeline has any handler but the keeper. */
    boolean hasHandlers() {
        return getPipeline().getNames().size() > 1;
    }

    /** A channel that is neither bound nor connected. */
    public static MemoryChannel open(ChannelHandler... handlers) {
        return new MemoryChannel(null, Channels.pipeline(handlers));
    }

    public static MemoryChannel connected(ChannelHandler... handlers) {
        return connected(REMOTE, handlers);
    }

    public static MemoryChannel connected(SocketAddress remoteAddress, ChannelHandler... handlers) {
        MemoryChannel channel = open(handlers);
        channel.connect(remoteAddress);
        return channel;
    }

    /** The handler's context in this channel's pipeline. */
    public ChannelHandlerContext context(ChannelHandler handler) {
        return getPipeline().getContext(handler);
    }

    // ---- the transport's part, played by the test ----

    /** Receives a message from the peer. */
    public void receive(Object message) {
        Channels.fireMessageReceived(this, message);
    }

    /** From now on writes stay pending. */
    public MemoryChannel holdWrites() {
        holdsWrites = true;
        return this;
    }

    /** The number of pending writes. */
    public int unansweredWrites() {
        return unanswered.size();
    }

    /** Completes the writes pending so far, in order; writes that they cause become pending. */
    public void completeWrites() {
        completeWrites(unanswered.size());
    }

    /** Completes the first {@code count} pending writes. */
    public void completeWrites(int count) {
        for (int i = 0; i < count; i++) {
            complete(unanswered.remove());
        }
    }

    /** Fails the writes pending so far, in order; writes that they cause become pending. */
    public void failWrites(Throwable cause) {
        for (int i = unanswered.size(); i > 0; i--) {
            Unanswered failed = unanswered.remove();
            releaseWrite(failed.chargedBytes);
            failed.event.getFuture().setFailure(cause);
        }
    }

    /** Simulates a transport backlog large enough to make the channel unwritable, or removes it. */
    public void turnWritable(boolean writable) {
        if (writable == isCongested) {
            isCongested = !writable;
            if (writable) {
                releaseWrite(CONGESTION_BYTES);
            } else {
                admitWrite(CONGESTION_BYTES);
            }
            updateWritability();
            if (writable && !isWritable()) { // handlers keep it so: they hear that something was sent
                Channels.fireWriteComplete(this, CONGESTION_BYTES);
            }
        }
    }

    @Override
    public int highWaterMark() {
        return 64 * 1024;
    }

    @Override
    public int lowWaterMark() {
        return 32 * 1024;
    }

    /** The largest backlog; a write beyond it closes the channel. */
    public MemoryChannel limit(int bytes) {
        return limit(bytes, WriteOverflow.CLOSE);
    }

    public MemoryChannel limit(int bytes, WriteOverflow beyond) {
        limitBytes = bytes;
        overflow = beyond;
        return this;
    }

    @Override
    public int limitBytes() {
        return limitBytes;
    }

    /** From now on tasks for the I/O thread are kept. */
    public MemoryChannel holdTasks() {
        holdsTasks = true;
        return this;
    }

    /** From now on the I/O thread runs out of memory for its tasks. */
    public MemoryChannel scarceTasks(Scarcity scarcity) {
        this.scarcity = scarcity;
        return this;
    }

    /** Runs the kept tasks on the calling thread, and the tasks they cause. Returns how many there were. */
    public int runTasks() {
        int count = 0;
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
            count++;
        }
        return count;
    }

    // ---- what came out of the pipeline ----

    /** The messages that reached the top since the last call. */
    public List<Object> takeReceived() {
        return take(received);
    }

    /** The exceptions that reached the top since the last call. */
    public List<Throwable> takeCaught() {
        return take(caught);
    }

    /** All events that reached the top since the last call. */
    public List<ChannelEvent> takeUpstream() {
        return take(upstream);
    }

    /** The messages that reached the bottom since the last call, completed or not. */
    public List<Object> takeWritten() {
        return take(written);
    }

    /** All events that reached the bottom since the last call. */
    public List<ChannelEvent> takeDownstream() {
        return take(downstream);
    }

    private static <T> List<T> take(Queue<T> queue) {
        List<T> taken = new ArrayList<>();
        for (T next = queue.poll(); next != null; next = queue.poll()) {
            taken.add(next);
        }
        return taken;
    }

    private void onTop(ChannelEvent e) {
        upstream.add(e);
        if (e instanceof MessageEvent message) {
            received.add(message.getMessage());
        } else if (e instanceof ExceptionEvent exception) {
            caught.add(exception.getCause());
        } else if (e instanceof ChildChannelStateEvent child) {
            Accounts.watchClosed(child.getChildChannel());
        }
    }

    private void onBottom(ChannelEvent e) {
        downstream.add(e);
        if (e instanceof MessageEvent write) {
            onWrite(write);
        } else if (e instanceof ChannelStateEvent request) {
            onRequest(request);
        } else {
            throw new AssertionError("an event that no transport understands: " + e);
        }
    }

    private void onWrite(MessageEvent e) {
        if (!isOpen()) {
            e.getFuture().setFailure(new ClosedChannelException());
            return;
        }
        Unanswered write = Unanswered.of(e);
        Exception refusal = admitWrite(write.chargedBytes);
        if (refusal != null) {
            e.getFuture().setFailure(refusal);
            return;
        }
        if (!closesAfterEnd || e.getMessage() != OutputShutdown.INSTANCE) {
            written.add(e.getMessage());
        }
        updateWritability();
        if (holdsWrites) {
            unanswered.add(write);
        } else {
            complete(write);
        }
    }

    private void complete(Unanswered write) {
        MessageEvent e = write.event;
        releaseWrite(write.chargedBytes);
        e.getFuture().setSuccess();
        updateWritability();
        Channels.fireWriteComplete(this, write.length);
        if (closesAfterEnd && e.getMessage() == OutputShutdown.INSTANCE) {
            close();
        }
    }

    /**
     * From now on the peer closes as soon as the output of this side ends. The end is not one of the recorded messages.
     */
    public MemoryChannel closeAfterEnd() {
        closesAfterEnd = true;
        return this;
    }

    private void onRequest(ChannelStateEvent e) {
        ChannelFuture future = e.getFuture();
        Object value = e.getValue();
        switch (e.getState()) {
            case BOUND -> {
                future.setSuccess();
                onBound((SocketAddress) value);
            }
            case CONNECTED -> {
                future.setSuccess();
                onConnected((SocketAddress) value);
            }
            case INTEREST_OPS -> {
                setInternalInterestOps((Integer) value);
                future.setSuccess();
                Channels.fireChannelInterestChanged(this);
            }
            case OPEN -> {
                onClose();
                future.setSuccess();
            }
        }
    }

    private void onBound(SocketAddress address) {
        localAddress = address;
        if (address != null) {
            Channels.fireChannelBound(this, address);
        } else {
            Channels.fireChannelUnbound(this);
        }
    }

    private void onConnected(SocketAddress address) {
        if (address == null) {
            onClose();
            return;
        }
        if (localAddress == null) {
            onBound(LOCAL);
        }
        remoteAddress = address;
        Channels.fireChannelConnected(this, address);
    }

    /** Events come in the same order as with a transport: pending writes fail before handlers are notified. */
    private void onClose() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        boolean wasConnected = isConnected();
        boolean wasBound = isBound();
        remoteAddress = null;
        localAddress = null;
        setClosed();
        failWrites(new ClosedChannelException());
        if (isCongested) {
            isCongested = false;
            releaseWrite(CONGESTION_BYTES);
        }
        if (wasConnected) {
            Channels.fireChannelDisconnected(this);
        }
        if (wasBound) {
            Channels.fireChannelUnbound(this);
        }
        Channels.fireChannelClosed(this);
        Accounts.forgetSettled(this);
    }

    @Override
    public ChannelConfig getConfig() {
        return config;
    }

    @Override
    public boolean isBound() {
        return localAddress != null;
    }

    @Override
    public boolean isConnected() {
        return remoteAddress != null;
    }

    @Override
    public SocketAddress getLocalAddress() {
        return localAddress;
    }

    @Override
    public SocketAddress getRemoteAddress() {
        return remoteAddress;
    }

    private static final class Transport extends AbstractChannelSink {
        @Override
        public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {
            ((MemoryChannel) pipeline.getChannel()).onBottom(e);
        }

        @Override
        public ChannelFuture execute(ChannelPipeline pipeline, Runnable task) {
            MemoryChannel channel = (MemoryChannel) pipeline.getChannel();
            Scarcity scarcity = channel.scarcity;
            if (scarcity != null) {
                scarcity.step();
            }
            if (!channel.holdsTasks) {
                return super.execute(pipeline, task);
            }
            ChannelFuture future = Channels.future(channel);
            channel.tasks.add(() -> {
                try {
                    task.run();
                    future.setSuccess();
                } catch (RuntimeException | Error e) {
                    future.setFailure(e);
                }
            });
            return future;
        }
    }
}
