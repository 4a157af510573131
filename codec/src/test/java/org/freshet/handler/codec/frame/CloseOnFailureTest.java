package org.freshet.handler.codec.frame;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineException;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.oio.OioClientSocketChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a decoder does with the bytes after a frame because of which the connection is closed. */
class CloseOnFailureTest {
    /** The source of the bytes. */
    private enum Transport {
        NIO {
            @Override
            void receive(String text, ChannelPipelineFactory pipelines) throws Exception {
                overSocket(text, pipelines, new NioServerSocketChannelFactory(), new NioClientSocketChannelFactory());
            }
        },
        OIO {
            @Override
            void receive(String text, ChannelPipelineFactory pipelines) throws Exception {
                overSocket(text, pipelines, new OioServerSocketChannelFactory(), new OioClientSocketChannelFactory());
            }
        },
        EMBEDDER {
            @Override
            void receive(String text, ChannelPipelineFactory pipelines) throws Exception {
                ChannelPipeline handlers = pipelines.getPipeline();
                DecoderEmbedder<Object> embedder =
                        new DecoderEmbedder<>((ChannelUpstreamHandler) handlers.removeFirst(), (ChannelUpstreamHandler)
                                handlers.removeFirst());
                embedder.offer(ChannelBuffers.copiedBuffer(text, US_ASCII));
                embedder.finish();
            }
        };

        abstract void receive(String text, ChannelPipelineFactory pipelines) throws Exception;

        /** Sends the text and waits until the server has closed. */
        private static void overSocket(
                String text, ChannelPipelineFactory pipelines, ChannelFactory servers, ChannelFactory clients)
                throws Exception {
            try (Rig rig = new Rig(servers, clients)) {
                rig.server().setPipelineFactory(pipelines);
                Channel server = rig.server().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                    peer.send(text).awaitEnd();
                }
                Await.success(server.close(), "the server's close");
            }
        }
    }

    /**
     * A digit fails after it was read, a letter before; everything else is a frame, and a parenthesis is one from a
     * list of three.
     */
    private static final class Choosy extends FrameDecoder {
        Choosy() {
            super(true);
        }

        @Override
        protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
            char c = (char) buffer.getByte(buffer.readerIndex());
            if (Character.isLetter(c)) {
                throw new CorruptedFrameException("not read: " + c);
            }
            buffer.skipBytes(1);
            if (Character.isDigit(c)) {
                throw new CorruptedFrameException("read: " + c);
            }
            return c == '(' ? new Object[] {'.', '!', '.'} : c == '[' ? List.of('.', '!', '.') : c;
        }
    }

    /**
     * Records messages. Fails at an exclamation mark, closes at the first failure, and closes without a failure at a
     * semicolon.
     */
    private static final class Closer extends SimpleChannelUpstreamHandler {
        final List<Object> frames = new CopyOnWriteArrayList<>();
        final List<String> failures = new CopyOnWriteArrayList<>();
        boolean closesOnFailure = true;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            frames.add(e.getMessage());
            if (e.getMessage().equals('!')) {
                throw new IllegalStateException("refused");
            } else if (e.getMessage().equals(';')) {
                e.getChannel().close();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            Throwable cause = e.getCause() instanceof ChannelPipelineException
                    ? e.getCause().getCause()
                    : e.getCause();
            failures.add(cause.getMessage());
            if (closesOnFailure) {
                e.getChannel().close();
            }
        }
    }

    private static Closer receive(Transport transport, String text) throws Exception {
        Closer closer = new Closer();
        transport.receive(text, () -> Channels.pipeline(new Choosy(), closer));
        return closer;
    }

    @ParameterizedTest
    @EnumSource
    void shouldDecodeNothingAfterTheFailureThatClosed(Transport transport) throws Exception {
        Closer closer = receive(transport, "..1.2.3.4567890.");
        assertEquals(List.of('.', '.'), closer.frames);
        assertEquals(List.of("read: 1"), closer.failures);
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotDecodeAgainOnCloseWhatFailedUnread(Transport transport) throws Exception {
        Closer closer = receive(transport, "..a.b.c");
        assertEquals(List.of('.', '.'), closer.frames);
        assertEquals(List.of("not read: a"), closer.failures);
    }

    @ParameterizedTest
    @EnumSource
    void shouldDecodeNothingAfterAFrameThatMadeAHandlerFailAndClose(Transport transport) throws Exception {
        Closer closer = receive(transport, "..!.!.1.a.");
        assertEquals(List.of('.', '.', '!'), closer.frames);
        assertEquals(List.of("refused"), closer.failures);
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotSendTheRestOfAListAfterAHandlerFailedAndClosed(Transport transport) throws Exception {
        for (String list : List.of("(", "[")) {
            Closer closer = receive(transport, list + ".");
            assertEquals(List.of('.', '!'), closer.frames);
            assertEquals(List.of("refused"), closer.failures);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldContinueAfterAFrameThatMadeAHandlerFailWithoutClosing(Transport transport) throws Exception {
        Closer closer = new Closer();
        closer.closesOnFailure = false;
        transport.receive("(.!.;", () -> Channels.pipeline(new Choosy(), closer));
        assertEquals(List.of('.', '!', '.', '.', '!', '.', ';'), closer.frames);
        assertEquals(List.of("refused", "refused"), closer.failures);
    }

    @ParameterizedTest
    @EnumSource
    void shouldDecodeTheRestOfAReadWhenAHandlerClosesWithoutAFailure(Transport transport) throws Exception {
        Closer closer = receive(transport, ".;..");
        assertEquals(List.of('.', ';', '.', '.'), closer.frames);
        assertEquals(List.of(), closer.failures);
    }

    @Test
    void shouldDecodeNothingFromLaterReadsEither() {
        Closer closer = new Closer();
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new Choosy(), closer);
        embedder.offer(ChannelBuffers.copiedBuffer(".!..", US_ASCII));
        assertEquals(2, embedder.undecodedBytes());
        // Like a handler that already had the bytes, for example one that decrypts.
        Channels.fireMessageReceived(embedder.getPipeline().getChannel(), ChannelBuffers.copiedBuffer("...", US_ASCII));
        assertEquals(List.of('.', '!'), closer.frames);
        assertEquals(5, embedder.undecodedBytes());
    }

    @Test
    void shouldDecodeAgainInAnotherPipeline() {
        Choosy decoder = new Choosy();
        new DecoderEmbedder<>(decoder, new Closer()).offer(ChannelBuffers.copiedBuffer("!..", US_ASCII));
        DecoderEmbedder<Object> second = new DecoderEmbedder<>(decoder);
        second.offer(ChannelBuffers.copiedBuffer("..", US_ASCII));
        assertEquals(2, second.size());
        assertEquals(0, second.undecodedBytes());
    }
}
