package org.freshet.channel.group;

import java.net.SocketAddress;
import java.util.Set;
import org.freshet.channel.Channel;
import org.freshet.channel.ServerChannel;

/**
 * A set of open channels that can be told something all at once. A channel leaves it by itself when it closes.
 *
 * <p>A program that puts its server channels and all they accept into one group can end in good order:
 *
 * <pre>{@code
 * group.close().awaitUninterruptibly();
 * factory.releaseExternalResources();
 * }</pre>
 *
 * <p>{@link ServerChannel}s come first wherever the order matters: in iterations, and in everything done to all. An
 * operation reaches the channels that are in the group at that time; the future returned is about exactly those. Any
 * thread may call any method, and none waits.
 *
 * <p>A channel may be in any number of groups. Groups are equal only to themselves and ordered by name.
 */
public interface ChannelGroup extends Set<Channel>, Comparable<ChannelGroup> {
    /** What the group is called in logs. */
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

    /** As {@link #write(Object)}, to a peer named with the message. */
    ChannelGroupFuture write(Object message, SocketAddress remoteAddress);

    /** Calls {@link Channel#disconnect} of all channels. It fails on server channels. */
    ChannelGroupFuture disconnect();

    /** Unbinds all channels. */
    ChannelGroupFuture unbind();

    /**
     * Closes all channels. A channel that was accepted by a server channel of this group, but is added after that was
     * closed here, came too late to be in the future returned, and is closed when it is added.
     */
    ChannelGroupFuture close();
}
