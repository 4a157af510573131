package org.freshet.handler.codec.http2;

import java.util.Objects;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelPipeline;

/**
 * Creates the streams of one HTTP/2 connection as channels, for a {@code ClientBootstrap}. Each {@code connect} opens one for a
 * request and its answer, as soon as the server accepts one more. The address you pass is ignored: it is the connection's.
 *
 * <pre>{@code
 * SocketAddress address = new InetSocketAddress("localhost", 8080);
 * clients.setPipelineFactory(() -> Channels.pipeline(new Http2ClientHandler()));
 * Channel connection = clients.connect(address).awaitUninterruptibly().getChannel();
 *
 * ClientBootstrap streams = new ClientBootstrap(new Http2StreamChannelFactory(connection));
 * streams.setPipelineFactory(() -> Channels.pipeline(new Application()));
 * streams.connect(address).addListener(stream -> {
 *     if (stream.isSuccess()) {
 *         stream.getChannel().write(request);
 *     }
 * });
 * }</pre>
 *
 * <p>Any thread may call it. Owns no resources: close the connection when you no longer need it.
 */
public final class Http2StreamChannelFactory implements ChannelFactory {
    private final Connection connection;

    /**
     * @param connection a channel whose pipeline has an {@link Http2ClientHandler}
     * @throws IllegalArgumentException if it doesn't have one
     */
    public Http2StreamChannelFactory(Channel connection) {
        Http2ClientHandler handler =
                Objects.requireNonNull(connection, "connection").getPipeline().get(Http2ClientHandler.class);
        if (handler == null) {
            throw new IllegalArgumentException("the connection's pipeline has no Http2ClientHandler: " + connection);
        }
        this.connection = Objects.requireNonNull(handler.connection(), "connection: the channel is not open yet");
    }

    Connection connection() {
        return connection;
    }

    @Override
    public Channel newChannel(ChannelPipeline pipeline) {
        StreamChannel channel = new StreamChannel(connection, this, pipeline);
        connection.execute(channel::announceOpen);
        return channel;
    }

    /** Does nothing. */
    @Override
    public void releaseExternalResources() {}

    /** Does nothing. */
    @Override
    public void shutdown() {}
}
