package org.freshet.channel.socket.nio;

import static org.freshet.testing.Allocations.assertBytes;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelSink;
import org.freshet.channel.DefaultChannelPipeline;
import org.junit.jupiter.api.Test;

/** The memory used by every connection, besides its pipeline and its socket. */
class FootprintTest {
    private static final int FLUSHER_BYTES = 32;
    private static final int CONFIG_BYTES = 24;
    private static final int CLOSE_FUTURE_BYTES = 24;
    private static final int CHANNEL_BYTES = 88;

    @Test
    void shouldNeed24BytesForTheSettingsOfAConnection() throws IOException {
        try (SocketChannel socket = SocketChannel.open()) {
            assertBytes(CONFIG_BYTES, () -> new NioSocketConfig(socket));
        }
    }

    @Test
    void shouldNeed168BytesForAConnectionInTotal() throws IOException {
        ChannelPipeline pipeline = new DefaultChannelPipeline() {
            @Override
            public void attach(Channel attached, ChannelSink attachedSink) {} // shared by all channels here
        };
        ChannelFactory factory = null;
        try (SocketChannel socket = SocketChannel.open()) {
            assertBytes(
                    CHANNEL_BYTES + CLOSE_FUTURE_BYTES + FLUSHER_BYTES + CONFIG_BYTES,
                    () -> new NioSocketChannel(factory, pipeline, null, socket, null));
        }
    }
}
