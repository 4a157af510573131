package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.ReceiveBufferSizePredictor;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.Await;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A user's predictor predicts no space, so that nothing could ever be read. */
class PredictedSpaceTest {
    private record Constant(int bytes) implements ReceiveBufferSizePredictor {
        @Override
        public int nextReceiveBufferSize() {
            return bytes;
        }

        @Override
        public void previousReceiveBufferSize(int bytes) {}
    }

    /** The server speaks first. */
    private static final class Greeter extends SimpleChannelUpstreamHandler {
        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            e.getChannel().write(ChannelBuffers.wrappedBuffer(new byte[10]));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}
    }

    private static final class Collector extends SimpleChannelUpstreamHandler {
        private final Queue<Throwable> caught = new ConcurrentLinkedQueue<>();

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            caught.add(e.getCause());
        }
    }

    /** Otherwise the loop would find the socket ready again and again. */
    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void shouldCloseTheChannel(int bytes) {
        try (Rig rig = new Rig()) {
            Channel server = rig.bind(new Greeter());
            Collector client = new Collector();
            Channel channel = Await.success(
                            rig.connect(server, client, Map.of("receiveBufferSizePredictor", new Constant(bytes))),
                            "a connection")
                    .getChannel();
            Await.done(channel.getCloseFuture(), "the close");
            Await.until(() -> !client.caught.isEmpty(), () -> "a failure");
            assertInstanceOf(IllegalStateException.class, client.caught.peek());
        }
    }
}
