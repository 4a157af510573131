package org.freshet.channel.group;

import java.net.SocketAddress;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.FailedChannelFuture;
import org.freshet.channel.ServerChannel;

/**
 * A channel group of two concurrent maps, one for server channels and one for the others.
 *
 * <p>Any thread may call any method. Iterations are weakly consistent: they see the channels present at the beginning and may or may not
 * see later additions and removals. Channels are compared by identity, not by id, because ids repeat after 2<sup>32</sup> channels, and a
 * busy server accepts that many in days.
 */
public class DefaultChannelGroup extends AbstractSet<Channel> implements ChannelGroup {
    private static final AtomicInteger lastNumber = new AtomicInteger();

    /** Equal to the channels with this id, to look them up by it. */
    private record ChannelId(int id) {
        @Override
        public int hashCode() {
            return id;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Channel channel && channel.getId() == id;
        }
    }

    private final String name;
    private final ConcurrentHashMap<Channel, Channel> serverChannels = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Channel, Channel> otherChannels = new ConcurrentHashMap<>();
    private final ChannelFutureListener remover = future -> remove(future.getChannel());

    /** Server channels that {@link #close()} has closed; any channels they still accept must be closed, too. */
    private final Set<Channel> closedServers =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    /** Whether there have been any; groups without them skip the look-up for each added channel. */
    private volatile boolean haveClosedServers;

    /** Whether the group has ever had a channel whose hash code is not its id; a {@link ChannelId} doesn't find such a channel. */
    private volatile boolean hashCodesDiffer;

    /** Creates a group with a generated name. */
    public DefaultChannelGroup() {
        this("group-" + lastNumber.incrementAndGet());
    }

    /** Creates a group with a name; it need not be unique. */
    public DefaultChannelGroup(String name) {
        this.name = Objects.requireNonNull(name, "name");
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public boolean isEmpty() {
        return serverChannels.isEmpty() && otherChannels.isEmpty();
    }

    @Override
    public int size() {
        return serverChannels.size() + otherChannels.size();
    }

    @Override
    public Channel find(Integer id) {
        ChannelId key = new ChannelId(Objects.requireNonNull(id, "id"));
        Channel server = serverChannels.get(key);
        if (server != null) {
            return server;
        }
        Channel other = otherChannels.get(key);
        return other == null && hashCodesDiffer ? search(key) : other;
    }

    private Channel search(ChannelId id) {
        for (Channel channel : this) {
            if (id.equals(channel)) {
                return channel;
            }
        }
        return null;
    }

    /**
     * Whether the channel, or one with the id, is in this group.
     *
     * @param o a {@link Channel} or an {@link Integer}; anything else is not in the group
     */
    @Override
    public boolean contains(Object o) {
        if (o instanceof Integer id) {
            return find(id) != null;
        }
        return o instanceof Channel channel && mapOf(channel).containsKey(channel);
    }

    private ConcurrentHashMap<Channel, Channel> mapOf(Channel channel) {
        return channel instanceof ServerChannel ? serverChannels : otherChannels;
    }

    /**
     * Adds a channel until it closes. A closed channel is added and immediately removed.
     *
     * @return whether it was not in this group
     */
    @Override
    public boolean add(Channel channel) {
        if (mapOf(channel).putIfAbsent(channel, channel) != null) {
            return false;
        }
        if (channel.hashCode() != channel.getId()) {
            hashCodesDiffer = true;
        }
        ChannelFuture closeFuture = channel.getCloseFuture();
        closeFuture.addListener(remover);
        if (!contains(channel)) {
            closeFuture.removeListener(remover); // removed before the listener was added
        } else if (hasClosedParentOf(channel)) {
            channel.close();
        }
        return true;
    }

    private boolean hasClosedParentOf(Channel channel) {
        return haveClosedServers && closedServers.contains(channel.getParent());
    }

    /**
     * Removes the channel, or one with the id.
     *
     * @param o a {@link Channel} or an {@link Integer}; anything else is not in the group
     */
    @Override
    public boolean remove(Object o) {
        Object found = o instanceof Integer id ? find(id) : o;
        if (!(found instanceof Channel channel) || mapOf(channel).remove(channel) == null) {
            return false;
        }
        channel.getCloseFuture().removeListener(remover);
        return true;
    }

    /** Removes all channels that are currently in this group. */
    @Override
    public void clear() {
        for (Channel channel : this) {
            remove(channel);
        }
    }

    /** Iterates over the channels, server channels first. */
    @Override
    public Iterator<Channel> iterator() {
        Iterator<Channel> servers = serverChannels.values().iterator();
        Iterator<Channel> others = otherChannels.values().iterator();
        return new Iterator<>() {
            private Channel last;

            @Override
            public boolean hasNext() {
                return servers.hasNext() || others.hasNext();
            }

            @Override
            public Channel next() {
                last = (servers.hasNext() ? servers : others).next();
                return last;
            }

            @Override
            public void remove() {
                if (last == null) {
                    throw new IllegalStateException("next() was not called, or the channel is already removed");
                }
                DefaultChannelGroup.this.remove(last);
                last = null;
            }
        };
    }

    /** Returns a snapshot of the channels, server channels first. */
    @Override
    public Object[] toArray() {
        return snapshot().toArray();
    }

    @Override
    public <T> T[] toArray(T[] a) {
        return snapshot().toArray(a);
    }

    /** Unlike the inherited method, this works while the size changes. */
    private List<Channel> snapshot() {
        List<Channel> channels = new ArrayList<>(size());
        for (Channel channel : this) {
            channels.add(channel);
        }
        return channels;
    }

    @Override
    public ChannelGroupFuture close() {
        rememberClosed(serverChannels.values());
        return toEach(this, Channel::close);
    }

    /** Called before closing, so that a child is either already in the group or finds its parent here. */
    private void rememberClosed(Collection<Channel> servers) {
        if (closedServers.addAll(servers)) {
            haveClosedServers = true;
        }
    }

    @Override
    public ChannelGroupFuture disconnect() {
        return toEach(this, Channel::disconnect);
    }

    @Override
    public ChannelGroupFuture setInterestOps(int interestOps) {
        return toEach(this, channel -> channel.setInterestOps(interestOps));
    }

    @Override
    public ChannelGroupFuture setReadable(boolean readable) {
        return toEach(this, channel -> channel.setReadable(readable));
    }

    @Override
    public ChannelGroupFuture unbind() {
        return toEach(this, Channel::unbind);
    }

    @Override
    public ChannelGroupFuture write(Object message) {
        Objects.requireNonNull(message, "message");
        return toEach(otherChannels.values(), channel -> channel.write(ownCopy(message)));
    }

    @Override
    public ChannelGroupFuture write(Object message, SocketAddress remoteAddress) {
        Objects.requireNonNull(message, "message");
        return toEach(otherChannels.values(), channel -> channel.write(ownCopy(message), remoteAddress));
    }

    private static Object ownCopy(Object message) {
        return message instanceof ChannelBuffer buffer ? buffer.duplicate() : message;
    }

    private ChannelGroupFuture toEach(Collection<Channel> channels, Function<Channel, ChannelFuture> operation) {
        List<ChannelFuture> futures = new ArrayList<>(channels.size());
        for (Channel channel : channels) {
            futures.add(outcome(channel, operation));
        }
        return new DefaultChannelGroupFuture(this, futures);
    }

    /** If the operation throws for one channel, it still runs for the others. */
    private static ChannelFuture outcome(Channel channel, Function<Channel, ChannelFuture> operation) {
        try {
            return operation.apply(channel);
        } catch (RuntimeException cause) {
            return new FailedChannelFuture(channel, cause);
        }
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    @Override
    public boolean equals(Object o) {
        return this == o;
    }

    @Override
    public int compareTo(ChannelGroup other) {
        if (this == other) {
            return 0;
        }
        int byName = name.compareTo(other.getName());
        return byName != 0 ? byName : Integer.compare(hashCode(), other.hashCode());
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "(name: " + name + ", size: " + size() + ')';
    }
}
