package org.freshet.example.buffersize;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
 * For each size of receive buffer: sets it on the running server over JMX, connects anew with a plain socket, and times
 * requests. Prints CSV as it goes and leaves it, with a chart, in a directory.
 */
public final class BufferSizeClient {
    static final int MESSAGE_BYTES = 8088;
    static final int DEFAULT_REQUESTS = 20;

    private static final int[] SIZES = {1144, 2288, 4576, 9152, 18304, 36608, 73216, 146432, 292864, 585728};
    private static final String CSV_HEADER = "asked bytes,actual bytes,mean ms,decoder calls a request";

    /** Between two words about progress, which go to the error stream. */
    private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(1);

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
            System.err.println("buffer-size-server has to run, on the same ports and with the same --raw");
            System.exit(1);
        }
    }

    /** Where results go: what the user names, if one can write there, or a new one. */
    static Path directory(Arguments arguments, int index) throws IOException {
        if (index >= arguments.count()) {
            return Files.createTempDirectory("buffer-size-");
        }
        Path directory = Path.of(arguments.text(index));
        if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
            throw arguments.refuse("not a directory that can be written to: " + directory);
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
        System.out.println(CSV_HEADER);
        System.err.println("warming up...");
        exchange(SIZES[0], requests); // everything is loaded and compiled once before it counts
        for (int size : SIZES) {
            server.setOption("child.receiveBufferSize", String.valueOf(size));
            rows.add(report(exchange(size, requests)));
        }
        BufferSizeRow tuned = tunedBySystem();
        Files.write(directory.resolve("buffer-size.csv"), csv(tuned));
        BufferSizeChart.save(rows, directory.resolve("buffer-size.png"));
        System.out.println("the buffer that the system tunes, unasked, has " + tuned.actualBytes()
                + " bytes; buffer-size.csv and buffer-size.png are in "
                + directory.toAbsolutePath().normalize());
    }

    /** A buffer whose size is not set; the first requests teach the system, the rest are measured. */
    private BufferSizeRow tunedBySystem() throws IOException, ClassNotFoundException {
        server.removeOption("child.receiveBufferSize");
        return report(exchange(0, requests));
    }

    private static BufferSizeRow report(BufferSizeRow row) {
        System.out.println(row.toCsv());
        return row;
    }

    private List<String> csv(BufferSizeRow tuned) {
        List<String> lines = new ArrayList<>(List.of(CSV_HEADER));
        rows.forEach(row -> lines.add(row.toCsv()));
        lines.add(tuned.toCsv());
        return lines;
    }

    /** One connection; the mean of its second half of requests, when buffers and windows have reached their size. */
    private BufferSizeRow exchange(int askedBytes, int count) throws IOException, ClassNotFoundException {
        byte[] message = ("x".repeat(MESSAGE_BYTES) + "|").getBytes(StandardCharsets.US_ASCII);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            OutputStream out = socket.getOutputStream();
            AnswerFormat.Reader in = null;
            long nanos = 0;
            long calls = 0;
            int[] answer = null;
            long shownNanos = System.nanoTime();
            for (int i = 0; i < count; i++) {
                long start = System.nanoTime();
                out.write(message);
                in = in == null ? format.reader(socket.getInputStream(), StringReporter.NUMBERS) : in;
                answer = in.next();
                if (answer[0] != MESSAGE_BYTES) {
                    throw new IOException("the server counted " + answer[0] + " bytes of " + MESSAGE_BYTES);
                }
                if (i >= count / 2) {
                    nanos += System.nanoTime() - start;
                    calls += answer[1];
                }
                if (System.nanoTime() - shownNanos > PROGRESS_NANOS) {
                    System.err.println((i + 1) + " of " + count + " requests with " + answer[2] + " bytes");
                    shownNanos = System.nanoTime();
                }
            }
            int measured = count - count / 2;
            return new BufferSizeRow(askedBytes, answer[2], nanos / 1e6 / measured, calls / (double) measured);
        }
    }
}
