package org.freshet.handler.codec.http2;

import java.net.SocketAddress;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.freshet.channel.AbstractChannel;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelConfig;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DefaultWriteCompletionEvent;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.WriteMarks;
import org.freshet.channel.WriteOverflowException;
import org.freshet.handler.codec.http.Exchanges;
import org.freshet.internal.HeapReserve;
import org.freshet.internal.IoThreadBound;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.internal.transport.LifecycleEvents;
import org.freshet.internal.write.WaterMarkedConfig;
import org.freshet.internal.write.WaterMarks;

/**
 * The channel of a stream: the handlers' view of it, and the messages that wait until handlers read. A stream that has ended on
 * the wire with a complete message continues as a channel until its handlers have read that message.
 *
 * <pre>
 *   OPEN ----&gt; CONNECTED ----&gt; UNREAD (over for the connection) ----&gt; CLOSED
 * </pre>
 *
 * <p>Any thread may call the methods of {@link Channel}; all others belong to the connection's thread.
 */
final class StreamChannel extends AbstractChannel
        implements Http2StreamChannel, WriteMarks, IoThreadBound, Exchanges.Carrier {
    private enum Phase {
        OPEN,
        /** The peer accepts the stream. A client's stream has to wait for that. */
        CONNECTED,
        /** The stream has ended, but handlers have not read all of it. */
        UNREAD,
        CLOSED
    }

    final Connection connection;
    final Stream stream;
    final OutboundMessage outbound;

    /** Set before handlers see the stream; null for a client. */
    volatile StreamExchange exchange;

    private final LifecycleEvents events;

    /** Null until something other than a request's head is received. */
    private InboundMessage inbound;

    /** Null until a user asks for it: few streams have their own settings. */
    private volatile WaterMarkedConfig config;

    /** Messages waiting until handlers read; null while no message waits. */
    private HeldMessages held;

    /** Whether held messages are being delivered: handlers called meanwhile must not start that again. */
    private boolean isGivingHeld;

    private volatile Phase phase = Phase.OPEN;

    /** The next one of those whose end memory ran out in; used by {@link ConnectionStreams} only. */
    StreamChannel nextUnfinished;

    /** Whether the stream is about to end because a write was refused. */
    private volatile boolean isIncomplete;

    private volatile String scheme;

    StreamChannel(Connection connection, ChannelFactory factory, ChannelPipeline pipeline) {
        super(connection.channel(), factory, pipeline, StreamSink.INSTANCE);
        this.connection = connection;
        stream = new Stream(this, connection.guard().period());
        outbound = new OutboundMessage(this);
        events = LifecycleEvents.of(this, false); // each side announces the open channel itself
        scheme = connection.scheme();
    }

    // ---- any thread ----

    @Override
    public ChannelConfig getConfig() {
        WaterMarkedConfig made = config;
        return made != null ? made : makeConfig();
    }

    private synchronized ChannelConfig makeConfig() {
        if (config == null) {
            config = new WaterMarkedConfig();
        }
        return config;
    }

    @Override
    public boolean isBound() {
        return isConnected();
    }

    @Override
    public boolean isConnected() {
        Phase now = phase;
        return now == Phase.CONNECTED || now == Phase.UNREAD;
    }

    @Override
    public SocketAddress getLocalAddress() {
        return getParent().getLocalAddress();
    }

    @Override
    public SocketAddress getRemoteAddress() {
        return getParent().getRemoteAddress();
    }

    @Override
    public int getStreamId() {
        return stream.id();
    }

    @Override
    public String getScheme() {
        return scheme;
    }

    void setScheme(String scheme) {
        this.scheme = scheme;
    }

    @Override
    public Exchanges exchanges() {
        return exchange;
    }

    @Override
    public String wireProtocol() {
        return "HTTP/2.0";
    }

    @Override
    public boolean isContentWithheld() {
        return connection.credit().isWithheld();
    }

    @Override
    public long bytesSentByConnection() {
        return stream.sendWindow() > 0 ? connection.totalSent() : 0;
    }

    @Override
    public Http2Priority getPriority() {
        return stream.priority();
    }

    @Override
    public void setPriority(Http2Priority priority) {
        Objects.requireNonNull(priority, "priority");
        connection.execute(() -> connection.setPriority(stream, priority));
    }

    @Override
    public int getSendWindow() {
        return stream.sendWindow();
    }

    @Override
    public int getReceiveWindow() {
        return stream.receiveWindow();
    }

    @Override
    public ChannelFuture reset(Http2Error error) {
        Objects.requireNonNull(error, "error");
        noteCloseReason(CloseReason.of(CloseReason.Kind.LOCAL, "reset with " + error));
        connection.execute(() -> connection.streams().reset(this, error));
        return getCloseFuture();
    }

    @Override
    public boolean inIoThread() {
        return connection.inIoThread();
    }

    @Override
    public void runLater(Runnable task) {
        connection.executeLater(task);
    }

    @Override
    public boolean onAwaitBegins(BooleanSupplier isDone) {
        return connection.onAwaitBegins(isDone);
    }

    // ---- life ----

    /** The peer has opened the stream: fires channelOpen, channelBound and channelConnected right away. */
    void announceAccepted() {
        phase = Phase.CONNECTED;
        announceOpen();
        events.connected(getLocalAddress(), getRemoteAddress());
        onParentWritability();
    }

    /** Fires channelOpen, and a child event to the connection's handlers. They also get one at the close. */
    void announceOpen() {
        Channels.fireChannelOpen(this);
    }

    void onConnected(ChannelFuture connect) {
        phase = Phase.CONNECTED;
        connect.setSuccess();
        if (connect.isCancelled()) {
            return; // its listener has asked for the close
        }
        events.connected(getLocalAddress(), getRemoteAddress());
        onParentWritability();
    }

    boolean isEnded() {
        return phase == Phase.CLOSED;
    }

    /**
     * The stream has ended: fails writes that were not sent.
     *
     * @param cause fails these writes; null means a ClosedChannelException, which is created only if a write waits
     */
    void end(CloseReason reason, Throwable cause) {
        if (phase == Phase.CLOSED) {
            return;
        }
        setClosing(reason);
        phase = Phase.CLOSED;
        held = null;
        finishEnd(cause);
    }

    /** Each step may be repeated: if memory runs out before the last one, all of them follow after a second. */
    private void finishEnd(Throwable cause) {
        try {
            if (phase == Phase.UNREAD) {
                endOutput(cause);
            } else {
                close(cause);
            }
        } catch (VirtualMachineError noMemory) {
            HeapReserve.onFailure(noMemory);
            connection.streams().endAgain(this);
        }
    }

    /** Memory ran out when the stream ended: does the rest. */
    void endAgain() {
        CloseReason reason = notedCloseReason(); // not final while the stream is unread
        finishEnd(reason == null ? null : reason.cause());
    }

    private void close(Throwable cause) {
        connection.credit().giveBackAll(stream);
        connection.streams().onChannelEnds(this);
        endOutput(cause);
        setClosed();
        events.closed();
    }

    /** Like {@link #end}, but for a complete message of the peer: the part that handlers have not read stays until they have. */
    void endOnceRead(CloseReason reason, Throwable cause) {
        if (held == null) {
            end(reason, cause);
        } else {
            phase = Phase.UNREAD;
            if (reason != CloseReason.COMPLETED) { // COMPLETED is not certain yet
                noteCloseReason(reason);
            }
            finishEnd(cause);
        }
    }

    private void endOutput(Throwable cause) {
        stream.close();
        if (stream.first() != null) {
            stream.failQueue(cause == null ? UnsentMessage.causeOfClosed(this) : cause);
        }
        outbound.end();
    }

    void fail(Throwable cause) {
        events.failed(cause);
    }

    // ---- reading ----

    InboundMessage inbound() {
        if (inbound == null) {
            inbound = new InboundMessage(this, connection.settings().httpLimits(), connection.isServer());
        }
        return inbound;
    }

    /** Whether the received octets belong to another protocol. */
    boolean isTunnel() {
        return inbound != null && inbound.isTunnel();
    }

    /**
     * Passes a message on, or keeps it until handlers read. Its octets count as consumed once handlers have seen it.
     *
     * @param message a message, or the {@link InputShutdownEvent} that follows the last one
     */
    void deliver(Object message, int octets) {
        if (phase == Phase.CLOSED) {
            giveBack(octets);
        } else if (held != null || !isReadable()) {
            if (held == null) {
                held = new HeldMessages();
            }
            held.add(message, octets);
        } else {
            pass(message, octets);
        }
    }

    /** The number of messages that wait until handlers read. */
    int unread() {
        return held == null ? 0 : held.size();
    }

    private void pass(Object message, int octets) {
        if (message instanceof InputShutdownEvent end) {
            getPipeline().sendUpstream(end);
        } else {
            Channels.fireMessageReceived(this, message);
        }
        giveBack(octets);
    }

    /** Returns the credit for this many received octets. */
    void giveBack(int octets) {
        connection.credit().giveBack(stream, octets);
    }

    void changeInterest(ChannelFuture future, int interestOps) {
        setInternalInterestOps(interestOps & OP_READ);
        future.setSuccess();
        events.readability();
        if (held != null && !isGivingHeld) {
            isGivingHeld = true;
            try {
                giveHeld();
            } finally {
                isGivingHeld = false;
            }
        }
        if (phase == Phase.UNREAD && held == null && !isGivingHeld) {
            end(CloseReason.COMPLETED, null); // unless another reason was noted
            connection.streams().onRead();
        }
    }

    private void giveHeld() {
        while (held != null && isReadable()) {
            HeldMessages.Entry next = held.poll();
            if (held.size() == 0) {
                held = null;
            }
            pass(next.message(), next.octets());
        }
    }

    // ---- writing ----

    /** The connection's channel sends the waiting messages, so its limit applies. */
    @Override
    protected AbstractChannel getSendingChannel() {
        return connection.sending();
    }

    /** Any thread. May block the caller because of the connection's limit. */
    Exception admit(long bytes) {
        return admitWrite(bytes);
    }

    /** A write was refused. Requests a close, but not again for each write that follows. Any thread. */
    void closeIncomplete(Throwable refusal) {
        if (!isIncomplete) {
            boolean isOverflow = refusal instanceof WriteOverflowException;
            CloseReason.Kind kind = isOverflow ? CloseReason.Kind.OVERFLOW : CloseReason.Kind.WRITE_FAILED;
            close(CloseReason.of(kind, null, refusal));
            isIncomplete = true;
        }
    }

    void release(long bytes) {
        if (bytes > 0) {
            releaseWrite(bytes);
        }
    }

    private WaterMarks marks() {
        WaterMarkedConfig own = config;
        return own == null ? WaterMarks.DEFAULT : own.waterMarks();
    }

    @Override
    public int highWaterMark() {
        return marks().high();
    }

    @Override
    public int lowWaterMark() {
        return marks().low();
    }

    /** The connection's limit applies. */
    @Override
    public int limitBytes() {
        return 0;
    }

    /** The waiting output has changed. */
    void onQueueChanged() {
        updateWritability();
    }

    /** The connection's channel has become writable or unwritable. */
    void onParentWritability() {
        updateWritabilityWithSender();
    }

    @Override
    protected void fireWritabilityChanged() {
        if (phase == Phase.CONNECTED) {
            events.writability();
        }
    }

    void onWritten(long amount) {
        if (amount > 0 && events.areWritesSeen()) {
            events.written(new DefaultWriteCompletionEvent(this, amount));
        }
    }
}
