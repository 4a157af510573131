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
import org.freshet.internal.LastWords;
import org.freshet.internal.handler.Deadline;
import org.freshet.internal.time.SpareThreads;
import org.freshet.logging.InternalLoggerFactory;
import org.freshet.util.NetUtil;

/**
 * Looks the addresses of one host up, on a thread that may block. All lookups of the process share {@link #MAX_THREADS} threads and a queue of
 * {@link #MAX_WAITING}.
 *
 * <p>It ends once: with addresses, with a failure, or with nothing when it's cancelled. Any thread may start and cancel one.
 */
public final class NameLookup {
    /** How long to wait for one address before the next is tried, too; RFC 8305 5 recommends it. */
    public static final int PACE_MILLIS = 250;

    /** A resolver that hangs keeps that many threads, and no more. */
    static final int MAX_THREADS = 8;

    static final int MAX_WAITING = 1000;
    static final int MAX_ADDRESSES = 16;

    private static final Queue<NameLookup> waiting = new LinkedBlockingQueue<>(MAX_WAITING);
    private static final AtomicInteger threads = new AtomicInteger();
    private static final LastWords LOOKUP_FAILED = LastWords.error(
            InternalLoggerFactory.getInstance(NameLookup.class), "the end of a lookup of a name failed");

    /** For when there is no memory to say more. */
    private static final IOException NO_MEMORY = new IOException("a name could not be looked up for lack of memory");

    /** Hears of the outcome once, on any thread, must be short, and takes no memory: nothing else tells it again. */
    @FunctionalInterface
    public interface Listener {
        /**
         * @param addresses in the order in which to try them; null if it failed
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

    /** Null without a time limit. */
    private final Deadline deadline;

    /** Guarded by this, as is {@link #runner}. */
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
     * Starts one. An IP address in text is its own outcome, before this returns.
     *
     * @param target unresolved
     * @param timeoutMillis 0 for none
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
            end(null, new RejectedExecutionException("too many names to look up: " + MAX_WAITING + " wait already"));
        } else if (enterThread() && !offerThread()) {
            threads.decrementAndGet();
            if (waiting.remove(this)) {
                end(null, new RejectedExecutionException("no thread can be started to look up " + target));
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

    /** Does what waits; a lookup that comes while the last thread is about to leave has it stay. */
    private static void work() {
        do {
            NameLookup next = waiting.poll();
            while (next != null) {
                try {
                    next.run();
                } catch (Throwable t) { // the others go on, and this thread is one of few
                    LOOKUP_FAILED.say(null, t);
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
            Thread.interrupted(); // by a cancel that came late
        }
    }

    /** Gives up without an outcome. Has no effect on one that has ended. */
    public void cancel() {
        if (enterEnd(true)) {
            waiting.remove(this);
        }
    }

    private void onTimeout(int timeoutMillis) {
        Exception timeout = new ConnectTimeoutException( // before the end: without memory, all this is tried again
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

    /** Returns false if it has ended before. */
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
     * The addresses that a socket can be connected to: all, or one if it is bound and thus has to be this very socket.
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

    /** A resolver is the user's, and may throw anything. */
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
     * Takes turns between the address families, beginning with that of the first address (RFC 8305 4), so that one family that doesn't work
     * delays a connect once.
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

    /** With the host's name, which TLS verifies, whatever the resolver has put there. */
    private InetAddress named(InetAddress address) throws UnknownHostException {
        String host = target.getHostString();
        return address instanceof Inet6Address six
                ? Inet6Address.getByAddress(host, six.getAddress(), six.getScopeId())
                : InetAddress.getByAddress(host, address.getAddress());
    }
}
