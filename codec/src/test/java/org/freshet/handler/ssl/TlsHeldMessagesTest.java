package org.freshet.handler.ssl;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.local.DefaultLocalClientChannelFactory;
import org.freshet.channel.local.DefaultLocalServerChannelFactory;
import org.freshet.channel.local.LocalAddress;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages written during one event, more than the high-water mark admits at once, on transports that block and that don't. */
@Tag("crypto")
class TlsHeldMessagesTest {
    private static final int MESSAGES = 6;
    private static final int MESSAGE_BYTES = 30_000;

    static Stream<Arguments> transports() {
        InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return Stream.of(
                Arguments.of(Transport.NIO.servers(), Transport.NIO.clients(), loopback),
                Arguments.of(Transport.OIO.servers(), Transport.OIO.clients(), loopback),
                Arguments.of(
                        new DefaultLocalServerChannelFactory(),
                        new DefaultLocalClientChannelFactory(),
                        new LocalAddress("held messages")));
    }

    /** Writes all messages when its channel is connected. */
    private static final class Writer extends SimpleChannelUpstreamHandler {
        final List<ChannelFuture> written = new CopyOnWriteArrayList<>();
        final CountDownLatch hasWritten = new CountDownLatch(1);

        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            for (int i = 0; i < MESSAGES; i++) {
                written.add(ctx.getChannel().write(ChannelBuffers.wrappedBuffer(new byte[MESSAGE_BYTES])));
            }
            hasWritten.countDown();
        }
    }

    private static final class Reader extends SimpleChannelUpstreamHandler {
        private final AtomicLong left = new AtomicLong((long) MESSAGES * MESSAGE_BYTES);
        private final CountDownLatch hasAll;

        Reader(CountDownLatch hasAll) {
            this.hasAll = hasAll;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (left.addAndGet(-((ChannelBuffer) e.getMessage()).readableBytes()) == 0) {
                hasAll.countDown();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void shouldBeSentWhenThereIsRoomForThem(ChannelFactory servers, ChannelFactory clients, SocketAddress address)
            throws Exception {
        SslContext serverTls = Certificates.server().build();
        CountDownLatch hasAll = new CountDownLatch(1);
        Writer writer = new Writer();
        try (Rig rig = new Rig(servers, clients)) {
            rig.client().setOption("writeBufferLowWaterMark", 4096);
            rig.client().setOption("writeBufferHighWaterMark", 8192);
            rig.server().setPipelineFactory(() -> Channels.pipeline(serverTls.newHandler(), new Reader(hasAll)));
            SocketAddress bound = rig.server().bind(address).getLocalAddress();
            rig.connect(bound, Certificates.client().build().newHandler("localhost", 443), writer);
            Await.latch(writer.hasWritten, "the writes");
            Await.latch(hasAll, "all bytes");
            for (ChannelFuture write : writer.written) {
                Await.success(write, "a write");
            }
        }
    }
}
