package org.freshet.channel.group;

import java.net.SocketAddress;
import java.util.Set;
import org.freshet.channel.Channel;
import org.freshet.channel.ServerChannel;

/**
 * A set of open channels, for operations on all of them. A channel is removed when it closes.
 *
 * <p>If a program puts its server channels and all accepted channels into one group, it can shut down cleanly like this:
 *
 * <pre>{@code
 * group.close().awaitUninterruptibly();
 * factory.releaseExternalResources();
 * }</pre>
 *
 * <p>{@link ServerChannel}s come first in iterations and in every operation. An operation applies to the channels that are in the group at
 * that time; the returned future covers exactly those. Any thread may call any method; none of them blocks.
 *
 * <p>A channel may be in any number of groups. Groups are equal only to themselves and ordered by name.
 */
public interface ChannelGroup extends Set<Channel>, Comparable<ChannelGroup> {
    /** The group's name in logs. */
    String getName();

    /** Returns the channel with the id; null if it is not in this group. */
    Channel find(Integer id);

    /** Calls {@link Channel#setInterestOps} on all channels. It fails on server channels. */
    ChannelGroupFuture setInterestOps(int interestOps);

    /** Calls {@link Channel#setReadable} on all channels. It fails on server channels. */
    ChannelGroupFuture setReadable(boolean readable);

    /**
     * Writes a message to all channels except server channels. They all get the same object; of a {@code ChannelBuffer}, each gets a
     * duplicate that shares the bytes, so they can read it independently.
     *
     * <p>Each pipeline encodes its own copy. If the result is the same for all, encode once and write the buffer.
     */
    ChannelGroupFuture write(Object message);

    /** Writes a message to all channels like {@link #write(Object)}, addressed to {@code remoteAddress}. */
    ChannelGroupFuture write(Object message, SocketAddress remoteAddress);

    /** Calls {@link Channel#disconnect} on all channels. It fails on server channels. */
    ChannelGroupFuture disconnect();

    /** Unbinds all channels. */
    ChannelGroupFuture unbind();

    /**
     * Closes all channels. If a server channel of this group was closed here and a channel it accepted is added afterwards, that channel is
     * closed when it is added. It is not part of the returned future.
     */
    ChannelGroupFuture close();
}
