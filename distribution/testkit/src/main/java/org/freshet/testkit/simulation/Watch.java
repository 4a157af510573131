package org.freshet.testkit.simulation;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.ChildChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.FileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.internal.IoThreadBound;

/**
 * The first handler of a channel; checks the rules that always hold. State events come in order and on the right
 * thread; every future completes once, and writes in their order; bytes have left when their write completes; and
 * nothing stalls that could make progress. For the thread that holds the {@link Baton}.
 */
public final class Watch implements ChannelUpstreamHandler, ChannelDownstreamHandler {
    /** The state of the channel according to its events. */
    private enum Life {
        NEW,
        OPEN,
        BOUND,
        CONNECTED,
        DISCONNECTED,
        UNBOUND,
        CLOSED
    }

    /** A request made to the channel. */
    private static final class Request {
        final String name;
        final ChannelFuture future;
        int completions;

        Request(String name, ChannelFuture future) {
            this.name = name;
            this.future = future;
        }
    }

    /**
     * A write. It may overlap with writes of other threads, and with those made by listeners it calls. Of two
     * overlapping writes, either may be sent first.
     */
    private static final class Write {
        final ChannelFuture future;
        final int begin;
        int end = Integer.MAX_VALUE;

        Write(ChannelFuture future, int begin) {
            this.future = future;
            this.begin = begin;
        }
    }

    private final String title;
    private final Simulation simulation;
    private final List<Request> requests = new ArrayList<>();

    /** Incomplete writes, oldest first. */
    private final Deque<Write> writes = new ArrayDeque<>();

    /** Numbers the starts and ends of writes. */
    private int lastMoment;

    private Life life = Life.NEW;
    private Channel channel;

    /** The total bytes of the writes that have succeeded. */
    private long written;

    /** The value of isWritable at the last channelInterestChanged; true before the first. */
    private boolean wasWritable = true;

    /** Whether a change of the interest in reading was requested; the same event announces it. */
    private boolean isReadingChanged;

    /** Null until connected. */
    private SimulatedSocket socket;

    /** 0 for no limit. */
    private long maxWaitingBytes;

    Watch(String title, Simulation simulation) {
        this.title = title;
        this.simulation = simulation;
    }

    /** Null before the first event. */
    public Channel channel() {
        return channel;
    }

    /** Returns whether a fault may have lost bytes of the connection, or it was never established. */
    public boolean isBroken() {
        return socket == null || socket.isBroken();
    }

    public boolean isClosed() {
        return life == Life.CLOSED;
    }

    /** Returns whether the other end of the connection is closed, reset or has vanished. */
    public boolean isPeerGone() {
        return socket != null && socket.isPeerGone();
    }

    /** Returns whether the connection was established. */
    public boolean wasConnected() {
        return socket != null;
    }

    /** Resets the connection, like the host of a program that dies with data unread. */
    public void reset() {
        if (socket != null) {
            socket.breakConnection();
        }
    }

    /** Cuts the connection: from now on nothing arrives at either end. */
    public void vanish() {
        if (socket != null) {
            socket.vanish();
        }
    }

    /**
     * Fails a run if more than this waits to be sent on the channel.
     *
     * @param bytes as counted by {@link WriteAccount#waitingBytes}; 0 for no limit
     */
    public void limitPendingBytes(long bytes) {
        maxWaitingBytes = bytes;
    }

    @Override
    public String toString() {
        return title + " (" + life + (channel == null ? ")" : ", " + channel.getCloseReason() + ")");
    }

    private void require(boolean condition, String message) {
        if (!condition) {
            fail(message);
        }
    }

    /** Takes a supplier because building the message would cost more than the check: this runs at each event. */
    private void require(boolean condition, Supplier<String> message) {
        if (!condition) {
            fail(message.get());
        }
    }

    private void fail(String message) {
        simulation.fail(title + " (" + life + "): " + message);
    }

    private void note(String what, long first, long second) {
        simulation.note(title, what, first, second);
    }

    // ---- upstream ---------------------------------------------------------------------------------------------------

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
        channel = e.getChannel();
        boolean mayComeLate = e instanceof ChildChannelStateEvent || e instanceof ExceptionEvent;
        require(life != Life.CLOSED || mayComeLate, () -> "event after channelClosed: " + e);
        boolean mayBeElsewhere = e instanceof ExceptionEvent failure && (life == Life.CLOSED || isOfHandler(failure));
        require(
                isOnLoop() || mayBeElsewhere || simulation.isStopping(),
                () -> "event not fired by the channel's loop: " + e);
        if (e instanceof MessageEvent message) {
            require(life == Life.CONNECTED, "message received while not connected");
            note("messageReceived", ((ChannelBuffer) message.getMessage()).readableBytes(), 0);
        } else if (e instanceof WriteCompletionEvent completion) {
            require(life != Life.NEW, "writeComplete before channelOpen");
            note("writeComplete", completion.getWrittenAmount(), 0);
        } else if (e instanceof ExceptionEvent failure) {
            note("exceptionCaught " + failure.getCause().getClass().getSimpleName(), 0, 0);
            simulation.onException(failure.getCause());
        } else if (e instanceof ChildChannelStateEvent) {
            note("child", 0, 0);
        } else if (e instanceof ChannelStateEvent state) {
            onState(state);
        }
        ctx.sendUpstream(e);
    }

    /** A handler's failure is reported on the thread on which it was thrown, a transport's on the loop. */
    private static boolean isOfHandler(ExceptionEvent failure) {
        return !(failure.getCause() instanceof IOException || failure.getCause() instanceof ChannelException);
    }

    private boolean isOnLoop() {
        return channel instanceof IoThreadBound bound && bound.inIoThread();
    }

    private void onState(ChannelStateEvent e) {
        boolean isBegin = e.getValue() != null && !Boolean.FALSE.equals(e.getValue());
        switch (e.getState()) {
            case OPEN -> {
                if (isBegin) {
                    enter(Life.OPEN, Life.NEW);
                    add("closed", channel.getCloseFuture());
                } else if (simulation.isStopping()) {
                    enter(Life.CLOSED, Life.OPEN, Life.UNBOUND, Life.NEW); // lost between boss and worker
                } else {
                    enter(Life.CLOSED, Life.OPEN, Life.UNBOUND);
                }
            }
            case BOUND -> {
                if (isBegin) {
                    enter(Life.BOUND, Life.OPEN);
                } else {
                    enter(Life.UNBOUND, Life.BOUND, Life.DISCONNECTED);
                }
            }
            case CONNECTED -> {
                if (isBegin) {
                    require(isConnectionKnown(), "channelConnected without a connection");
                    enter(Life.CONNECTED, Life.BOUND);
                } else {
                    enter(Life.DISCONNECTED, Life.CONNECTED);
                }
            }
            case INTEREST_OPS -> onInterest();
        }
    }

    /** Returns whether there is a connection. Handlers may write before channelConnected is fired. */
    private boolean isConnectionKnown() {
        if (socket == null && channel.getRemoteAddress() != null) {
            socket = simulation.kernel().connection(channel.getLocalAddress(), channel.getRemoteAddress());
        }
        return socket != null;
    }

    private void enter(Life next, Life... from) {
        require(List.of(from).contains(life), () -> "channel" + next + " out of order");
        life = next;
        note("channel " + next, 0, 0);
    }

    private void onInterest() {
        boolean isWritable = channel.isWritable();
        require(
                isWritable != wasWritable || isReadingChanged || simulation.setsWritability(),
                "channelInterestChanged, but isWritable() is still " + isWritable);
        wasWritable = isWritable;
        note("interestChanged", channel.isReadable() ? 1 : 0, isWritable ? 1 : 0);
    }

    // ---- downstream -------------------------------------------------------------------------------------------------

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) {
        simulation.rejectOutsider();
        channel = e.getChannel();
        if (e instanceof MessageEvent message) {
            onWrite(ctx, message);
            return;
        } else if (e instanceof ChannelStateEvent state) {
            note("request " + state.getState(), 0, 0);
            isReadingChanged |= state.getState() == ChannelState.INTEREST_OPS;
            add(state.getState().name(), e.getFuture());
        }
        ctx.sendDownstream(e);
    }

    private void onWrite(ChannelHandlerContext ctx, MessageEvent e) {
        long bytes = sizeOf(e.getMessage());
        note("request write", bytes, 0);
        Write write = new Write(e.getFuture(), ++lastMoment);
        writes.add(write);
        add("write", e.getFuture());
        e.getFuture().addListener(future -> onWritten(write, bytes));
        ctx.sendDownstream(e);
        write.end = ++lastMoment;
        checkWaiting();
    }

    private void checkWaiting() {
        long waiting = WriteAccount.waitingBytes(channel);
        require(
                maxWaitingBytes == 0 || waiting <= maxWaitingBytes,
                () -> waiting + " bytes wait to be sent, more than " + maxWaitingBytes);
    }

    private static long sizeOf(Object message) {
        return message instanceof ChannelBuffer buffer
                ? buffer.readableBytes()
                : message instanceof FileRegion region ? region.getCount() : 0;
    }

    private void onWritten(Write write, long bytes) {
        ChannelFuture future = write.future;
        if (future.isSuccess()) {
            require(
                    writes.stream().noneMatch(other -> other.end < write.begin),
                    "a write completed before an earlier one");
            written += bytes;
            require(
                    bytes == 0 || isConnectionKnown() && socket.out().accepted() >= written,
                    () -> "writes of " + written + " bytes have succeeded, but not all of these bytes have left");
        } else {
            require(!future.isCancelled(), "a write was cancelled although no caller did so");
        }
        writes.remove(write);
        note(future.isSuccess() ? "written" : "write failed", bytes, 0);
    }

    private void add(String name, ChannelFuture future) {
        Request request = new Request(name, future);
        requests.add(request);
        future.addListener(completed -> {
            request.completions++;
            require(completed.isDone(), () -> "a listener was called before its future was done: " + name);
            require(request.completions == 1, () -> "the future of " + name + " completed twice");
        });
    }

    // ---- when nothing happens ---------------------------------------------------------------------------------------

    /** Called when nothing happens any more, whether the channel is open or not. */
    void checkIdle() {
        if (channel == null || !channel.isOpen()) {
            checkClosed();
            return;
        }
        Set<String> mayWait = Set.of("closed", "write");
        for (Request request : requests) {
            require(
                    mayWait.contains(request.name) || request.future.isDone(),
                    () -> "nothing happens, but the future of " + request.name + " is not done");
        }
        if (life == Life.CONNECTED) {
            checkConnection();
        }
    }

    private void checkConnection() {
        require(
                writes.isEmpty() || socket.out().room() == 0,
                "nothing happens and the kernel takes bytes, but writes are waiting: " + writes.size());
        require(!channel.isReadable() || !socket.in().isUnread(), "nothing happens, but received bytes are not read");
        require(
                channel.isWritable() == wasWritable,
                "isWritable() is " + channel.isWritable() + ", but no channelInterestChanged was fired");
        long held = WriteAccount.waitingBytes(channel) - WriteAccount.queuedBytes(channel);
        require(
                channel.isWritable() || !writes.isEmpty() || held > 0,
                "isWritable() is false although nothing is queued or held");
        long queued = WriteAccount.queuedBytes(channel);
        require(queued == 0 || !writes.isEmpty(), "all writes are done, but " + queued + " bytes count as queued");
    }

    /** Called when the channel was closed, or never opened. */
    void checkClosed() {
        require(
                life == Life.CLOSED || life == Life.NEW,
                () -> "nothing happens, but the channel, which is " + (channel == null ? "missing" : "not open")
                        + ", has not fired channelClosed");
        for (Request request : requests) {
            require(
                    request.future.isDone(),
                    () -> "the channel is closed, but the future of " + request.name + " is not done");
        }
    }
}
