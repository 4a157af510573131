package org.freshet.handler.codec.http2;

import java.net.SocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.local.LocalAddress;

/**
 * A client's HTTP/2 connection: opens streams, counts them, measures the round trip, and knows whether either side has sent
 * GOAWAY. Use it to share a connection or to build a pool. Its answers are snapshots: a stream can still fail to open after
 * {@link #isDraining()} returned false.
 *
 * <pre>{@code
 * SocketAddress address = new InetSocketAddress("localhost", 8080);
 * Channel channel = clients.connect(address).awaitUninterruptibly().getChannel();
 * Http2ClientConnection connection = Http2ClientConnection.of(channel);
 * connection.open(Channels.pipeline(new Application())).addListener(opened -> {
 *     if (opened.isSuccess()) {
 *         opened.getChannel().write(request);
 *     }
 * });
 * }</pre>
 *
 * <p>The connection's pipeline gets {@link Http2ConnectionEvent}s. Any thread may call any method.
 */
public final class Http2ClientConnection {
    /** Stands for the server's address, which streams don't use, while the connection has none. */
    private static final SocketAddress NOT_CONNECTED = new LocalAddress("not connected");

    private final Connection connection;
    private final Http2StreamChannelFactory streams;

    private Http2ClientConnection(Channel channel) {
        streams = new Http2StreamChannelFactory(channel);
        connection = streams.connection();
    }

    /**
     * @param channel a channel whose pipeline has an {@link Http2ClientHandler}
     * @throws IllegalArgumentException if it doesn't have one
     */
    public static Http2ClientConnection of(Channel channel) {
        return new Http2ClientConnection(Objects.requireNonNull(channel, "channel"));
    }

    /** The channel that all streams share. */
    public Channel getChannel() {
        return connection.channel();
    }

    /**
     * Opens a stream for one request and its answer.
     *
     * @param pipeline the stream's own pipeline, not shared with another stream
     * @return a future of the stream's channel, an {@link Http2StreamChannel}. Succeeds when the server accepts one more
     * stream. Fails with a {@link Http2StreamException} of {@link Http2Error#REFUSED_STREAM} or a
     * {@code ClosedChannelException} if it accepts no more, and with a {@code ConnectTimeoutException} after the channel's
     * {@code connectTimeoutMillis}
     */
    public ChannelFuture open(ChannelPipeline pipeline) {
        Channel stream = streams.newChannel(Objects.requireNonNull(pipeline, "pipeline"));
        SocketAddress server = connection.channel().getRemoteAddress();
        return stream.connect(server == null ? NOT_CONNECTED : server);
    }

    /** Whether no more streams can be opened: either side has sent GOAWAY, or the channel is closed. */
    public boolean isDraining() {
        return !connection.acceptsStreams();
    }

    /** The number of open streams, including the ones that wait for the server to accept them. */
    public int getOpenStreams() {
        return connection.streams().openCount();
    }

    /** How many streams the server accepts at a time; 100 until it has sent its settings. */
    public long getMaxStreams() {
        return connection.streams().maxOwn();
    }

    /**
     * Sends a PING.
     *
     * @return the round-trip time, completed on the I/O thread. Fails with a {@code ClosedChannelException} or an
     * {@link Http2Exception} if the connection ends first
     */
    public CompletionStage<Duration> ping() {
        CompletableFuture<Duration> roundTrip = new CompletableFuture<>();
        connection.execute(() -> connection.ping(roundTrip));
        return roundTrip.minimalCompletionStage();
    }

    /** Opens no more streams, and closes the channel when the last one has ended. */
    public void drain() {
        connection.execute(connection::drain);
    }

    /**
     * Ends all streams and the connection, and sends the server the reason (GOAWAY).
     *
     * @param reason text for the people who run the server; only 128 characters are sent
     * @return the channel's close future
     */
    public ChannelFuture close(Http2Error error, String reason) {
        Objects.requireNonNull(error, "error");
        Objects.requireNonNull(reason, "reason");
        connection.execute(() -> connection.close(error, reason));
        return connection.channel().getCloseFuture();
    }
}
