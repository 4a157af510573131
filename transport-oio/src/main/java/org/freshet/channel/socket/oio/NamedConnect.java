package org.freshet.channel.socket.oio;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.freshet.internal.time.SpareThreads;
import org.freshet.internal.transport.FailedAttempts;
import org.freshet.internal.transport.NameLookup;
import org.freshet.internal.transport.NewSockets;

/**
 * Connects to a host by name. It looks up the addresses, then tries them in turn: the next starts a quarter of a second
 * after the previous one, or as soon as that has failed (RFC 8305). The first to connect wins. Each attempt has its own
 * socket and, while it runs, its own thread.
 *
 * <p>Belongs to the channel's I/O thread, which waits here and must be unparked when {@code isGivenUp} becomes true.
 */
final class NamedConnect {
    private static final long PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(NameLookup.PACE_MILLIS);

    private final InetSocketAddress target;
    private final Socket own;
    private final OioSocketConfig config;

    /** The options of the channel's socket at the time the first other socket got them; null before. */
    private Map<SocketOption<?>, Object> copied;

    private final BooleanSupplier isGivenUp;

    /** For all attempts together; 0 means no limit. */
    private final int timeoutMillis;

    private final long startNanos = System.nanoTime();
    private final Thread ioThread = Thread.currentThread();

    /**
     * @param target unresolved
     * @param own the channel's socket
     */
    NamedConnect(InetSocketAddress target, Socket own, OioSocketConfig config, BooleanSupplier isGivenUp) {
        this.target = target;
        this.own = own;
        this.config = config;
        this.isGivenUp = isGivenUp;
        timeoutMillis = config.getConnectTimeoutMillis();
    }

    /**
     * Waits until the host is connected.
     *
     * @param local the channel's local address; null if it isn't bound
     * @return the connected socket, which is the channel's own if only one address can be used; null if the connect is
     *     given up
     * @throws IOException if all attempts have failed, or the time has elapsed
     */
    Socket connect(SocketAddress local) throws IOException {
        List<InetSocketAddress> found = lookUp();
        if (found == null) {
            return null;
        }
        List<InetSocketAddress> addresses = NameLookup.reachableFrom(local, found);
        return addresses.size() == 1 ? connectOwn(addresses.get(0)) : race(addresses);
    }

    private Socket connectOwn(InetSocketAddress address) throws IOException {
        try {
            own.connect(address, remainingMillis());
            return own;
        } catch (IOException e) {
            throw asIoException(ConnectFailures.named(e, address, timeoutMillis));
        }
    }

    // ---- the lookup -------------------------------------------------------------------------------------------------

    /** Allocated in advance, so receiving the result needs no memory. */
    private static final class LookupResult {
        private List<InetSocketAddress> addresses;
        private Exception failure;

        /** Written last. */
        private volatile boolean isComplete;
    }

    /** Waits for the addresses, in the order in which to try them. Returns null if the connect is given up. */
    private List<InetSocketAddress> lookUp() throws IOException {
        LookupResult found = new LookupResult();
        NameLookup lookup = NameLookup.start(config.nameResolver(), target, timeoutMillis, (addresses, failure) -> {
            found.addresses = addresses;
            found.failure = failure;
            found.isComplete = true;
            LockSupport.unpark(ioThread);
        });
        while (!found.isComplete && !isGivenUp.getAsBoolean()) {
            LockSupport.park(this);
            Thread.interrupted(); // clear it: a pending interrupt would keep park from waiting
        }
        if (!found.isComplete) {
            lookup.cancel();
            return null;
        }
        return addressesOf(found);
    }

    private List<InetSocketAddress> addressesOf(LookupResult found) throws IOException {
        Exception failure = found.failure;
        if (failure == null) {
            return found.addresses;
        }
        if (failure instanceof UnknownHostException) {
            UnknownHostException unknown =
                    new UnknownHostException("unresolved address: " + target.getHostString() + ":" + target.getPort());
            unknown.initCause(failure);
            throw unknown;
        }
        throw asIoException(failure);
    }

    private static IOException asIoException(Exception failure) {
        if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        return (IOException) failure;
    }

    // ---- the race ---------------------------------------------------------------------------------------------------

    private static final IOException UNKNOWN = new IOException("a connect failed: out of memory");

    /** One attempt at an address, on a thread that may block. */
    private final class Racer implements Runnable {
        final Socket socket;
        final InetSocketAddress address;

        /** Null once connected. Written before the racer is added to {@code ended}. */
        private Exception failure;

        Racer(Socket socket, InetSocketAddress address) {
            this.socket = socket;
            this.address = address;
        }

        @Override
        public void run() {
            failure = UNKNOWN; // stays if an Error is thrown
            try {
                socket.connect(address, remainingMillis());
                failure = null;
            } catch (IOException | RuntimeException e) {
                failure = e;
            } finally {
                ended.add(this);
                LockSupport.unpark(ioThread);
            }
        }
    }

    private final Queue<Racer> ended = new ConcurrentLinkedQueue<>();
    private final List<Racer> running = new ArrayList<>();

    /** @param addresses two or more */
    private Socket race(List<InetSocketAddress> addresses) throws IOException {
        Racer winner = null;
        try {
            Racer first = raceOf(addresses);
            if (first == null) {
                return null;
            }
            config.copyChanges(first.socket, copied);
            winner = first;
            return first.socket;
        } finally {
            for (Racer racer : running) { // interrupts those still connecting
                if (racer != winner) {
                    NewSockets.closeQuietly(racer.socket);
                }
            }
        }
    }

    private Racer raceOf(List<InetSocketAddress> addresses) throws IOException {
        FailedAttempts failures = new FailedAttempts(target);
        int tried = 0;
        int lost = 0;
        long nextNanos = System.nanoTime();
        while (!isGivenUp.getAsBoolean()) {
            for (Racer racer = ended.poll(); racer != null; racer = ended.poll()) {
                if (racer.failure == null) {
                    return racer;
                }
                if (racer.failure instanceof SocketTimeoutException) {
                    throw failures.timeout(timeoutMillis); // the time-out applies to all attempts
                }
                lost++;
                failures.add(ConnectFailures.named(racer.failure, racer.address, timeoutMillis));
                nextNanos = System.nanoTime();
            }
            if (lost == addresses.size()) {
                throw asIoException(failures.all());
            }
            if (timeoutMillis > 0 && remainingNanos() <= 0) {
                throw failures.timeout(timeoutMillis);
            }
            if (tried < addresses.size() && System.nanoTime() - nextNanos >= 0) {
                begin(new Racer(newSocketLikeOwn(), addresses.get(tried++)));
                nextNanos = System.nanoTime() + PACE_NANOS;
            } else {
                await(tried < addresses.size() ? nextNanos - System.nanoTime() : Long.MAX_VALUE);
            }
        }
        return null;
    }

    private Socket newSocketLikeOwn() throws IOException {
        Socket other = new Socket();
        try {
            if (copied == null) {
                copied = config.optionsNow();
            }
            config.copyTo(other);
            return other;
        } catch (Throwable t) {
            NewSockets.closeAfter(t, other);
            throw t;
        }
    }

    private void begin(Racer racer) {
        running.add(racer);
        if (!SpareThreads.offer(racer)) {
            racer.run(); // sequential attempts are better than none
        }
    }

    private void await(long nanos) {
        long most = timeoutMillis > 0 ? Math.min(nanos, remainingNanos()) : nanos;
        if (ended.isEmpty() && most > 0) {
            LockSupport.parkNanos(this, most);
            Thread.interrupted(); // as above
        }
    }

    private long remainingNanos() {
        return TimeUnit.MILLISECONDS.toNanos(timeoutMillis) - (System.nanoTime() - startNanos);
    }

    /** Returns 1 or more; 0 means no limit. */
    private int remainingMillis() {
        return timeoutMillis == 0 ? 0 : (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(remainingNanos()));
    }
}
