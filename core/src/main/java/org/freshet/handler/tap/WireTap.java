package org.freshet.handler.tap;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
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
 * <p>Channels never wait for the file; it lags about 10 ms behind, and a crash loses that much. The tap has its own
 * writer thread. If that can't keep up and {@value #MAX_QUEUED_BYTES} bytes of packets are waiting, data is dropped:
 * the next packet's comment says how much is missing, and the sequence numbers have a gap there. When the file is full
 * or cannot be written, the tap ends with a warning; nothing else is affected. An untapped channel costs nothing.
 *
 * <p>Packets are in the order of their times, across all connections. The clock is set when the tap is opened, and
 * never goes back.
 *
 * <p>Any thread may call it.
 */
public final class WireTap implements AutoCloseable {
    /** The maximum number of bytes waiting to be written to the file, with the headers of packets. */
    public static final int MAX_QUEUED_BYTES = 16 * 1024 * 1024;

    private static final String HANDLER_NAME = "freshet tap";

    /** A power of two. Loops whose threads were started one after the other have a lane each. */
    private static final int LANES = 16;

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
            return new WireTap(
                    this,
                    FileChannel.open(
                            file,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.TRUNCATE_EXISTING,
                            StandardOpenOption.WRITE));
        }
    }

    private final Path file;
    private final int maxBytesPerMessage;

    /** As for {@link HeaderMask}. */
    private final byte[][] maskedHeaders;

    private final ChunkPool chunks = new ChunkPool(MAX_QUEUED_BYTES, Chunk::new);
    private final Lane[] lanes = new Lane[LANES];
    private final Thread writer;

    /** The difference between the time of day and {@link System#nanoTime}, so that times never go back. */
    private final long epochMinusNanoTime;

    private final AtomicLong lostBytes = new AtomicLong();

    private volatile boolean isOver;

    /** Whether the writer sleeps until a packet is added. */
    private volatile boolean isIdle;

    private WireTap(Builder builder, FileChannel out) {
        file = builder.file;
        maxBytesPerMessage = builder.maxBytesPerMessage;
        maskedHeaders = builder.maskedHeaders.stream()
                .sorted()
                .map(name -> name.getBytes(StandardCharsets.ISO_8859_1))
                .toArray(byte[][]::new);
        Instant now = Instant.now();
        epochMinusNanoTime = now.getEpochSecond() * 1_000_000_000L + now.getNano() - System.nanoTime();
        Arrays.setAll(lanes, i -> new Lane(this));
        writer = new Thread(() -> write(new TapWriter(this, lanes, out, builder.maxFileBytes), out), "freshet-tap");
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

    /** Returns how many bytes of a message are to be passed to {@link #add}. */
    int captured(int length) {
        return isOver ? 0 : Math.min(length, maxBytesPerMessage);
    }

    Flow begin(Channel channel, String where) {
        return begin(channel, where, ThreadLocalRandom.current().nextInt());
    }

    /** Puts the connection into the lane of the calling thread, which is the one that drives it. */
    Flow begin(Channel channel, String where, int firstSequence) {
        Lane lane = lanes[(int) Thread.currentThread().getId() & LANES - 1];
        Flow flow = new Flow(
                lane,
                channel.getParent() == null ? Direction.SENT : Direction.RECEIVED,
                channel.getLocalAddress(),
                channel.getRemoteAddress(),
                channel.getId(),
                firstSequence,
                maskedHeaders,
                channel + ", tapped " + where);
        lane.begin(flow);
        return flow;
    }

    /** Parameters as in {@link Lane#add}. */
    void add(Flow flow, Direction direction, byte[] data, int from, int captured, long length) {
        if (isOver) {
            onLost(length);
        } else if (length > 0) {
            flow.lane().add(flow, direction, data, from, captured, length);
        }
    }

    void end(Flow flow, String comment) {
        flow.lane().end(flow, comment);
    }

    // ---- called by lanes --------------------------------------------------------------------------------------------

    ChunkPool chunks() {
        return chunks;
    }

    long epochNanos() {
        return epochMinusNanoTime + System.nanoTime();
    }

    void onLost(long bytes) {
        lostBytes.addAndGet(bytes);
    }

    /** Called after a packet was added, without a lock. */
    void onAdded() {
        if (isIdle) {
            isIdle = false;
            LockSupport.unpark(writer);
        }
    }

    // ---- the writer's thread ----------------------------------------------------------------------------------------

    /** Sets whether the next packet wakes this thread. */
    void setIdle(boolean idle) {
        isIdle = idle;
    }

    private void write(TapWriter packets, FileChannel out) {
        try (out) {
            packets.run();
            if (!isOver) {
                logger.warn("the tap to " + file + " has ended: the file is full at " + packets.bytes() + " bytes");
            }
        } catch (IOException | RuntimeException | Error e) {
            logger.warn("the tap to " + file + " has ended", e);
        } finally {
            isOver = true;
            packets.close();
        }
    }
}
