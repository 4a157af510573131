package org.freshet.microbench.compare.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.function.LongConsumer;

/**
 * One connection that sends a delimited text, waits for the report on it, and then sends the next. The report must
 * contain the text's length and checksum. All methods belong to the thread that created the load; its socket blocks.
 */
public final class ReportsLoad implements Generator {
    private static final int TEXTS = 16;

    /** No kernel announces a larger window before the size of a buffer is set. */
    private static final int MAX_FIRST_WINDOW = 160 * 1024;

    /** This many consecutive reports with the same number of decoder calls show that a size has taken effect. */
    private static final int EQUAL_REPORTS = 3;

    private final InetSocketAddress server;
    private final String[] texts = new String[TEXTS];
    private final ByteBuffer[] frames = new ByteBuffer[TEXTS];
    private final ByteBuffer answer = ByteBuffer.allocateDirect(FrameReport.BYTES);
    private SocketChannel channel;
    private volatile long reports;
    private long runsReports;
    private long runsDecoderCalls;
    private int receiveBufferBytes;

    /**
     * A load of texts of {@code messageBytes}, without the delimiter, for the server at {@code port} on the loopback
     * address.
     */
    public ReportsLoad(int port, int messageBytes, long seed) {
        this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        Random random = new Random(seed);
        for (int i = 0; i < TEXTS; i++) {
            texts[i] = text(messageBytes, random);
            byte[] bytes = texts[i].getBytes(StandardCharsets.US_ASCII);
            frames[i] = ByteBuffer.allocateDirect(messageBytes + 1);
            frames[i].put(bytes).put(FrameReport.DELIMITER);
        }
    }

    private static String text(int length, Random random) {
        StringBuilder text = new StringBuilder(length);
        while (text.length() < length) {
            text.append((char) ('!' + random.nextInt('z' - '!' + 1))); // the delimiter is outside this range
        }
        return text.toString();
    }

    @Override
    public Outcome connect() throws IOException {
        Stopwatch watch = new Stopwatch();
        channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.connect(server);
        Outcome connected = run(1, Duration.ofDays(1), done -> {}).after(watch.outcome(1));
        settle();
        return connected;
    }

    /**
     * Continues until the size of the server's buffer takes effect. A window announced before the size was set can't be
     * withdrawn; until it is used up, reports are as fast as with a large buffer.
     */
    private void settle() throws IOException {
        long bytes = 0;
        long before = 0;
        for (int equal = 0; bytes < MAX_FIRST_WINDOW || equal < EQUAL_REPORTS; bytes += frames[0].capacity()) {
            run(1, Duration.ofDays(1), done -> {});
            equal = runsDecoderCalls == before ? equal + 1 : 1;
            before = runsDecoderCalls;
        }
    }

    @Override
    public Outcome run(long messages, Duration limit, LongConsumer progress) throws IOException {
        StallGuard guard = new StallGuard(() -> reports, StallGuard.PATIENCE, this::breakOff);
        try (guard) {
            Stopwatch watch = new Stopwatch();
            runsDecoderCalls = 0;
            for (runsReports = 0; runsReports < messages && watch.elapsedNanos() < limit.toNanos(); runsReports++) {
                long sinceNanos = System.nanoTime();
                exchange((int) (reports % TEXTS));
                watch.lap(sinceNanos);
                progress.accept(runsReports + 1);
            }
            return watch.outcome(runsReports);
        } catch (IOException e) {
            throw guard.stalled() ? new IOException(guard.complaint() + ", after " + reports + " reports", e) : e;
        }
    }

    /** Returns the mean of the last run. */
    public double decoderCallsPerFrame() {
        return (double) runsDecoderCalls / runsReports;
    }

    /** Returns the buffer size in the server's last report. */
    public int receiveBufferBytes() {
        return receiveBufferBytes;
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }

    private void exchange(int index) throws IOException {
        ByteBuffer frame = frames[index].rewind();
        while (frame.hasRemaining()) {
            channel.write(frame);
        }
        answer.clear();
        while (answer.hasRemaining()) {
            if (channel.read(answer) < 0) {
                throw new EOFException("the server closed the connection after " + reports + " reports");
            }
        }
        FrameReport report = FrameReport.readFrom(answer.flip());
        FrameReport due = FrameReport.on(texts[index], report.decoderCalls(), report.receiveBufferBytes());
        if (!report.equals(due)) {
            throw new IOException("frame " + reports + ": the server reports " + report + ", expected " + due);
        }
        runsDecoderCalls += report.decoderCalls();
        receiveBufferBytes = report.receiveBufferBytes();
        reports++;
    }

    private void breakOff() {
        try {
            channel.close();
        } catch (IOException e) {
            // Either way, it no longer blocks.
        }
    }
}
