package org.freshet.channel.group;

import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.DefaultChannelFuture;
import org.freshet.internal.IoThreadBound;

/**
 * Counts the futures of the individual channels as they complete.
 *
 * <p>Any thread may call any method; nothing here takes a lock. Listening and waiting are delegated to another future, completed by the
 * last of the counted ones.
 */
public class DefaultChannelGroupFuture implements ChannelGroupFuture {
    private record GroupListener(ChannelGroupFuture future, ChannelGroupFutureListener listener)
            implements ChannelFutureListener {
        @Override
        public void operationComplete(ChannelFuture allDone) throws Exception {
            listener.operationComplete(future);
        }

        @Override
        public String toString() {
            return listener + " of " + future;
        }
    }

    private final ChannelGroup group;
    private final List<ChannelFuture> members;

    private final AtomicInteger succeeded = new AtomicInteger();

    /** Including those that were cancelled. */
    private final AtomicInteger failed = new AtomicInteger();

    /** Always succeeds: it signals the end, not the outcome. */
    private final DefaultChannelFuture allDone = new DefaultChannelFuture(null, false);

    /** Null until the first look-up. If ids are not unique, it has the last member with each. */
    private volatile Map<Integer, ChannelFuture> membersById;

    /**
     * Creates a future that is done when all given futures are; without futures, it is done immediately.
     *
     * @param futures in iteration order
     */
    public DefaultChannelGroupFuture(ChannelGroup group, Collection<ChannelFuture> futures) {
        this.group = Objects.requireNonNull(group, "group");
        members = List.copyOf(Objects.requireNonNull(futures, "futures"));
        if (members.isEmpty()) {
            allDone.setSuccess();
        }
        ChannelFutureListener counter = this::count;
        for (ChannelFuture member : members) {
            member.addListener(counter);
        }
    }

    private void count(ChannelFuture member) {
        (member.isSuccess() ? succeeded : failed).incrementAndGet();
        if (isDone()) {
            allDone.setSuccess();
        }
    }

    @Override
    public ChannelGroup getGroup() {
        return group;
    }

    @Override
    public ChannelFuture find(Integer channelId) {
        return membersById().get(Objects.requireNonNull(channelId, "channelId"));
    }

    @Override
    public ChannelFuture find(Channel channel) {
        ChannelFuture found = membersById().get(channel.getId());
        return found == null || found.getChannel() == channel ? found : findAmongEqualIds(channel);
    }

    private ChannelFuture findAmongEqualIds(Channel channel) {
        for (ChannelFuture member : members) {
            if (member.getChannel() == channel) {
                return member;
            }
        }
        return null;
    }

    private Map<Integer, ChannelFuture> membersById() {
        Map<Integer, ChannelFuture> byId = membersById;
        if (byId == null) {
            byId = new HashMap<>();
            for (ChannelFuture member : members) {
                byId.put(member.getChannel().getId(), member);
            }
            membersById = byId;
        }
        return byId;
    }

    @Override
    public Iterator<ChannelFuture> iterator() {
        return members.iterator();
    }

    @Override
    public boolean isDone() {
        return succeeded.get() + failed.get() == members.size();
    }

    @Override
    public boolean isCompleteSuccess() {
        return succeeded.get() == members.size();
    }

    @Override
    public boolean isPartialSuccess() {
        return isSome(succeeded.get());
    }

    @Override
    public boolean isPartialFailure() {
        return isSome(failed.get());
    }

    @Override
    public boolean isCompleteFailure() {
        return !members.isEmpty() && failed.get() == members.size();
    }

    private boolean isSome(int count) {
        return count > 0 && count < members.size();
    }

    @Override
    public void addListener(ChannelGroupFutureListener listener) {
        allDone.addListener(new GroupListener(this, Objects.requireNonNull(listener, "listener")));
    }

    @Override
    public void removeListener(ChannelGroupFutureListener listener) {
        allDone.removeListener(new GroupListener(this, Objects.requireNonNull(listener, "listener")));
    }

    @Override
    public ChannelGroupFuture await() throws InterruptedException {
        beforeAwait();
        allDone.await();
        return this;
    }

    @Override
    public boolean await(long timeout, TimeUnit unit) throws InterruptedException {
        if (timeout > 0) {
            beforeAwait();
        }
        return allDone.await(timeout, unit);
    }

    @Override
    public boolean await(long timeoutMillis) throws InterruptedException {
        return await(timeoutMillis, TimeUnit.MILLISECONDS);
    }

    @Override
    public ChannelGroupFuture awaitUninterruptibly() {
        beforeAwait();
        allDone.awaitUninterruptibly();
        return this;
    }

    @Override
    public boolean awaitUninterruptibly(long timeout, TimeUnit unit) {
        if (timeout > 0) {
            beforeAwait();
        }
        return allDone.awaitUninterruptibly(timeout, unit);
    }

    @Override
    public boolean awaitUninterruptibly(long timeoutMillis) {
        return awaitUninterruptibly(timeoutMillis, TimeUnit.MILLISECONDS);
    }

    /** If this is the I/O thread of a member, first has it do what the member's future waits for. Throws if it then still isn't done. */
    private void beforeAwait() {
        if (isDone()) {
            return;
        }
        for (ChannelFuture member : members) {
            if (!member.isDone()
                    && member.getChannel() instanceof IoThreadBound bound
                    && bound.onAwaitBegins(member::isDone)) {
                refuseUnlessDone(member);
            }
        }
    }

    private static void refuseUnlessDone(ChannelFuture member) {
        if (!member.isDone() && DefaultChannelFuture.isUseDeadLockChecker()) {
            throw new IllegalStateException("cannot await on the I/O thread of " + member.getChannel()
                    + ": only this thread can complete its future, and not while it waits;"
                    + " add a listener to the group future instead");
        }
    }

    /** How many of the futures have succeeded and failed, the number of all, and the group. */
    @Override
    public String toString() {
        return getClass().getSimpleName() + '(' + succeeded + " succeeded, " + failed + " failed of " + members.size()
                + ", " + group + ')';
    }
}
