package org.freshet.seams;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.local.DefaultLocalClientChannelFactory;
import org.freshet.channel.local.DefaultLocalServerChannelFactory;
import org.freshet.channel.local.LocalAddress;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.queue.BufferedWriteHandler;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A write by a handler in response to unwritability doesn't overtake the message that made the channel unwritable. Over
 * OIO writers wait instead.
 */
class AdmissionOrderTest {
    private static final int LARGE = 200_000;

    /** Creates transports. */
    private interface Transport {
        Rig open();
    }

    static Stream<Named<Transport>> transports() {
        return Stream.of(
                Named.of(
                        "NIO",
                        () -> new Rig(new NioServerSocketChannelFactory(1), new NioClientSocketChannelFactory())),
                Named.of(
                        "local",
                        () -> new Rig(new DefaultLocalServerChannelFactory(), new DefaultLocalClientChannelFactory())));
    }

    /** What the client receives. */
    private static final class Collector extends SimpleChannelUpstreamHandler {
        final ChannelBuffer received = ChannelBuffers.dynamicBuffer();
        final CountDownLatch whole = new CountDownLatch(1);

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            received.writeBytes((ChannelBuffer) e.getMessage());
            if (received.readableBytes() == LARGE + 1) {
                whole.countDown();
            }
        }
    }

    /** Answers with a large message, and sends a word when the channel becomes unwritable. */
    private static final class Application extends SimpleChannelUpstreamHandler {
        final CountDownLatch said = new CountDownLatch(1);

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            e.getChannel().write(ChannelBuffers.wrappedBuffer(new byte[LARGE]));
        }

        @Override
        public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
            if (!e.getChannel().isWritable()) {
                e.getChannel().write(ChannelBuffers.wrappedBuffer(new byte[] {1}));
                said.countDown();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void shouldQueueTheMessageFirst(Transport transport) {
        BufferedWriteHandler holder = new BufferedWriteHandler();
        Application application = new Application();
        Collector collector = new Collector();
        try (Rig rig = transport.open()) {
            rig.server().setPipelineFactory(() -> Channels.pipeline(holder, application));
            rig.client().setPipelineFactory(() -> Channels.pipeline(collector));
            Channel server = rig.server().bind(addressFor(rig));
            Channel client = Await.success(rig.client().connect(server.getLocalAddress()), "the connection")
                    .getChannel();
            client.write(ChannelBuffers.copiedBuffer("go", StandardCharsets.US_ASCII));
            Await.latch(application.said, "the change of writability");
            holder.flush();
            Await.latch(collector.whole, "all");
            assertEquals(LARGE, collector.received.bytesBefore((byte) 1));
        }
    }

    private static SocketAddress addressFor(Rig rig) {
        return rig.server().getFactory() instanceof DefaultLocalServerChannelFactory
                ? new LocalAddress("admission-order")
                : new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }
}
