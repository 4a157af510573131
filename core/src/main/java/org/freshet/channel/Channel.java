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

    /** Where this channel is bound; null if it is not. */
    SocketAddress getLocalAddress();

    /** Whether this channel has a peer. */
    boolean isConnected();

    /** The peer; null if there is none. A datagram channel that is not connected has one a message, not a channel. */
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

    /** Leaves the peer. A stream is closed by it; a datagram channel stays open. */
    ChannelFuture disconnect();

    /** Leaves the local address. Where this is not possible alone, the channel is closed. */
    ChannelFuture unbind();

    /**
     * Closes this channel; has no effect if it is closed. A downstream handler that throws does not prevent it: the request goes
     * on past it, and what it threw goes up.
     *
     * @return {@link #getCloseFuture()}
     */
    ChannelFuture close();

    /** Succeeds when this channel is closed, whoever closes it, and never fails. Always the same, and nobody's to set. */
    ChannelFuture getCloseFuture();

    // ---- reading ----

    /** Reading is wanted. */
    int OP_READ = 1;

    /** Interest in nothing: reading is suspended, writing is possible. */
    int OP_NONE = 0;

    /** Whether reading is wanted; true at first. */
    boolean isReadable();

    /** Suspends or resumes reading. While suspended, the peer is slowed down by the transport's own means. */
    ChannelFuture setReadable(boolean readable);

    // ---- writability ----

    /** Whether a message written now is sent soon. If not, a well-behaved writer stops until it is told otherwise. */
    boolean isWritable();

    /**
     * Has {@link #isWritable()} answer false, for a reason of the user's, until it is called with true again. Handlers are
     * told by {@code channelInterestChanged} if the answer changes.
     *
     * @param index 1 to 31, telling one reason from another
     */
    void setUserDefinedWritability(int index, boolean isWritable);

    /**
     * What {@link #setUserDefinedWritability} was called with last; true at first.
     *
     * @param index 1 to 31
     */
    boolean getUserDefinedWritability(int index);

    // ---- reading and writability in one number ----

    /** Set while writing is <em>not</em> possible without piling up data; not up to the user to change. */
    int OP_WRITE = 4;

    /** Reading is wanted, and writing would pile up data. */
    int OP_READ_WRITE = OP_READ | OP_WRITE;

    /** {@link #OP_READ} if reading is wanted, together with {@link #OP_WRITE} if writing would pile up data. */
    int getInterestOps();

    /**
     * Suspends or resumes reading; see {@link #setReadable}.
     *
     * @param interestOps only {@link #OP_READ} counts; {@link #OP_WRITE} is ignored
     */
    ChannelFuture setInterestOps(int interestOps);

    // ---- what belongs to the channel ----

    /** The handlers of this channel's events. The same as long as the channel lives. */
    ChannelPipeline getPipeline();

    /** The channel's options. */
    ChannelConfig getConfig();

    /** What {@link #setAttachment} was called with last; null at first. */
    Object getAttachment();

    /** Keeps an object with this channel, for whatever use. {@link ChannelLocal} keeps several apart. */
    void setAttachment(Object attachment);

    // ---- origin ----

    /** A number that no two of the last 2<sup>32</sup> channels made have in common, and two open ones hardly ever. */
    Integer getId();

    /** The server channel that accepted this one; null if none did. */
    Channel getParent();

    /** The factory that made this channel. */
    ChannelFactory getFactory();
}
