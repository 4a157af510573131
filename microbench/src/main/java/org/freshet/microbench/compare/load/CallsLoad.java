package org.freshet.microbench.compare.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.HdrHistogram.Histogram;

/**
 * Many threads call a server over and over. Each call connects, sends its request, waits for the answer, which depends
 * on every byte, and closes. The methods belong to the thread that created the load; the clients' threads live for one
 * run.
 */
public final class CallsLoad implements Generator {
    private final InetSocketAddress server;
    private final Calls calls;
    private final byte[] body;
    private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong answered = new AtomicLong();

    private final boolean samplesQueues;

    /** Null before the first run, and if the queues are not sampled. */
    private KernelQueues queues;

    private Histogram connectNanos = newHistogram();
    private List<Long> callsOfSeconds = List.of();

    /**
     * The clients' workload.
     *
     * @param pieces number of writes per request
     */
    public record Calls(int clients, int requestBytes, int pieces, boolean tcpNoDelay, long seed) {}

    /** A load for the server at {@code port} on the loopback address. */
    public CallsLoad(int port, Calls calls) {
        this(port, calls, false);
    }

    /** @param samplesQueues whether {@link #queues} are sampled; that takes some of the client's processor time */
    public CallsLoad(int port, Calls calls, boolean samplesQueues) {
        this.samplesQueues = samplesQueues;
        this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.calls = calls;
        this.body = new byte[calls.requestBytes()];
        new Random(calls.seed()).nextBytes(body);
    }

    /** Makes one call: connections are part of calls. */
    @Override
    public Outcome connect() throws IOException {
        return run(1, Duration.ofDays(1), done -> {});
    }

    @Override
    public Outcome run(long messages, Duration limit, LongConsumer progress) throws IOException {
        try (KernelQueues sampled = samplesQueues ? KernelQueues.sample(server.getPort()) : null) {
            queues = sampled;
            return runCalls(messages, limit, progress);
        }
    }

    private Outcome runCalls(long messages, Duration limit, LongConsumer progress) throws IOException {
        long last = begun.get() + messages;
        long deadlineNanos = System.nanoTime() + limit.toNanos();
        ExecutorService threads = Executors.newFixedThreadPool(calls.clients());
        StallGuard guard = new StallGuard(answered::get, StallGuard.PATIENCE, () -> open.forEach(CallsLoad::close));
        try (guard) {
            Stopwatch watch = new Stopwatch();
            List<Future<Client>> clients = new ArrayList<>();
            for (int i = 0; i < Math.min(calls.clients(), messages); i++) {
                clients.add(threads.submit(() -> new Client().call(last, deadlineNanos)));
            }
            threads.shutdown();
            countSeconds(threads, progress);
            return merged(watch.elapsedNanos(), clients);
        } catch (IOException e) {
            throw guard.stalled() ? new IOException(guard.complaint(), e) : e;
        } finally {
            threads.shutdownNow();
        }
    }

    /** Returns samples of the kernel's queues during the last run; null if they were not sampled. */
    public KernelQueues queues() {
        return queues;
    }

    /** Returns the connect times of the last run; they are part of the calls' times. */
    public Histogram connectNanos() {
        return connectNanos;
    }

    /** Returns the number of calls that ended in each whole second of the last run. */
    public List<Long> callsOfSeconds() {
        return callsOfSeconds;
    }

    /** Nothing is left open between runs. */
    @Override
    public void close() {
        open.forEach(CallsLoad::close);
    }

    private void countSeconds(ExecutorService threads, LongConsumer progress) throws IOException {
        List<Long> seconds = new ArrayList<>();
        long start = answered.get();
        long before = start;
        try {
            while (!threads.awaitTermination(1, TimeUnit.SECONDS)) {
                long now = answered.get();
                seconds.add(now - before);
                before = now;
                progress.accept(now - start);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the clients were calling", e);
        }
        callsOfSeconds = seconds;
    }

    private Outcome merged(long elapsedNanos, List<Future<Client>> clients) throws IOException {
        Histogram callNanos = newHistogram();
        connectNanos = newHistogram();
        long cpuNanos = 0;
        for (Future<Client> future : clients) {
            Client client = result(future);
            callNanos.add(client.callNanos);
            connectNanos.add(client.clientsConnectNanos);
            cpuNanos += client.cpuNanos;
        }
        return new Outcome(callNanos.getTotalCount(), elapsedNanos, cpuNanos, callNanos);
    }

    private static Client result(Future<Client> client) throws IOException {
        try {
            return client.get(0, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new IllegalStateException("the threads have ended", e);
        }
    }

    private static Histogram newHistogram() {
        return new Histogram(Duration.ofMinutes(1).toNanos(), 3);
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // Either way, it no longer blocks.
        }
    }

    /** One thread's part; belongs to that thread. */
    private final class Client {
        private final ByteBuffer request =
                ByteBuffer.allocateDirect(calls.requestBytes()).put(body);
        private final ByteBuffer answer = ByteBuffer.allocateDirect(CallDigest.ANSWER_BYTES);
        private final CallDigest digest = new CallDigest(calls.requestBytes());
        private final Histogram callNanos = newHistogram();
        private final Histogram clientsConnectNanos = newHistogram();
        private long cpuNanos;

        Client call(long last, long deadlineNanos) throws IOException {
            do { // at least once, so that a run has something to measure
                long number = begun.getAndIncrement();
                if (number >= last) {
                    begun.decrementAndGet();
                    break;
                }
                callOnce(number);
                answered.incrementAndGet();
            } while (System.nanoTime() - deadlineNanos < 0);
            cpuNanos = Stopwatch.ownCpuNanos();
            return this;
        }

        private void callOnce(long number) throws IOException {
            byte[] due = prepare(number);
            long startNanos = System.nanoTime();
            SocketChannel channel = SocketChannel.open();
            open.add(channel);
            try (channel) {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, calls.tcpNoDelay());
                channel.connect(server);
                clientsConnectNanos.recordValue(System.nanoTime() - startNanos);
                send(channel);
                receive(channel, number, due);
                callNanos.recordValue(System.nanoTime() - startNanos);
            } finally {
                open.remove(channel);
            }
        }

        /** Changes the request, and returns the expected answer. */
        private byte[] prepare(long number) {
            for (int i = 0; i < Math.min(Long.BYTES, request.capacity()); i++) {
                request.put(i, (byte) (number >> Byte.SIZE * i));
            }
            digest.take(request.clear());
            return digest.answer();
        }

        private void send(SocketChannel channel) throws IOException {
            for (int piece = 1; piece <= calls.pieces(); piece++) {
                request.limit((int) ((long) request.capacity() * piece / calls.pieces()));
                request.position((int) ((long) request.capacity() * (piece - 1) / calls.pieces()));
                while (request.hasRemaining()) {
                    channel.write(request);
                }
            }
        }

        private void receive(SocketChannel channel, long number, byte[] due) throws IOException {
            answer.clear();
            while (answer.hasRemaining()) {
                if (channel.read(answer) < 0) {
                    throw new EOFException("the server did not answer call " + number);
                }
            }
            byte[] actual = new byte[CallDigest.ANSWER_BYTES];
            answer.flip().get(actual);
            if (!Arrays.equals(actual, due)) {
                throw new IOException("the answer to call " + number + " is " + Arrays.toString(actual) + ", expected "
                        + Arrays.toString(due));
            }
        }
    }
}
