package org.freshet.channel.group;

import java.net.SocketAddress;
import java.util.Set;
import org.freshet.channel.Channel;
import org.freshet.channel.ServerChannel;

/**
 * A set of open channels, for operations on all of them. A channel is removed when it closes.
 *
 * <p>A program that puts its server channels and all they accept into one group shuts down cleanly like this:
 *
 * <pre>{@code
 * group.close().awaitUninterruptibly();
 * factory.releaseExternalResources();
 * }</pre>
 *
 * <p>{@link ServerChannel}s come first in iterations and in every operation. An
 * operation reaches the channels that are in the group at that time; the returned future covers exactly those. Any
 * thread may call any method, and none blocks.
 *
 * <p>A channel may be in any number of groups. Groups are equal only to themselves and ordered by name.
 */
public interface ChannelGroup extends Set<Channel>, Comparable<ChannelGroup> {
    /** The group's name in logs. */
    String getName();

    /** The channel with the id; null if there is none here. */
    Channel find(Integer id);

    /** Calls {@link Channel#setInterestOps} of all channels. It fails on server channels. */
    ChannelGroupFuture setInterestOps(int interestOps);

    /** Calls {@link Channel#setReadable} of all channels. It fails on server channels. */
    ChannelGroupFuture setReadable(boolean readable);

    /**
     * Writes a message to all channels but the server channels. Each gets the same object, of a {@code ChannelBuffer} a
     * duplicate that shares the bytes, so that they can be read independently.
     *
     * <p>Every pipeline encodes the message anew. If they would all do the same, encode once and write the buffer.
     */
    ChannelGroupFuture write(Object message);

    /** As {@link #write(Object)}, to the given address. */
    ChannelGroupFuture write(Object message, SocketAddress remoteAddress);

    /** Calls {@link Channel#disconnect} of all channels. It fails on server channels. */
    ChannelGroupFuture disconnect();

    /** Unbinds all channels. */
    ChannelGroupFuture unbind();

    /**
     * Closes all channels. A channel that was accepted by a server channel of this group, but is added after that was
     * closed here, is not part of the returned future, and is closed when it is added.
     */
    ChannelGroupFuture close();
}
