package org.freshet.handler.codec.http2;

import java.util.Objects;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelPipeline;

/**
 * Makes channels that are streams of one HTTP/2 connection, for a {@code ClientBootstrap}: each {@code connect} gives one for a
 * request and its answer, as soon as the server takes one more. The address is the connection's, whatever is given.
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
 * <p>Any thread. Owns no resources: close the connection when it is not needed any more.
 */
public final class Http2StreamChannelFactory implements ChannelFactory {
    private final Connection connection;

    /**
     * @param connection whose pipeline has an {@link Http2ClientHandler}
     * @throws IllegalArgumentException if it has none
     */
    public Http2StreamChannelFactory(Channel connection) {
        Http2ClientHandler handler =
                Objects.requireNonNull(connection, "connection").getPipeline().get(Http2ClientHandler.class);
        if (handler == null) {
            throw new IllegalArgumentException("the connection's pipeline has no Http2ClientHandler: " + connection);
        }
        this.connection =
                Objects.requireNonNull(handler.connection(), "the connection of a channel that is not open yet");
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
