package org.freshet.handler.tap;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.handler.tap.Flow.Direction;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Writes the bytes that channels receive and send to a pcapng file, for Wireshark and similar tools. You can tap
 * channels while they are in use, below TLS or above it.
 *
 * <pre>{@code
 * WireTap tap = WireTap.to(Path.of("orders.pcapng")).maxFileBytes(100 << 20).open();
 * tap.attachAbove(channel, "tls"); // from now on, in clear text
 * // later
 * tap.detach(channel);
 * tap.close();
 * }</pre>
 *
 * <p><b>The file contains everything sent over the connections</b>: passwords, keys, personal data. Protect it as you
 * would protect those. By default the values of text headers that carry credentials are overwritten with asterisks:
 * {@code Authorization}, {@code Proxy-Authorization}, {@code Cookie} and {@code Set-Cookie}. Nothing else is masked:
 * not tokens in URLs, not content, not anything HTTP/2 compresses, and not values that begin within dropped bytes.
 *
 * <p>The IP and TCP packets in the file are synthesized around the bytes. They begin with a handshake, whose comment
 * says where the tap was attached, and end with FIN and the channel's
 * {@linkplain Channel#getCloseReason() close reason}. The bytes and their order are real; a sent message is recorded
 * when its future succeeds. A {@code FileRegion} is recorded by its length only.
 *
 * <p>Channels never wait for the file; it lags about 10 ms behind. The tap has its own writer thread. If that can't
 * keep up and more than {@value #MAX_QUEUED_BYTES} bytes are waiting, data is dropped: the next packet's comment says
 * how much is missing, and the sequence numbers have a gap there. When the file is full or cannot be written, the tap
 * ends with a warning; nothing else is affected. An untapped channel costs nothing.
 *
 * <p>Any thread may call it.
 */
public final class WireTap implements AutoCloseable {
    /** The maximum number of bytes waiting to be written to the file. */
    public static final int MAX_QUEUED_BYTES = 16 * 1024 * 1024;

    private static final String HANDLER_NAME = "freshet tap";

    /**
     * How much later a message may reach the file of an idle tap. Far less data than the queue holds arrives in this
     * time.
     */
    private static final long GATHERING_NANOS = 10_000_000;

    private static final int FILE_BUFFER_BYTES = 64 * 1024;

    /** Overhead of an entry, added to its bytes. */
    private static final int ENTRY_BYTES = 64;

    private static final Set<String> CREDENTIALS =
            Set.of("authorization", "proxy-authorization", "cookie", "set-cookie");

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(WireTap.class);

    /** Settings of a tap. Not thread-safe. */
    public static final class Builder {
        private final Path file;
        private int maxBytesPerMessage = Integer.MAX_VALUE;
        private long maxFileBytes = 1L << 30;
        private Set<String> maskedHeaders = CREDENTIALS;

        private Builder(Path file) {
            this.file = Objects.requireNonNull(file, "file");
        }

        /** Sets how many bytes of each message are recorded, in addition to its length. Default: all. */
        public Builder maxBytesPerMessage(int bytes) {
            if (bytes < 0) {
                throw new IllegalArgumentException("maxBytesPerMessage < 0: " + bytes);
            }
            maxBytesPerMessage = bytes;
            return this;
        }

        /** Sets the file size at which the tap ends; the file may be longer by one message. Default: 1 GiB. */
        public Builder maxFileBytes(long bytes) {
            if (bytes <= 0) {
                throw new IllegalArgumentException("maxFileBytes <= 0: " + bytes);
            }
            maxFileBytes = bytes;
            return this;
        }

        /**
         * Sets which headers are masked: their values are overwritten in the file wherever a line of text begins with
         * the name and a colon.
         *
         * @param names header names, in any case, that replace the default ones; none records everything unmasked
         */
        public Builder maskHeaders(String... names) {
            maskedHeaders =
                    Stream.of(names).map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
            return this;
        }

        /**
         * Creates the file, or truncates it, and starts the thread that writes it.
         *
         * @throws IOException if the file cannot be written
         */
        public WireTap open() throws IOException {
            BufferedOutputStream out = new BufferedOutputStream(Files.newOutputStream(file), FILE_BUFFER_BYTES);
            return new WireTap(this, out);
        }
    }

    /** An item to write. An entry without data begins a flow, or ends it, depending on {@code flags}. */
    private record Entry(
            Flow flow,
            Direction direction,
            int flags,
            byte[] data,
            long length,
            long lost,
            String comment,
            long epochNanos) {
        int queuedBytes() {
            return ENTRY_BYTES + data.length;
        }
    }

    private static final byte[] NOTHING = {};

    /** Marks the end of the queue. */
    private static final Entry END = new Entry(null, null, 0, NOTHING, 0, 0, null, 0);

    private final Path file;
    private final int maxBytesPerMessage;
    private final long maxFileBytes;
    private final Set<String> maskedHeaders;
    private final BufferedOutputStream out;
    private final Thread writer;

    private final BlockingQueue<Entry> queue = new LinkedBlockingQueue<>();
    private final AtomicLong queuedBytes = new AtomicLong();
    private final AtomicLong lostBytes = new AtomicLong();

    private volatile boolean isOver;

    private WireTap(Builder builder, BufferedOutputStream out) {
        file = builder.file;
        maxBytesPerMessage = builder.maxBytesPerMessage;
        maxFileBytes = builder.maxFileBytes;
        maskedHeaders = builder.maskedHeaders;
        this.out = out;
        writer = new Thread(this::write, "freshet-tap");
        writer.setDaemon(true);
        writer.start();
    }

    /** Returns settings with defaults for a tap to be opened. */
    public static Builder to(Path file) {
        return new Builder(file);
    }

    // ---- channels ---------------------------------------------------------------------------------------------------

    /**
     * Returns a handler for the pipeline of one new channel. Put it where the bytes should be copied: first for the
     * bytes on the wire, after {@code SslHandler} for clear text. The connection is recorded from its first byte.
     */
    public ChannelHandler newHandler() {
        return new TapHandler(this);
    }

    /**
     * Copies the bytes on the wire of a connected channel from now on.
     *
     * @return succeeds when the tap is in place; fails if the channel is already tapped, not connected, or closed
     */
    public ChannelFuture attach(Channel channel) {
        return attach(channel, "below all handlers", pipeline -> pipeline.addFirst(HANDLER_NAME, newHandler()));
    }

    /**
     * Copies the bytes that pass above a handler of a connected channel from now on, such as the clear text above an
     * {@code SslHandler}.
     *
     * @param handlerName the handler's name in the pipeline
     * @return like that of {@link #attach(Channel)}; also fails if the handler does not exist
     */
    public ChannelFuture attachAbove(Channel channel, String handlerName) {
        return attach(
                channel,
                "above '" + handlerName + "'",
                pipeline -> pipeline.addAfter(handlerName, HANDLER_NAME, newHandler()));
    }

    private interface Placement {
        void add(ChannelPipeline pipeline);
    }

    private ChannelFuture attach(Channel channel, String where, Placement placement) {
        ChannelFuture attached = Channels.future(channel);
        ChannelPipeline pipeline = channel.getPipeline();
        ChannelFuture executed = pipeline.execute(() -> {
            try {
                if (!channel.isConnected()) {
                    throw new IllegalStateException("the channel is not connected: " + channel);
                }
                placement.add(pipeline);
                ChannelHandlerContext ctx = pipeline.getContext(HANDLER_NAME);
                ((TapHandler) ctx.getHandler()).begin(ctx, "attached later, " + where);
                attached.setSuccess();
            } catch (RuntimeException | Error e) {
                attached.setFailure(e);
            }
        });
        executed.addListener(done -> {
            if (!done.isSuccess()) {
                attached.setFailure(done.getCause());
            }
        });
        return attached;
    }

    /**
     * Ends a tap started with {@link #attach} or {@link #attachAbove}.
     *
     * @return succeeds when nothing is copied any more, even if nothing was before
     */
    public ChannelFuture detach(Channel channel) {
        ChannelPipeline pipeline = channel.getPipeline();
        return pipeline.execute(() -> {
            if (pipeline.get(HANDLER_NAME) != null) {
                pipeline.remove(HANDLER_NAME);
            }
        });
    }

    /** Returns the bytes dropped because the file could not be written in time, or because the tap has ended. */
    public long lostBytes() {
        return lostBytes.get();
    }

    /** Returns whether it is still recording: not closed, and not ended by a full or failing file. */
    public boolean isOpen() {
        return !isOver;
    }

    /** Ends the tap and waits until everything recorded is in the file. The channels continue. */
    @Override
    public void close() {
        isOver = true;
        queue.add(END);
        LockSupport.unpark(writer);
        boolean isInterrupted = false;
        while (writer.isAlive()) {
            try {
                writer.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- called by handlers -----------------------------------------------------------------------------------------

    int maxBytesPerMessage() {
        return maxBytesPerMessage;
    }

    Flow begin(Channel channel, String where) {
        return begin(channel, where, ThreadLocalRandom.current().nextInt());
    }

    Flow begin(Channel channel, String where, int firstSequence) {
        Flow flow = new Flow(
                channel.getLocalAddress(), channel.getRemoteAddress(), channel.getId(), firstSequence, maskedHeaders);
        Direction opener = channel.getParent() == null ? Direction.SENT : Direction.RECEIVED;
        offer(flow, opener, Flow.SYN, NOTHING, 0, channel + ", tapped " + where);
        return flow;
    }

    void add(Flow flow, Direction direction, byte[] captured, long length) {
        if (length > 0) {
            offer(flow, direction, Flow.PSH, captured, length, null);
        }
    }

    void end(Flow flow, String comment) {
        offer(flow, Direction.SENT, Flow.FIN, NOTHING, 0, comment);
    }

    private void offer(Flow flow, Direction direction, int flags, byte[] data, long length, String comment) {
        int needed = ENTRY_BYTES + data.length;
        boolean fits = queuedBytes.addAndGet(needed) <= MAX_QUEUED_BYTES || flags != Flow.PSH;
        if (isOver || !fits) {
            queuedBytes.addAndGet(-needed);
            flow.lost(direction).addAndGet(length);
            lostBytes.addAndGet(length);
            return;
        }
        Instant now = Instant.now();
        long nanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
        long lost = flow.lost(direction).getAndSet(0);
        queue.add(new Entry(flow, direction, flags, data, length, lost, comment, nanos));
    }

    // ---- the writer's thread ----------------------------------------------------------------------------------------

    private void write() {
        try (BufferedOutputStream closing = out) {
            PcapNg pcap = new PcapNg(closing);
            pcap.begin();
            for (Entry entry = next(closing); entry != END; entry = next(closing)) {
                queuedBytes.addAndGet(-entry.queuedBytes());
                write(pcap, entry);
                if (pcap.written() >= maxFileBytes) {
                    logger.warn("the tap to " + file + " has ended: the file is full at " + pcap.written() + " bytes");
                    return;
                }
            }
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            logger.warn("the tap to " + file + " has ended", e);
        } finally {
            isOver = true;
            queue.clear();
        }
    }

    /**
     * Returns the next entry. Before it waits, it flushes everything to the file. After a wait it lets more entries
     * arrive: one wake-up for many messages costs the channels' processors less than one for each.
     */
    private Entry next(BufferedOutputStream file) throws IOException, InterruptedException {
        Entry entry = queue.poll();
        if (entry == null) {
            file.flush();
            entry = queue.take();
            if (!isOver) {
                LockSupport.parkNanos(this, GATHERING_NANOS);
            }
        }
        return entry;
    }

    private static void write(PcapNg pcap, Entry entry) throws IOException {
        Flow flow = entry.flow;
        String comment = entry.comment;
        if (entry.lost > 0) {
            flow.skip(entry.direction, entry.lost);
            comment = entry.lost + " bytes before this packet were not recorded"
                    + (comment == null ? "" : "; " + comment);
        }
        if (entry.flags == Flow.SYN) {
            writeHandshake(pcap, entry, comment);
        } else if (entry.flags == Flow.FIN) {
            writePacket(pcap, entry, Direction.SENT, Flow.FIN | Flow.ACK, 0, 0, comment);
            writePacket(pcap, entry, Direction.RECEIVED, Flow.FIN | Flow.ACK, 0, 0, null);
        } else {
            writeData(pcap, entry, comment);
        }
    }

    private static void writeHandshake(PcapNg pcap, Entry entry, String comment) throws IOException {
        Direction opener = entry.direction;
        Direction other = opener == Direction.SENT ? Direction.RECEIVED : Direction.SENT;
        writePacket(pcap, entry, opener, Flow.SYN, 0, 0, comment);
        writePacket(pcap, entry, other, Flow.SYN | Flow.ACK, 0, 0, null);
        writePacket(pcap, entry, opener, Flow.ACK, 0, 0, null);
    }

    private static void writeData(PcapNg pcap, Entry entry, String comment) throws IOException {
        HeaderMask mask = entry.flow.mask(entry.direction);
        if (entry.lost > 0) {
            mask.onGap();
        }
        mask.apply(entry.data);
        if (entry.data.length < entry.length) {
            mask.onGap();
        }
        String remaining = comment;
        for (long at = 0; at < entry.length; at += Flow.MAX_SEGMENT_BYTES) {
            int length = (int) Math.min(Flow.MAX_SEGMENT_BYTES, entry.length - at);
            writePacket(pcap, entry, entry.direction, Flow.PSH | Flow.ACK, at, length, remaining);
            remaining = null;
        }
    }

    private static void writePacket(
            PcapNg pcap, Entry entry, Direction direction, int flags, long at, int length, String comment)
            throws IOException {
        int captured = (int) Math.max(0, Math.min(length, entry.data.length - at));
        int headers = entry.flow.headerBytes();
        ByteBuffer packet = pcap.beginPacket(entry.epochNanos, headers + captured, headers + length);
        entry.flow.putPacket(packet, direction, flags, entry.data, captured == 0 ? 0 : (int) at, captured, length);
        pcap.endPacket(comment);
    }
}
