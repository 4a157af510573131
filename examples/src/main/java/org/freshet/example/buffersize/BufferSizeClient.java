package org.freshet.example.buffersize;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import org.freshet.bootstrap.BootstrapMXBean;
import org.freshet.example.Arguments;

/**
 * For each size of receive buffer: sets it on the running server over JMX, opens a new connection with a plain socket,
 * and times requests. Prints a CSV line for each size; fast sizes are measured again and again, for three seconds by default, and
 * their fastest connection counts. If you name a directory, it also saves the CSV and a chart there.
 */
public final class BufferSizeClient {
    static final int MESSAGE_BYTES = 8088;
    static final int DEFAULT_REQUESTS = 100;

    private static final int[] SIZES = {1144, 2288, 4576, 9152, 18304, 36608, 73216, 146432, 292864, 585728};

    /**
     * More than any window the kernel announces before the server sets the buffer size. An announced window can't be
     * withdrawn, so until it is used up, requests are as fast as with a large buffer.
     */
    private static final int WINDOW_REQUESTS = 160 * 1024 / MESSAGE_BYTES;

    /** A size has settled when this many consecutive requests took the same number of decoder calls. */
    private static final int EQUAL_REQUESTS = 3;

    /** Warms up both ends at the largest size, where requests are fast. */
    private static final int WARMUP_REQUESTS = 20_000;

    /** Time limit for a size whose requests are slow; {@link #EQUAL_REQUESTS} are measured in any case. */
    private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);

    /**
     * The scheduler may place the two threads badly, or another process may take the processors, so that for a while
     * each request takes up to three times as long. The fastest of the connections made in this time shows what the buffer does.
     */
    private static final long REPEAT_NANOS_PER_REQUEST = TimeUnit.MILLISECONDS.toNanos(30);

    private static final int MAX_REPEATED_REQUESTS = 300;

    /** Slower sizes are measured once. What disturbs fast ones is too little to be seen in them. */
    private static final double FAST_MILLIS = 10;

    /** Asks for no size; the kernel tunes the buffer. */
    private static final int KERNEL_CHOOSES = 0;

    private static final String RECEIVE_BUFFER = "child.receiveBufferSize";

    private final int port;
    private final BootstrapMXBean server;
    private final int requests;
    private final AnswerFormat format;
    private final List<BufferSizeRow> rows = new ArrayList<>();

    private BufferSizeClient(int port, BootstrapMXBean server, int requests, AnswerFormat format) {
        this.format = format;
        this.port = port;
        this.server = server;
        this.requests = requests;
    }

    public static void main(String[] args) throws Exception {
        AnswerFormat format = AnswerFormat.chosenBy(args);
        Arguments arguments = new Arguments(
                "buffer-size-client [--raw] [PORT [JMX_PORT [REQUESTS [DIRECTORY]]]]", 0, 4, format.rest(args));
        int port = arguments.port(0, BufferSizeServer.DEFAULT_PORT);
        int jmxPort = arguments.port(1, BufferSizeServer.DEFAULT_JMX_PORT);
        int requests = arguments.number(2, "requests", 1, 100_000, DEFAULT_REQUESTS);
        Path directory = directory(arguments, 3);
        try {
            run(port, jmxPort, requests, directory, format);
        } catch (IOException e) {
            System.err.println("failed: " + e);
            System.err.println("start buffer-size-server first, with the same ports and the same --raw");
            System.exit(1);
        }
    }

    /** Returns the directory for the files; null if the user names none. */
    static Path directory(Arguments arguments, int index) {
        if (index >= arguments.count()) {
            return null;
        }
        Path directory = Path.of(arguments.text(index));
        if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
            throw arguments.refuse("not a writable directory: " + directory);
        }
        return directory;
    }

    static void run(int port, int jmxPort, int requests, Path directory, AnswerFormat format) throws Exception {
        try (JMXConnector connector = JMXConnectorFactory.connect(BufferSizeServer.jmxUrl(jmxPort))) {
            BootstrapMXBean server = JMX.newMXBeanProxy(
                    connector.getMBeanServerConnection(),
                    new ObjectName(BufferSizeServer.OBJECT_NAME),
                    BootstrapMXBean.class);
            new BufferSizeClient(port, server, requests, format).sweep(directory);
        }
    }

    private void sweep(Path directory) throws IOException, JMException, ClassNotFoundException {
        System.err.println("warming up...");
        setSize(SIZES[SIZES.length - 1]);
        try (ReportingConnection warm = new ReportingConnection(port, format)) {
            for (int i = 0; i < WARMUP_REQUESTS; i++) {
                warm.request();
            }
        }
        System.out.println(BufferSizeRow.CSV_HEADER);
        for (int size : SIZES) {
            measureFirst(size);
        }
        measureFirst(KERNEL_CHOOSES);
        repeatFastSizes();
        BufferSizeRow tuned = rows.remove(rows.size() - 1);
        explain(tuned);
        if (directory == null) {
            System.out.println("name a directory to get buffer-size.csv and buffer-size.png");
        } else {
            Files.write(directory.resolve("buffer-size.csv"), csv(tuned));
            BufferSizeChart.save(rows, tuned, directory.resolve("buffer-size.png"));
            System.out.println("buffer-size.csv and buffer-size.png are in "
                    + directory.toAbsolutePath().normalize());
        }
    }

    private void setSize(int bytes) {
        if (bytes == KERNEL_CHOOSES) {
            server.removeOption(RECEIVE_BUFFER);
        } else {
            server.setOption(RECEIVE_BUFFER, String.valueOf(bytes));
        }
    }

    /** Slow sizes are printed at once. */
    private void measureFirst(int size) throws IOException, ClassNotFoundException {
        BufferSizeRow row = measure(size);
        rows.add(row);
        if (!isFast(row)) {
            print(row);
        }
    }

    private static void print(BufferSizeRow row) {
        System.out.println(row.toCsv());
    }

    private static boolean isFast(BufferSizeRow row) {
        return row.medianMillis() < FAST_MILLIS;
    }

    /** Measures them in turn, so that a disturbance doesn't hit all connections of one size. */
    private void repeatFastSizes() throws IOException, ClassNotFoundException {
        long endNanos = System.nanoTime() + Math.min(requests, MAX_REPEATED_REQUESTS) * REPEAT_NANOS_PER_REQUEST;
        while (System.nanoTime() < endNanos) {
            for (int i = 0; i < rows.size(); i++) {
                BufferSizeRow fastest = rows.get(i);
                if (isFast(fastest)) {
                    BufferSizeRow row = measure(fastest.askedBytes());
                    rows.set(i, row.medianMillis() < fastest.medianMillis() ? row : fastest);
                }
            }
        }
        rows.stream().filter(BufferSizeClient::isFast).forEach(BufferSizeClient::print);
    }

    /** Prints answers to likely questions about the table. */
    private void explain(BufferSizeRow tuned) {
        System.out.println(
                "times grow in steps of about 200 ms: with a window too small for a segment, the sender waits so long"
                        + " before it sends a part of it");
        List<String> changed = rows.stream()
                .filter(row -> row.actualBytes() != row.askedBytes())
                .map(row -> row.askedBytes() + " became " + row.actualBytes())
                .toList();
        if (!changed.isEmpty()) {
            System.out.println("the kernel changed the requested size: " + String.join(", ", changed)
                    + " (it has a minimum and a maximum, see sysctl net.core.rmem_max)");
        }
        System.out.println("the kernel's auto-tuned buffer has " + tuned.actualBytes() + " bytes");
    }

    private List<String> csv(BufferSizeRow tuned) {
        List<String> lines = new ArrayList<>(List.of(BufferSizeRow.CSV_HEADER));
        rows.forEach(row -> lines.add(row.toCsv()));
        lines.add(tuned.toCsv());
        return lines;
    }

    /** Measures one connection, after waiting for the size to take effect. */
    private BufferSizeRow measure(int askedBytes) throws IOException, ClassNotFoundException {
        setSize(askedBytes);
        try (ReportingConnection connection = new ReportingConnection(port, format)) {
            settle(connection);
            List<Long> nanos = new ArrayList<>();
            long calls = 0;
            long endNanos = System.nanoTime() + MAX_NANOS;
            while (nanos.size() < requests && (nanos.size() < EQUAL_REQUESTS || System.nanoTime() < endNanos)) {
                nanos.add(connection.request());
                calls += connection.decoderCalls();
            }
            Collections.sort(nanos);
            int count = nanos.size();
            return new BufferSizeRow(
                    askedBytes,
                    connection.receiveBufferBytes(),
                    nanos.get(count / 2) / 1e6,
                    calls / (double) count,
                    count);
        }
    }

    private static void settle(ReportingConnection connection) throws IOException, ClassNotFoundException {
        int equal = 0;
        int before = 0;
        for (int sent = 0; sent < WINDOW_REQUESTS || equal < EQUAL_REQUESTS; sent++) {
            connection.request();
            equal = connection.decoderCalls() == before ? equal + 1 : 1;
            before = connection.decoderCalls();
        }
    }
}
