package org.freshet.channel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.freshet.internal.AddressCounter;
import org.freshet.internal.flight.Flight;

/**
 * Base class of all channels: identity, pipeline, life cycle and interest.
 *
 * <p>Any thread may call any public method. There are few fields, because every connection has all of them.
 */
public abstract class AbstractChannel extends AccountedChannel {
    /** A reason noted while the channel is still open: a handler may send what is left before it lets the close pass. */
    private record Noted(CloseReason reason) {}

    /** Only the channel itself completes it, always with success. */
    private static final class CloseFuture extends DefaultChannelFuture {
        /** Not a VarHandle, whose first use takes memory: a close frees some. */
        static final AtomicReferenceFieldUpdater<CloseFuture, Object> REASON =
                AtomicReferenceFieldUpdater.newUpdater(CloseFuture.class, Object.class, "reason");

        /**
         * Null, then perhaps a Noted, and a CloseReason once the channel begins to close. It is kept here, where it takes no extra memory,
         * rather than in each channel.
         */
        volatile Object reason;

        CloseFuture(Channel channel) {
            super(channel, false);
        }

        @Override
        public boolean setSuccess() {
            return false;
        }

        @Override
        public boolean setFailure(Throwable cause) {
            return false;
        }

        boolean complete() {
            return super.setSuccess();
        }

        /** Null if there is no reason yet. */
        CloseReason reason() {
            return reason instanceof Noted noted ? noted.reason : (CloseReason) reason;
        }

        void note(Noted noted) {
            if (reason == null) {
                REASON.compareAndSet(this, null, noted);
            }
        }

        /** The reason that was noted first wins. */
        void decide(CloseReason otherwise) {
            Object seen = reason;
            while (!(seen instanceof CloseReason)) {
                REASON.compareAndSet(this, seen, seen instanceof Noted noted ? noted.reason : otherwise);
                seen = reason;
            }
        }
    }

    /** For a factory that is not the parent's. */
    private record ParentAndFactory(Channel parent, ChannelFactory factory) {}

    private static final Noted LOCAL = new Noted(CloseReason.LOCAL);

    /** Wraps around: ids repeat after 2^32 channels. */
    private static final AtomicInteger lastId = new AtomicInteger();

    private static final VarHandle LOCALS;

    static {
        try {
            LOCALS = MethodHandles.lookup().findVarHandle(AbstractChannel.class, "locals", Object[].class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        MemoryBudget.prepare();
    }

    private final int id;

    /** The parent, which also supplies the factory; the factory, if there is no parent; or both, if the factory is not the parent's. */
    private final Object origin;

    private final ChannelPipeline pipeline;
    private final CloseFuture closeFuture = new CloseFuture(this);

    private volatile Object attachment;

    /** Pairs of key and value; null until the first one is stored. The array is replaced, never modified. */
    private volatile Object[] locals;

    /**
     * Creates an open channel and attaches the pipeline to it.
     *
     * @param parent the server channel that accepted this one, or null
     * @param factory the factory that creates this channel
     * @param pipeline not yet attached to any channel
     * @param sink takes the downstream events that passed the pipeline
     */
    protected AbstractChannel(Channel parent, ChannelFactory factory, ChannelPipeline pipeline, ChannelSink sink) {
        this(lastId.incrementAndGet(), parent, factory, pipeline, sink);
    }

    /**
     * Creates an open channel with an id that the caller chooses and keeps unique, and attaches the pipeline to it.
     *
     * @param id must not be null
     */
    protected AbstractChannel(
            Integer id, Channel parent, ChannelFactory factory, ChannelPipeline pipeline, ChannelSink sink) {
        this(id.intValue(), parent, factory, pipeline, sink);
    }

    private AbstractChannel(
            int id, Channel parent, ChannelFactory factory, ChannelPipeline pipeline, ChannelSink sink) {
        this.id = id;
        this.pipeline = pipeline;
        origin = originOf(parent, factory);
        pipeline.attach(this, sink);
    }

    /** Usually one reference is enough for both: a field saved is memory saved in every connection. */
    private static Object originOf(Channel parent, ChannelFactory factory) {
        if (parent == null && !(factory instanceof AbstractChannel)) {
            return factory;
        }
        if (parent instanceof AbstractChannel && factory == parent.getFactory()) {
            return parent;
        }
        return new ParentAndFactory(parent, factory);
    }

    @Override
    public final Integer getId() {
        return id;
    }

    @Override
    public Channel getParent() {
        if (origin instanceof ParentAndFactory both) {
            return both.parent;
        }
        return origin instanceof AbstractChannel parent ? parent : null;
    }

    @Override
    public ChannelFactory getFactory() {
        if (origin instanceof ParentAndFactory both) {
            return both.factory;
        }
        return origin instanceof AbstractChannel parent ? parent.getFactory() : (ChannelFactory) origin;
    }

    @Override
    public ChannelPipeline getPipeline() {
        return pipeline;
    }

    /** Returns a succeeded future of this channel, a new one for each call: keeping one would cost every channel memory. */
    protected ChannelFuture getSucceededFuture() {
        return new SucceededChannelFuture(this);
    }

    /** Returns a future of this channel that has failed with {@link UnsupportedOperationException}. */
    protected ChannelFuture getUnsupportedOperationFuture() {
        return new FailedChannelFuture(
                this,
                new UnsupportedOperationException(
                        "not supported by " + getClass().getSimpleName()));
    }

    /** The id, so that the iteration order of sets and maps can be explained from the log. */
    @Override
    public final int hashCode() {
        return id;
    }

    /** Identity: a channel is equal only to itself. */
    @Override
    public final boolean equals(Object other) {
        return this == other;
    }

    /** Orders channels by id. Channels with the same id, possible once ids have wrapped around, are ordered arbitrarily. */
    @Override
    public final int compareTo(Channel other) {
        if (this == other) {
            return 0;
        }
        int byId = Integer.compare(id, other.getId());
        return byId != 0 ? byId : Integer.compare(System.identityHashCode(this), System.identityHashCode(other));
    }

    @Override
    public boolean isOpen() {
        return !(closeFuture.reason instanceof CloseReason);
    }

    @Override
    public final CloseReason getCloseReason() {
        return closeFuture.reason instanceof CloseReason reason ? reason : null;
    }

    /** Marks this channel as closing with the reason {@link CloseReason#LOCAL}; see {@link #setClosing(CloseReason)}. */
    protected final void setClosing() {
        setClosing(CloseReason.LOCAL);
    }

    /**
     * Makes {@link #isOpen} return false from now on. For a transport that closes later and then calls {@link #setClosed}. Allocates
     * nothing.
     *
     * @param reason ignored if the channel already has one
     */
    protected final void setClosing(CloseReason reason) {
        closeFuture.decide(Objects.requireNonNull(reason, "reason"));
    }

    /**
     * Notes a reason for the close that is about to happen, unless one is noted already; the channel stays open. Call it before running
     * code that may itself close the channel.
     */
    protected final void noteCloseReason(CloseReason reason) {
        Objects.requireNonNull(reason, "reason");
        if (closeFuture.reason == null) {
            closeFuture.note(new Noted(reason));
        }
    }

    /**
     * Returns the reason of the close or, while the channel is open, the noted one; null if no reason was given yet. Any thread may call
     * this.
     */
    protected final CloseReason notedCloseReason() {
        return closeFuture.reason();
    }

    /**
     * Releases the handlers for use in other pipelines and completes the close future. For the transport, once the channel's resources are
     * released.
     *
     * @return whether this call closed the channel; false if it was already closed
     */
    protected boolean setClosed() {
        if (pipeline instanceof DefaultChannelPipeline own) {
            own.releaseHandlers();
        }
        setClosing();
        try {
            return closeFuture.complete();
        } finally {
            closeAccount();
            onUncongested();
        }
    }

    @Override
    public ChannelFuture bind(SocketAddress localAddress) {
        return Channels.bind(this, localAddress);
    }

    @Override
    public ChannelFuture unbind() {
        return Channels.unbind(this);
    }

    @Override
    public ChannelFuture close() {
        closeFuture.note(LOCAL);
        Flight.closeRequested(this, closeFuture.reason());
        return Channels.close(this);
    }

    @Override
    public ChannelFuture close(CloseReason reason) {
        noteCloseReason(reason);
        return close();
    }

    /**
     * Closes the channel because too much waits to be sent. A transport may override this to drop the backlog; the default is
     * {@link #close(CloseReason)}.
     */
    @Override
    protected void giveUp(CloseReason reason) {
        close(reason);
    }

    @Override
    final boolean hasEnded() {
        return closeFuture.isDone();
    }

    /** Counts this connection for another address; see {@link AddressCounter}. Returns true if connections are not counted. */
    final boolean countFor(InetAddress address) {
        AddressCounter counter = closeFuture.listenerOf(AddressCounter.class);
        return counter == null
                || counter.countFor(
                        address,
                        other -> closeFuture.replaceListener(
                                (ChannelFutureListener) counter, (ChannelFutureListener) other));
    }

    @Override
    public ChannelFuture getCloseFuture() {
        return closeFuture;
    }

    @Override
    public ChannelFuture connect(SocketAddress remoteAddress) {
        Object recorded = Flight.connectBegan();
        ChannelFuture connected = Channels.connect(this, remoteAddress);
        if (recorded != null) {
            connected.addListener(done -> Flight.connectEnded(recorded, this, remoteAddress, done.getCause()));
        }
        return connected;
    }

    @Override
    public ChannelFuture disconnect() {
        return Channels.disconnect(this);
    }

    /** Returns just {@link #OP_WRITE} once this channel is closed. */
    @Override
    public int getInterestOps() {
        if (!isOpen()) {
            return OP_WRITE;
        }
        int reading = getInternalInterestOps() & ~OP_WRITE;
        return isWritable() ? reading : reading | OP_WRITE;
    }

    @Override
    public ChannelFuture setInterestOps(int interestOps) {
        return Channels.setInterestOps(this, interestOps);
    }

    @Override
    public boolean isReadable() {
        return (getInternalInterestOps() & OP_READ) != 0;
    }

    // ---- for transports: the account of what waits ------------------------------------------------------------------

    /**
     * Returns the channel that sends this channel's data, as a connection does for its streams. That channel's account and limit include
     * everything counted here; the water marks are separate. With {@link WriteMarks}, this channel is also not writable while the sending
     * channel isn't. Null, the default, if this channel sends its own data.
     */
    protected AbstractChannel getSendingChannel() {
        return null;
    }

    @Override
    final AccountedChannel whole() {
        return getSendingChannel();
    }

    /**
     * Charges a message that the transport is about to queue, if there is room; see {@link WriteAccount}. Any thread may call this, without
     * holding a lock.
     *
     * @param bytes the size of the message according to {@link WriteAccount#bytesOf}
     * @return null if the message was charged; otherwise the cause to fail its future with
     */
    protected final Exception admitWrite(long bytes) {
        return admitQueued(unitsOf(bytes), true);
    }

    /**
     * Charges a message whose writer waits until it has been sent. The channel's limit doesn't apply to it, but the {@link MemoryBudget}
     * does. Any thread may call this, without holding a lock.
     *
     * @param bytes the size of the message according to {@link WriteAccount#bytesOf}
     * @return null if the message was charged; otherwise the cause to fail its future with
     */
    protected final Exception admitWaitingWrite(long bytes) {
        return admitQueued(unitsOf(bytes), false);
    }

    /**
     * Releases a message that the transport has sent or discarded. The transport calls {@link #updateWritability} afterwards,
     * on its I/O thread.
     *
     * @param bytes the size that was charged
     */
    protected final void releaseWrite(long bytes) {
        releaseQueued(unitsOf(bytes));
    }

    /** Updates {@link #isWritable()} from the account and fires {@code channelInterestChanged} if it changed. I/O thread only. */
    protected final void updateWritability() {
        settleWritability();
    }

    /**
     * Updates this channel's writability after that of its {@linkplain #getSendingChannel sending channel} has changed. I/O thread only.
     */
    protected final void updateWritabilityWithSender() {
        settleWithWhole();
    }

    /** Whether {@link #updateWritability} would have an effect. Any thread may call this. */
    protected final boolean isWritabilityStale() {
        return isSettlingDue();
    }

    @Override
    public ChannelFuture setReadable(boolean readable) {
        int current = getInterestOps();
        return setInterestOps(readable ? current | OP_READ : current & ~OP_READ);
    }

    @Override
    public ChannelFuture write(Object message) {
        return Channels.write(this, message);
    }

    @Override
    public ChannelFuture write(Object message, SocketAddress remoteAddress) {
        return Channels.write(this, message, remoteAddress);
    }

    @Override
    public Object getAttachment() {
        return attachment;
    }

    @Override
    public void setAttachment(Object attachment) {
        this.attachment = attachment;
    }

    /** See {@link LocalKey}. */
    final Object[] locals() {
        return locals;
    }

    /** Returns false and changes nothing if the locals are no longer the expected ones. */
    final boolean replaceLocals(Object[] expected, Object[] replacement) {
        return LOCALS.compareAndSet(this, expected, replacement);
    }

    /**
     * The id and, once known, the addresses in the direction of the connect: {@code [id: 0x0000002a, /client => /server]}. After the
     * connection has ended, the arrow is {@code :>}.
     */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(128).append("[id: 0x");
        String hex = Integer.toHexString(id);
        text.append("0".repeat(8 - hex.length())).append(hex);
        SocketAddress local = getLocalAddress();
        SocketAddress remote = getRemoteAddress();
        if (remote != null) {
            boolean accepted = getParent() != null;
            text.append(", ").append(accepted ? remote : local);
            text.append(isConnected() ? " => " : " :> ");
            text.append(accepted ? local : remote);
        } else if (local != null) {
            text.append(", ").append(local);
        }
        return text.append(']').toString();
    }
}
