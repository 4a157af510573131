package org.freshet.channel;

import java.net.SocketAddress;

/**
 * A connection, a listening socket, or anything else that bytes or messages go through.
 *
 * <p>It is open from the moment it exists, may become bound and connected, and ends closed, for ever. Operations return
 * at once with a {@link ChannelFuture}; they travel down the channel's {@linkplain #getPipeline() pipeline} on the
 * calling thread and are carried out by the channel's I/O thread, which sends what happens up the pipeline. Any thread
 * may call any method.
 *
 * <p>Requests of one channel take effect in the order in which they were made, whatever they ask for and whichever threads make
 * them: a write that follows a {@code connect} finds the channel connecting or connected, and of two calls of {@link
 * #setReadable} the later one holds. A request that a thread makes after another thread's request was made, such as by a message
 * between them or on the I/O thread in an event that the first one caused, takes effect after it.
 *
 * <p>Channels are equal only to themselves and ordered by id.
 */
public interface Channel extends Comparable<Channel> {
    // ---- life and addresses ----

    /** Whether this channel can be used; false once it was closed. */
    boolean isOpen();

    /** Whether this channel has a local address. */
    boolean isBound();

    /** The local address; null if the channel is not bound. */
    SocketAddress getLocalAddress();

    /** Whether this channel has a peer. */
    boolean isConnected();

    /** The peer; null if there is none. A datagram channel that is not connected has none: each message has its own. */
    SocketAddress getRemoteAddress();

    // ---- requests ----

    /** Binds this channel, and has a server channel listen. */
    ChannelFuture bind(SocketAddress localAddress);

    /** Connects this channel; the future may be cancelled to give up. */
    ChannelFuture connect(SocketAddress remoteAddress);

    /**
     * Sends a message to the peer; what may be sent depends on the pipeline, down to a {@code ChannelBuffer} or {@link
     * FileRegion}. Messages leave in the order written by one thread.
     *
     * @return succeeds when the message has left, in the order of the writes
     */
    ChannelFuture write(Object message);

    /** As {@link #write(Object)}, to a peer named with the message; null stands for the connected one. */
    ChannelFuture write(Object message, SocketAddress remoteAddress);

    /** Disconnects from the peer. A stream channel is closed; a datagram channel stays open. */
    ChannelFuture disconnect();

    /** Unbinds from the local address. Where that is not possible, the channel is closed. */
    ChannelFuture unbind();

    /**
     * Closes this channel; has no effect if it is closed. A downstream handler that throws does not prevent it: the request
     * goes on past it, and what it threw goes up.
     *
     * @return {@link #getCloseFuture()}
     */
    ChannelFuture close();

    /**
     * As {@link #close()}, with the reason. A channel that has a reason keeps that.
     *
     * @return {@link #getCloseFuture()}
     */
    default ChannelFuture close(CloseReason reason) {
        return close();
    }

    /**
     * Why this channel is closed or being closed: the first reason that was given, by this side, the peer or the transport. Null exactly
     * while {@link #isOpen()}.
     */
    default CloseReason getCloseReason() {
        return isOpen() ? null : CloseReason.LOCAL;
    }

    /** Succeeds when this channel is closed, whoever closes it, and never fails. Always the same, and nobody's to set. */
    ChannelFuture getCloseFuture();

    // ---- reading ----

    /** Reading is not suspended. */
    int OP_READ = 1;

    /** Reading is suspended, and the channel is writable. */
    int OP_NONE = 0;

    /** Whether reading is not suspended; true at first. */
    boolean isReadable();

    /** Suspends or resumes reading. While suspended, the peer is slowed down by the transport's own means. */
    ChannelFuture setReadable(boolean readable);

    // ---- writability ----

    /** Whether a message written now is sent soon. If not, writing more only fills the memory: wait until
     * {@code channelInterestChanged} reports that this is true again. */
    boolean isWritable();

    /**
     * Makes {@link #isWritable()} false for a reason of the user's, until this is called with true again. A change of
     * {@link #isWritable()} is reported by {@code channelInterestChanged}.
     *
     * @param index 1 to 31, a number for each reason
     */
    void setUserDefinedWritability(int index, boolean isWritable);

    /**
     * What {@link #setUserDefinedWritability} was called with last; true at first.
     *
     * @param index 1 to 31
     */
    boolean getUserDefinedWritability(int index);

    // ---- reading and writability in one number ----

    /** Set while the channel is <em>not</em> writable. Only the transport changes it. */
    int OP_WRITE = 4;

    /** Reading is not suspended, and the channel is not writable. */
    int OP_READ_WRITE = OP_READ | OP_WRITE;

    /** {@link #OP_READ} if reading is not suspended, together with {@link #OP_WRITE} if the channel is not writable. */
    int getInterestOps();

    /**
     * Suspends or resumes reading; see {@link #setReadable}.
     *
     * @param interestOps only {@link #OP_READ} counts; {@link #OP_WRITE} is ignored
     */
    ChannelFuture setInterestOps(int interestOps);

    // ---- what belongs to the channel ----

    /** The handlers of this channel's events. Always the same. */
    ChannelPipeline getPipeline();

    /** The channel's options. */
    ChannelConfig getConfig();

    /** What {@link #setAttachment} was called with last; null at first. */
    Object getAttachment();

    /** Stores an object of the user's in this channel. {@link ChannelLocal} is for several of them. */
    void setAttachment(Object attachment);

    // ---- origin ----

    /** A number that no two of the last 2<sup>32</sup> channels made have in common, and two open ones hardly ever. */
    Integer getId();

    /** The server channel that accepted this one; null if none did. */
    Channel getParent();

    /** The factory that made this channel. */
    ChannelFactory getFactory();
}
