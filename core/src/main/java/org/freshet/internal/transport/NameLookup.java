package org.freshet.internal.transport;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.channel.ConnectTimeoutException;
import org.freshet.channel.NameResolver;
import org.freshet.internal.FailsafeLogMessage;
import org.freshet.internal.handler.Deadline;
import org.freshet.internal.time.SpareThreads;
import org.freshet.logging.InternalLoggerFactory;
import org.freshet.util.NetUtil;

/**
 * Looks up the addresses of one host, on a thread that may block. All lookups of the process share {@link #MAX_THREADS} threads and a queue
 * of {@link #MAX_WAITING}.
 *
 * <p>A lookup ends once: with addresses, with a failure, or with nothing if it is cancelled. Any thread may start and cancel one.
 */
public final class NameLookup {
    /** How long to wait for one address before the next one is tried, too; recommended by section 5 of RFC 8305. */
    public static final int PACE_MILLIS = 250;

    /** At most this many threads are held by a resolver that hangs. */
    static final int MAX_THREADS = 8;

    static final int MAX_WAITING = 1000;
    static final int MAX_ADDRESSES = 16;

    private static final Queue<NameLookup> waiting = new LinkedBlockingQueue<>(MAX_WAITING);
    private static final AtomicInteger threads = new AtomicInteger();
    private static final FailsafeLogMessage LOOKUP_FAILED = FailsafeLogMessage.error(
            InternalLoggerFactory.getInstance(NameLookup.class), "handling the result of a name lookup failed");

    /** Used if there is no memory for a more detailed exception. */
    private static final IOException NO_MEMORY = new IOException("out of memory while looking up a name");

    /** Called once with the outcome, on any thread. Must be short and must not allocate, because it is not called again. */
    @FunctionalInterface
    public interface Listener {
        /**
         * @param addresses in the order in which to try them; null if the lookup failed
         * @param failure null if it didn't
         */
        void onLookedUp(List<InetSocketAddress> addresses, Exception failure);
    }

    private enum State {
        WAITING,
        RUNNING,
        ENDED
    }

    private final NameResolver resolver;
    private final InetSocketAddress target;
    private final Listener listener;

    /** Null if there is no time limit. */
    private final Deadline deadline;

    /** Guarded by this, like {@link #runner}. */
    private State state = State.WAITING;

    /** Null unless RUNNING. */
    private Thread runner;

    private NameLookup(NameResolver resolver, InetSocketAddress target, int timeoutMillis, Listener listener) {
        this.resolver = resolver;
        this.target = target;
        this.listener = listener;
        deadline = timeoutMillis == 0 ? null : new Deadline(null, timeoutMillis, () -> onTimeout(timeoutMillis));
    }

    /**
     * Starts a lookup. For an IP address in text form, the listener is called before this returns.
     *
     * @param target unresolved
     * @param timeoutMillis 0 for no limit
     */
    public static NameLookup start(
            NameResolver resolver, InetSocketAddress target, int timeoutMillis, Listener listener) {
        NameLookup lookup = new NameLookup(resolver, target, timeoutMillis, listener);
        byte[] literal = NetUtil.createByteArrayFromIpAddressString(target.getHostString());
        if (literal == null) {
            lookup.enqueue();
        } else {
            lookup.end(() -> List.of(InetAddress.getByAddress(literal)));
        }
        return lookup;
    }

    private void enqueue() {
        if (deadline != null) {
            deadline.start();
        }
        if (!waiting.offer(this)) {
            end(null, new RejectedExecutionException("too many names to look up: " + MAX_WAITING + " are waiting"));
        } else if (enterThread() && !offerThread()) {
            threads.decrementAndGet();
            if (waiting.remove(this)) {
                end(null, new RejectedExecutionException("cannot start a thread to look up " + target));
            }
        }
    }

    private static boolean offerThread() {
        try {
            return SpareThreads.offer(NameLookup::work);
        } catch (Error withoutMemory) { // before the task was handed over
            return false;
        }
    }

    private static boolean enterThread() {
        return threads.getAndUpdate(count -> Math.min(count + 1, MAX_THREADS)) < MAX_THREADS;
    }

    /** Runs the waiting lookups. If a lookup arrives when the last thread is about to leave, that thread stays. */
    private static void work() {
        do {
            NameLookup next = waiting.poll();
            while (next != null) {
                try {
                    next.run();
                } catch (Throwable t) { // the other lookups must run, and there are few threads
                    LOOKUP_FAILED.log(null, t);
                }
                next = waiting.poll();
            }
            threads.decrementAndGet();
        } while (!waiting.isEmpty() && enterThread());
    }

    private void run() {
        synchronized (this) {
            if (state == State.ENDED) {
                return;
            }
            state = State.RUNNING;
            runner = Thread.currentThread();
        }
        end(() -> resolver.resolve(target.getHostString()));
        synchronized (this) {
            Thread.interrupted(); // clears the interrupt of a late cancel
        }
    }

    /** Ends the lookup without an outcome. Has no effect if it has already ended. */
    public void cancel() {
        if (enterEnd(true)) {
            waiting.remove(this);
        }
    }

    private void onTimeout(int timeoutMillis) {
        Exception timeout = new ConnectTimeoutException( // first: if this is out of memory, it is retried
                "the name was not looked up within " + timeoutMillis + " ms: " + target.getHostString());
        if (enterEnd(true)) {
            waiting.remove(this);
            listener.onLookedUp(null, timeout);
        }
    }

    private void end(List<InetSocketAddress> addresses, Exception failure) {
        if (enterEnd(false)) {
            listener.onLookedUp(addresses, failure);
        }
    }

    /** Returns false if the lookup has already ended. */
    private boolean enterEnd(boolean interrupts) {
        synchronized (this) {
            if (state == State.ENDED) {
                return false;
            }
            state = State.ENDED;
            if (interrupts && runner != null) {
                runner.interrupt();
            }
            runner = null;
        }
        if (deadline != null) {
            deadline.cancel();
        }
        return true;
    }

    /**
     * Returns the addresses that a socket can connect to: all, or a single one if the socket is bound, because then only this socket can be
     * used.
     *
     * @param local null if the socket isn't bound
     */
    public static List<InetSocketAddress> reachableFrom(SocketAddress local, List<InetSocketAddress> addresses) {
        if (!(local instanceof InetSocketAddress bound)) {
            return addresses;
        }
        Class<?> family = bound.getAddress().getClass();
        boolean isAny = bound.getAddress().isAnyLocalAddress();
        return List.of(addresses.stream()
                .filter(remote -> isAny || remote.getAddress().getClass() == family)
                .findFirst()
                .orElse(addresses.get(0)));
    }

    // ---- the outcome ------------------------------------------------------------------------------------------------

    private interface Answer {
        List<InetAddress> get() throws UnknownHostException;
    }

    /** Ends the lookup with an answer. A resolver is user code and may throw anything. */
    private void end(Answer answer) {
        List<InetSocketAddress> addresses = null;
        Exception failure = null;
        try {
            addresses = ordered(answer.get());
        } catch (Exception e) {
            failure = e;
        } catch (Throwable e) {
            failure = failureBy(e);
        }
        end(addresses, failure);
    }

    private Exception failureBy(Throwable e) {
        try {
            return new IOException("the resolver failed to look up " + target.getHostString() + ": " + e, e);
        } catch (Throwable withoutMemory) {
            return NO_MEMORY;
        }
    }

    /**
     * Alternates between the address families, starting with that of the first address (section 4 of RFC 8305), so that a family that
     * doesn't work delays a connect only once.
     */
    private List<InetSocketAddress> ordered(List<InetAddress> found) throws UnknownHostException {
        if (found == null || found.isEmpty()) {
            throw new UnknownHostException(target.getHostString() + ": no address");
        }
        Queue<InetAddress> next = new ArrayDeque<>();
        Queue<InetAddress> other = new ArrayDeque<>();
        for (InetAddress address : found) {
            (address.getClass() == found.get(0).getClass() ? next : other).add(address);
        }
        List<InetSocketAddress> ordered = new ArrayList<>();
        while (ordered.size() < Math.min(found.size(), MAX_ADDRESSES)) {
            InetAddress address = next.isEmpty() ? other.remove() : next.remove();
            ordered.add(new InetSocketAddress(named(address), target.getPort()));
            Queue<InetAddress> swapped = next;
            next = other.isEmpty() ? next : other;
            other = next == swapped ? other : swapped;
        }
        return ordered;
    }

    /** Sets the host's name, which TLS verifies, in place of any name from the resolver. */
    private InetAddress named(InetAddress address) throws UnknownHostException {
        String host = target.getHostString();
        return address instanceof Inet6Address six
                ? Inet6Address.getByAddress(host, six.getAddress(), six.getScopeId())
                : InetAddress.getByAddress(host, address.getAddress());
    }
}
