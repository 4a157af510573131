package org.freshet.channel;

import java.net.SocketAddress;

/**
 * A connection, a listening socket, or anything else that bytes or messages go through.
 *
 * <p>A channel is open when it is created, may become bound and connected, and ends closed, forever. Operations return immediately with a
 * {@link ChannelFuture}: they travel down the channel's {@linkplain #getPipeline() pipeline} on the calling thread, and the channel's I/O
 * thread carries them out and sends the resulting events up the pipeline. Any thread may call any method.
 *
 * <p>Requests on a channel take effect in the order they were made, whatever they ask for and whichever threads make them. A write after a
 * {@code connect} finds the channel connecting or connected, and of two calls of {@link #setReadable} the later one wins. Between threads,
 * a request is the later one if it is made after the other because of a message between the threads, or on the I/O thread in an event that
 * the other one caused.
 *
 * <p>Channels are equal only to themselves and ordered by id.
 */
public interface Channel extends Comparable<Channel> {
    // ---- life and addresses ----

    /** Whether this channel can be used; false once it is closing or closed. */
    boolean isOpen();

    /** Whether this channel has a local address. */
    boolean isBound();

    /** The local address; null if the channel is not bound. */
    SocketAddress getLocalAddress();

    /** Whether this channel has a peer. */
    boolean isConnected();

    /** The peer's address; null if the channel has no peer. An unconnected datagram channel has none: each message carries its own. */
    SocketAddress getRemoteAddress();

    // ---- requests ----

    /** Binds this channel. A server channel starts listening. */
    ChannelFuture bind(SocketAddress localAddress);

    /** Connects this channel. Cancel the future to abort the attempt. */
    ChannelFuture connect(SocketAddress remoteAddress);

    /**
     * Sends a message to the peer. What you can send depends on the pipeline; the transport itself takes a {@code ChannelBuffer} or
     * {@link FileRegion}. Messages written by one thread are sent in that order.
     *
     * @return succeeds when the message has been sent, in the order of the writes
     */
    ChannelFuture write(Object message);

    /** Sends a message to a given address; see {@link #write(Object)}. Null means the connected peer. */
    ChannelFuture write(Object message, SocketAddress remoteAddress);

    /** Disconnects from the peer. A stream channel is closed; a datagram channel stays open. */
    ChannelFuture disconnect();

    /** Unbinds from the local address. If the transport can't do that, the channel is closed. */
    ChannelFuture unbind();

    /**
     * Closes this channel; has no effect if it is closed. If a downstream handler throws, the channel is still closed: the request
     * continues past that handler, and the exception goes up the pipeline.
     *
     * @return {@link #getCloseFuture()}
     */
    ChannelFuture close();

    /**
     * Closes this channel for the given reason. If the channel already has a reason, it keeps that one. See {@link #close()}.
     *
     * @return {@link #getCloseFuture()}
     */
    default ChannelFuture close(CloseReason reason) {
        return close();
    }

    /**
     * Returns why this channel is closed or closing: the first reason given by this side, the peer or the transport. Null exactly while
     * {@link #isOpen()}.
     */
    default CloseReason getCloseReason() {
        return isOpen() ? null : CloseReason.LOCAL;
    }

    /** Succeeds when this channel is closed, by either side, and never fails. Always the same instance; callers cannot complete it. */
    ChannelFuture getCloseFuture();

    // ---- reading ----

    /** Reading is not suspended. See {@link #getInterestOps}. */
    int OP_READ = 1;

    /** Reading is suspended, and the channel is writable. */
    int OP_NONE = 0;

    /** Whether reading is not suspended; true initially. */
    boolean isReadable();

    /** Suspends or resumes reading. While reading is suspended, the transport's flow control slows the peer down. */
    ChannelFuture setReadable(boolean readable);

    // ---- writability ----

    /**
     * Whether a message written now is sent soon. If not, writing more only fills up memory: wait until {@code channelInterestChanged}
     * reports that this is true again.
     */
    boolean isWritable();

    /**
     * Makes {@link #isWritable()} false for a reason of your own, until you call this with true. If {@link #isWritable()} changes,
     * {@code channelInterestChanged} is fired.
     *
     * @param index 1 to 31, one number per reason
     */
    void setUserDefinedWritability(int index, boolean isWritable);

    /**
     * Returns the value last passed to {@link #setUserDefinedWritability}; true initially.
     *
     * @param index 1 to 31
     */
    boolean getUserDefinedWritability(int index);

    // ---- reading and writability in one number ----

    /** Set while the channel is <em>not</em> writable. Only the transport changes it. */
    int OP_WRITE = 4;

    /** Reading is not suspended, and the channel is not writable. */
    int OP_READ_WRITE = OP_READ | OP_WRITE;

    /** {@link #OP_READ} if reading is not suspended, combined with {@link #OP_WRITE} if the channel is not writable. */
    int getInterestOps();

    /**
     * Suspends or resumes reading; see {@link #setReadable}.
     *
     * @param interestOps only {@link #OP_READ} matters; {@link #OP_WRITE} is ignored
     */
    ChannelFuture setInterestOps(int interestOps);

    // ---- what belongs to the channel ----

    /** The handlers of this channel's events. Always the same instance. */
    ChannelPipeline getPipeline();

    /** The channel's options. */
    ChannelConfig getConfig();

    /** Returns the object last passed to {@link #setAttachment}; null initially. */
    Object getAttachment();

    /** Stores an object of your choice in this channel. To store several, use {@link ChannelLocal}. */
    void setAttachment(Object attachment);

    // ---- origin ----

    /** A number unique among the last 2<sup>32</sup> channels created, so two open channels hardly ever share one. */
    Integer getId();

    /** The server channel that accepted this one; null if it was not accepted. */
    Channel getParent();

    /** The factory that created this channel. */
    ChannelFactory getFactory();
}
