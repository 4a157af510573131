package org.freshet.microbench.compare.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Samples the kernel's queues for a server's connections, as shown by Linux in {@code /proc/net/tcp}. Started and
 * stopped by one thread, which may read the results after the stop.
 */
public final class KernelQueues implements AutoCloseable {
    private static final List<Path> TABLES = List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));
    private static final String LISTENING = "0A";
    private static final long PAUSE_MILLIS = 5;

    /**
     * The state of the queues at one time.
     *
     * @param unsentBytes at the clients: not acknowledged by the server's kernel
     * @param unreadBytes received for the server, but not read by it
     * @param unacceptedConnections not accepted by the server
     */
    record Sample(long unsentBytes, long unreadBytes, long unacceptedConnections) {
        Sample plus(Sample other) {
            return new Sample(
                    unsentBytes + other.unsentBytes,
                    unreadBytes + other.unreadBytes,
                    unacceptedConnections + other.unacceptedConnections);
        }
    }

    private final int port;
    private final Thread sampler = new Thread(this::run, "kernel queues");

    private volatile boolean stopped;

    /** Written by the sampler, read once it has ended. */
    private Sample sum = new Sample(0, 0, 0);

    private int samples;

    private KernelQueues(int port) {
        this.port = port;
    }

    /** Starts sampling the queues of the server at a port of this machine. */
    public static KernelQueues sample(int port) {
        KernelQueues queues = new KernelQueues(port);
        queues.sampler.setDaemon(true);
        queues.sampler.start();
        return queues;
    }

    private void run() {
        try {
            while (!stopped) {
                for (Path table : TABLES) {
                    if (Files.isReadable(table)) {
                        sum = sum.plus(parse(Files.readAllLines(table), port));
                    }
                }
                samples++;
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (IOException | InterruptedException e) {
            samples = 0; // the figures are unknown
        }
    }

    /** Parses the rows of a table, the first of which is a heading. */
    static Sample parse(List<String> table, int port) {
        Sample sum = new Sample(0, 0, 0);
        for (String row : table.subList(1, table.size())) {
            String[] columns = row.trim().split("\\s+");
            long unsent = Long.parseLong(columns[4].substring(0, 8), 16);
            long unread = Long.parseLong(columns[4].substring(9), 16);
            if (port(columns[2]) == port) {
                sum = sum.plus(new Sample(unsent, 0, 0));
            } else if (port(columns[1]) == port) {
                sum = sum.plus(columns[3].equals(LISTENING) ? new Sample(0, 0, unread) : new Sample(0, unread, 0));
            }
        }
        return sum;
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.indexOf(':') + 1), 16);
    }

    /** Stops sampling. */
    @Override
    public void close() {
        stopped = true;
        try {
            sampler.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the mean of all samples; NaN if there are no samples. */
    public double unsentBytes() {
        return mean(sum.unsentBytes);
    }

    /** Returns the mean of all samples; NaN if there are no samples. */
    public double unreadBytes() {
        return mean(sum.unreadBytes);
    }

    /** Returns the mean of all samples; NaN if there are no samples. */
    public double unacceptedConnections() {
        return mean(sum.unacceptedConnections);
    }

    private double mean(long total) {
        return samples == 0 ? Double.NaN : (double) total / samples;
    }
}
