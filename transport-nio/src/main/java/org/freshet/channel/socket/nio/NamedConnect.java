package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.UnknownHostException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.CloseReason;
import org.freshet.channel.NameResolver;
import org.freshet.channel.UnresolvedHostException;
import org.freshet.channel.socket.nio.loop.Deadlines;
import org.freshet.channel.socket.nio.loop.TaskQueue;
import org.freshet.internal.transport.FailedAttempts;
import org.freshet.internal.transport.NameLookup;
import org.freshet.internal.transport.NewSockets;

/**
 * Connects a channel to a host by name. It looks up the addresses, then tries them in turn: the next starts a quarter
 * of a second after the previous one, or as soon as that has failed (RFC 8305). The first to connect wins. Each attempt
 * has its own socket with the options of the channel's. A single address, or a channel that is bound, uses the
 * channel's socket.
 *
 * <p>Threading: as in {@link PendingConnect}, except that everything belongs to the worker until the addresses are
 * known.
 */
final class NamedConnect extends PendingConnect {
    private final InetSocketAddress target;
    private final NameResolver resolver;
    private final SocketChannel own;
    private final FailedAttempts failures;
    private final LookupResult lookupResult = new LookupResult();

    /** The options of the channel's socket at the time the first other socket got them; null before. Boss only. */
    private Map<SocketOption<?>, Object> copied;

    private final long startNanos = System.nanoTime();

    /** Worker only. Null once the addresses are known. */
    private NameLookup lookup;

    // Belong to the boss, once it has been given the addresses.
    private List<InetSocketAddress> addresses;
    private int tried;
    private final List<Racer> racers = new ArrayList<>();

    /** Null if no further address is waiting for its turn. */
    private Deadlines.Deadline pace;

    /** Written before the end; null if no attempt has won. */
    private Racer winner;

    /**
     * @param target unresolved
     * @param own the channel's socket
     */
    NamedConnect(
            NioStreamChannel channel,
            SocketChannel own,
            InetSocketAddress target,
            NameResolver resolver,
            int timeoutMillis,
            ChannelFuture future,
            NioClientBoss boss) {
        super(channel, timeoutMillis, future, boss);
        this.own = own;
        this.target = target;
        this.resolver = resolver;
        failures = new FailedAttempts(target);
    }

    // ---- the lookup, on the worker ----------------------------------------------------------------------------------

    @Override
    void start() {
        try {
            lookup = NameLookup.start(resolver, target, timeoutMillis, this::onLookedUp);
        } catch (RuntimeException e) {
            endOnWorker(e);
        } catch (Error e) { // the request fails with it, which closes the channel
            endOnWorker(e);
            throw e;
        }
    }

    /** Called on any thread. */
    private void onLookedUp(List<InetSocketAddress> found, Exception failure) {
        lookupResult.found = found;
        lookupResult.failure = failure;
        if (!channel.loop().tasks().submitLink(lookupResult)) {
            endStranded();
        }
    }

    /** Notifies the worker of the result. Allocated in advance, so it needs no memory then. */
    private final class LookupResult implements TaskQueue.Task {
        private List<InetSocketAddress> found;
        private Exception failure;
        private TaskQueue.Task next;

        @Override
        public void run() {
            try {
                onAddresses(found, failure);
            } catch (Throwable t) { // even out of memory: nothing else can end this attempt
                if (state == State.ENDED) {
                    throw t;
                }
                endOnWorker(t);
            }
        }

        @Override
        public TaskQueue.Task next() {
            return next;
        }

        @Override
        public void setNext(TaskQueue.Task following) {
            next = following;
        }
    }

    private void onAddresses(List<InetSocketAddress> found, Exception failure) {
        if (state == State.ENDED) {
            return; // abandoned in the meantime
        }
        lookup = null;
        if (failure != null) {
            endOnWorker(
                    failure instanceof UnknownHostException ? new UnresolvedHostException(target, failure) : failure);
            return;
        }
        addresses = NameLookup.reachableFrom(channel.getLocalAddress(), found);
        if (!boss.submit(this::onRace)) {
            endOnWorker(new ChannelClosedException(CloseReason.SHUTDOWN));
        }
    }

    @Override
    void abandon() {
        if (lookup == null) {
            super.abandon();
        } else {
            lookup.cancel();
            endOnWorker(ChannelClosedException.of(channel));
        }
    }

    // ---- the race, on the boss --------------------------------------------------------------------------------------

    private void onRace() {
        if (state == State.ENDED) {
            return;
        }
        try {
            if (timeoutMillis > 0) {
                long spentMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
                startDeadline(
                        (int) Math.max(1, timeoutMillis - spentMillis), () -> onEnd(failures.timeout(timeoutMillis)));
            }
            onTurn();
            if (!boss.isRunning()) {
                onBossStopping();
            }
        } catch (Throwable t) { // even out of memory: nothing else knows of this attempt
            onEnd(t);
        }
    }

    /** Starts the next attempt that can be started. Ends if none is left. */
    private void onTurn() {
        stopPace();
        boolean hasBegun = false;
        while (state == State.WAITING && !hasBegun && tried < addresses.size()) {
            InetSocketAddress address = addresses.get(tried++);
            try {
                begin(address);
                hasBegun = true;
            } catch (IOException | RuntimeException e) {
                failures.add(named(e, address));
            }
        }
        if (state == State.ENDED) {
            return;
        }
        if (tried < addresses.size()) {
            pace = boss.deadlines().addIn(NameLookup.PACE_MILLIS, this::onTurn);
        } else if (racers.isEmpty()) {
            onEnd(failures.all());
        }
    }

    private void stopPace() {
        if (pace != null) {
            pace.cancel();
            pace = null;
        }
    }

    private void begin(InetSocketAddress address) throws IOException {
        Racer racer = new Racer(addresses.size() == 1 ? own : newSocketLikeOwn(), address);
        try {
            racers.add(racer);
            if (racer.socket.connect(address)) {
                onWon(racer);
            } else {
                racer.key = boss.onRegister(racer.socket, SelectionKey.OP_CONNECT, racer);
            }
        } catch (Throwable t) {
            racers.remove(racer);
            racer.release();
            throw t;
        }
    }

    private SocketChannel newSocketLikeOwn() throws IOException {
        SocketChannel other = own.provider().openSocketChannel();
        try {
            other.configureBlocking(false);
            if (copied == null) {
                copied = config().optionsNow();
            }
            config().copyTo(other);
            return other;
        } catch (Throwable t) {
            NewSockets.closeAfter(t, other);
            throw t;
        }
    }

    private NioSocketConfig config() {
        return (NioSocketConfig) channel.getConfig();
    }

    private void onWon(Racer racer) {
        try {
            if (racer.socket != own) {
                config().copyChanges(racer.socket, copied);
            }
        } catch (IOException | RuntimeException e) {
            onLost(racer, e);
            return;
        }
        winner = racer;
        onEnd(null);
    }

    private void onLost(Racer racer, Exception cause) {
        if (racers.remove(racer)) {
            racer.release();
            try {
                failures.add(cause);
                onTurn();
            } catch (Throwable t) { // as in onRace; this racer can't be notified, it has been removed
                onEnd(t);
            }
        }
    }

    @Override
    void onRelease() {
        stopPace();
        racers.forEach(Racer::release);
        racers.clear();
    }

    @Override
    SocketChannel connected() {
        return winner == null || winner.socket == own ? null : winner.socket;
    }

    /** An attempt to connect to one address. */
    private final class Racer implements BossKey {
        final SocketChannel socket;
        final InetSocketAddress address;

        /** Null until registered. */
        private SelectionKey key;

        Racer(SocketChannel socket, InetSocketAddress address) {
            this.socket = socket;
            this.address = address;
        }

        /** The channel closes its own socket. */
        void release() {
            if (key != null) {
                key.cancel();
            }
            if (this != winner && socket != own) {
                NewSockets.closeQuietly(socket);
            }
        }

        @Override
        public void onConnectable() {
            if (state == State.ENDED || !racers.contains(this)) {
                key.cancel();
                return;
            }
            try {
                if (socket.finishConnect()) {
                    onWon(this);
                }
            } catch (IOException | RuntimeException e) {
                onLost(this, named(e, address));
            }
        }

        @Override
        public void onLoopStopping() {
            onBossStopping();
        }

        @Override
        public void onKeyChanged(SelectionKey changed) {
            key = changed;
        }

        @Override
        public void onFailed(Throwable cause) {
            onLost(this, new IOException("failed to finish a connect to " + address, cause));
        }
    }
}
