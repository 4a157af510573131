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
 * Connects a channel to a host by its name: looks the addresses up, then tries them in turn, a quarter of a second after the one before or as
 * soon as that has failed (RFC 8305). The first that is connected wins. Each is tried with a socket of its own, which has the options of the
 * channel's; a single address, and a channel that is bound, use the channel's socket.
 *
 * <p>Threading: as {@link PendingConnect}, except that all belongs to the worker until the addresses are known.
 */
final class NamedConnect extends PendingConnect {
    private final InetSocketAddress target;
    private final NameResolver resolver;
    private final SocketChannel own;
    private final FailedAttempts failures;
    private final Heard heard = new Heard();

    /** The options of the channel's socket when the first other one got them; null before. Boss only. */
    private Map<SocketOption<?>, Object> copied;

    private final long startNanos = System.nanoTime();

    /** Worker only. Null once the addresses are known. */
    private NameLookup lookup;

    // The boss's, once it has been given the addresses.
    private List<InetSocketAddress> addresses;
    private int tried;
    private final List<Racer> racers = new ArrayList<>();

    /** Null if no further address waits for its turn. */
    private Deadlines.Deadline pace;

    /** Written before the end; null if there is none. */
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
        } catch (Error e) { // the request fails with it, and closes the channel
            endOnWorker(e);
            throw e;
        }
    }

    /** Any thread. */
    private void onLookedUp(List<InetSocketAddress> found, Exception failure) {
        heard.found = found;
        heard.failure = failure;
        if (!channel.loop().tasks().submitLink(heard)) {
            endStranded();
        }
    }

    /** Has the worker hear of the outcome. Made beforehand, so that it takes no memory then. */
    private final class Heard implements TaskQueue.Task {
        private List<InetSocketAddress> found;
        private Exception failure;
        private TaskQueue.Task next;

        @Override
        public void run() {
            try {
                onAddresses(found, failure);
            } catch (
                    Throwable
                            t) { // also without memory: nothing else knows of this attempt, and the boss hasn't got it
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
            return; // abandoned meanwhile
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
        } catch (Throwable t) { // also without memory: nothing else knows of this attempt
            onEnd(t);
        }
    }

    /** Begins with the next address that can be begun with; ends if none is left. */
    private void onTurn() {
        stopPace();
        boolean isBegun = false;
        while (state == State.WAITING && !isBegun && tried < addresses.size()) {
            InetSocketAddress address = addresses.get(tried++);
            try {
                begin(address);
                isBegun = true;
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
            } catch (Throwable t) { // as in onRace: this racer, which would be told, is out already
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

    /** A socket on its way to one address. */
    private final class Racer implements BossKey {
        final SocketChannel socket;
        final InetSocketAddress address;

        /** Null until registered. */
        private SelectionKey key;

        Racer(SocketChannel socket, InetSocketAddress address) {
            this.socket = socket;
            this.address = address;
        }

        /** The channel's socket is the channel's to close. */
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
