package org.freshet.handler.codec.http.websocketx;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.oio.OioClientSocketChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.internal.CoderPool;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.freshet.testing.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A connection that keeps coders returns them, however it ends. A scripted client over real sockets. */
class DeflateConnectionTest {
    private static final int RSV1 = 4;
    private static final HttpLimits LIMITS =
            HttpLimits.defaults().toBuilder().maxWebSocketMessageSize(100_000).build();
    private static final PerMessageDeflate IN_CONTEXT = PerMessageDeflate.builder()
            .serverContextTakeover(true)
            .clientContextTakeover(true)
            .threshold(0)
            .build();

    private final int takenBefore = CoderPool.taken();
    private final LinkedBlockingQueue<Channel> upgraded = new LinkedBlockingQueue<>();

    enum Transport {
        NIO,
        OIO;

        Rig newRig() {
            return this == NIO
                    ? new Rig(new NioServerSocketChannelFactory(), new NioClientSocketChannelFactory())
                    : new Rig(new OioServerSocketChannelFactory(), new OioClientSocketChannelFactory());
        }
    }

    /** How a connection ends, and the close code that the client reads before it, if any. */
    enum End {
        PEER_CLOSES(0) {
            @Override
            void carryOut(ScriptedPeer peer, DeflateExtension client, Channel server) throws IOException {
                peer.endOutput();
            }
        },
        PEER_RESETS(0) {
            @Override
            void carryOut(ScriptedPeer peer, DeflateExtension client, Channel server) throws IOException {
                peer.reset();
            }
        },
        SERVER_CLOSES(0) {
            @Override
            void carryOut(ScriptedPeer peer, DeflateExtension client, Channel server) {
                server.close();
            }
        },
        CLOSING_HANDSHAKE(1000) {
            @Override
            void carryOut(ScriptedPeer peer, DeflateExtension client, Channel server) throws IOException {
                send(peer, new CloseWebSocketFrame(1000, ""));
            }
        },
        PROTOCOL_ERROR(1002) {
            @Override
            void carryOut(ScriptedPeer peer, DeflateExtension client, Channel server) throws IOException {
                send(peer, new ContinuationWebSocketFrame());
            }
        },
        NOT_DEFLATED(1007) {
            @Override
            void carryOut(ScriptedPeer peer, DeflateExtension client, Channel server) throws IOException {
                byte[] noise = {(byte) 0xFF, (byte) 0xFF, 1, 2, 3};
                send(peer, new BinaryWebSocketFrame(true, RSV1, ChannelBuffers.wrappedBuffer(noise)));
            }
        },
        NOT_UTF_8(1007) {
            @Override
            void carryOut(ScriptedPeer peer, DeflateExtension client, Channel server) throws IOException {
                byte[] surrogate = {'a', (byte) 0xED, (byte) 0xA0, (byte) 0x80};
                send(peer, client.encode(new TextWebSocketFrame(ChannelBuffers.wrappedBuffer(surrogate))));
            }
        },
        BOMB_IN_A_FRAME(1009) {
            @Override
            void carryOut(ScriptedPeer peer, DeflateExtension client, Channel server) throws IOException {
                send(peer, client.encode(new BinaryWebSocketFrame(ChannelBuffers.wrappedBuffer(new byte[10_000_000]))));
            }
        },
        BOMB_IN_A_MESSAGE(1009) {
            @Override
            void carryOut(ScriptedPeer peer, DeflateExtension client, Channel server) throws IOException {
                WebSocketFrame first = new BinaryWebSocketFrame(ChannelBuffers.wrappedBuffer(new byte[90_000]));
                first.setFinalFragment(false);
                send(peer, client.encode(first));
                send(
                        peer,
                        client.encode(new ContinuationWebSocketFrame(ChannelBuffers.wrappedBuffer(new byte[90_000]))));
            }
        },
        PEER_LEAVES_INSIDE_A_FRAME(0) {
            @Override
            void carryOut(ScriptedPeer peer, DeflateExtension client, Channel server) throws IOException {
                byte[] frame = masked(client.encode(new TextWebSocketFrame("half of it ".repeat(50))));
                peer.send(Arrays.copyOf(frame, frame.length / 2));
                peer.close();
            }
        },
        PEER_LEAVES_INSIDE_A_MESSAGE(0) {
            @Override
            void carryOut(ScriptedPeer peer, DeflateExtension client, Channel server) throws IOException {
                WebSocketFrame first = new TextWebSocketFrame("the first fragment");
                first.setFinalFragment(false);
                send(peer, client.encode(first));
                peer.close();
            }
        },
        SERVER_WRITES_INSIDE_A_MESSAGE_AND_CLOSES(0) {
            @Override
            void carryOut(ScriptedPeer peer, DeflateExtension client, Channel server) {
                server.write(new TextWebSocketFrame(false, 0, "never ends"));
                server.close();
            }
        },
        /** Writes until nothing more fits; on OIO, the writer would block. */
        PEER_NEVER_READS(0) {
            @Override
            void carryOut(ScriptedPeer peer, DeflateExtension client, Channel server) throws IOException {
                byte[] noise = new byte[16 * 1024];
                Seeds.random().nextBytes(noise);
                ChannelFuture last;
                do {
                    last = server.write(new BinaryWebSocketFrame(ChannelBuffers.wrappedBuffer(noise)));
                } while (server.isWritable());
                peer.reset();
                Await.failure(last, "the last write");
            }
        },
        CODECS_ARE_REMOVED(0) {
            @Override
            void carryOut(ScriptedPeer peer, DeflateExtension client, Channel server) {
                server.getPipeline().remove(WebSocket13FrameDecoder.class);
                server.getPipeline().remove(WebSocket13FrameEncoder.class);
            }
        };

        final int closeCode;

        End(int closeCode) {
            this.closeCode = closeCode;
        }

        abstract void carryOut(ScriptedPeer peer, DeflateExtension client, Channel server) throws IOException;
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void shouldReturnCodersHoweverAnNioConnectionEnds(End end) throws Exception {
        endConnection(Transport.NIO, end);
    }

    @ParameterizedTest
    @EnumSource(value = End.class, mode = EnumSource.Mode.EXCLUDE, names = "PEER_NEVER_READS")
    void shouldReturnCodersHoweverAnOioConnectionEnds(End end) throws Exception {
        endConnection(Transport.OIO, end);
    }

    private void endConnection(Transport transport, End end) throws Exception {
        DeflateExtension client =
                new DeflateExtension(new DeflateExtension.Form(6, 15, 0), true, true, Integer.MAX_VALUE);
        try (Rig rig = transport.newRig();
                ScriptedPeer peer = ScriptedPeer.connect(rig.listen(Server::new).getLocalAddress())) {
            upgrade(peer);
            Channel server = upgraded.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
            send(peer, client.encode(new TextWebSocketFrame("a first message")));
            assertEquals(
                    "a first message", client.decode(read(peer)).getBinaryData().toString(UTF_8));
            assertEquals(takenBefore + 4, CoderPool.taken(), "both sides keep a deflater and an inflater");
            end.carryOut(peer, client, server);
            if (end.closeCode != 0) {
                WebSocketFrame last = read(peer);
                while (!(last instanceof CloseWebSocketFrame)) {
                    last = read(peer); // the server's echoes so far
                }
                assertEquals(end.closeCode, ((CloseWebSocketFrame) last).getStatusCode());
                peer.awaitEnd();
            }
        } finally {
            client.release();
        }
        Await.until(() -> CoderPool.taken() == takenBefore, "the coders; taken: " + CoderPool.taken());
    }

    private static void upgrade(ScriptedPeer peer) throws IOException {
        peer.send("GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n");
        assertEquals("HTTP/1.1 101 Switching Protocols", peer.readLine());
        StringBuilder head = new StringBuilder();
        for (String line = peer.readLine(); !line.isEmpty(); line = peer.readLine()) {
            head.append(line).append('\n');
        }
        assertTrue(head.toString().contains("Sec-WebSocket-Extensions: permessage-deflate\n"), head.toString());
    }

    private static void send(ScriptedPeer peer, WebSocketFrame frame) throws IOException {
        peer.send(masked(frame));
    }

    private static byte[] masked(WebSocketFrame frame) {
        int opcode = frame instanceof TextWebSocketFrame
                ? FrameHead.TEXT
                : frame instanceof BinaryWebSocketFrame
                        ? FrameHead.BINARY
                        : frame instanceof CloseWebSocketFrame ? FrameHead.CLOSE : FrameHead.CONTINUATION;
        return FrameWriter.masked(FrameWriter.firstByte(frame, opcode), frame.content())
                .array();
    }

    /** Reads a short data or close frame. */
    private static WebSocketFrame read(ScriptedPeer peer) throws IOException {
        byte[] head = peer.read(2);
        byte[] content = peer.read(head[1]);
        WebSocketFrame frame =
                (head[0] & 0xF) == FrameHead.CLOSE ? new CloseWebSocketFrame() : new TextWebSocketFrame();
        frame.setRsv(head[0] >> 4 & 7);
        frame.setBinaryData(ChannelBuffers.wrappedBuffer(content));
        return frame;
    }

    /** Echoes, and answers a close frame. */
    private final class Server extends SimpleChannelUpstreamHandler {
        private final WebSocketServerHandshaker13 handshaker =
                new WebSocketServerHandshaker13(null, null, LIMITS, List.of(IN_CONTEXT));

        @Override
        public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) {
            ctx.getPipeline().addFirst("http", new HttpServerCodec());
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (e.getMessage() instanceof HttpRequest request) {
                handshaker.handshake(ctx.getChannel(), request);
                upgraded.add(ctx.getChannel());
            } else if (e.getMessage() instanceof CloseWebSocketFrame close) {
                handshaker.close(ctx.getChannel(), close);
            } else if (e.getMessage() instanceof WebSocketFrame frame) {
                ctx.getChannel().write(frame);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            if (!(e.getCause() instanceof WebSocketFailure)) {
                e.getChannel().close();
            }
        }
    }
}
