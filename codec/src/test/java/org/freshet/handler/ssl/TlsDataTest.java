package org.freshet.handler.ssl;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.handler.ssl.Bytes.random;
import static org.freshet.handler.ssl.Bytes.text;
import static org.freshet.handler.ssl.TlsPair.TLS_1_2;
import static org.freshet.handler.ssl.TlsPair.TLS_1_3;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntSupplier;
import javax.net.ssl.SSLException;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.stream.ChunkedStream;
import org.freshet.handler.stream.ChunkedWriteHandler;
import org.freshet.testing.LendingMemory;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Data written on one side arrives at the other, in memory. */
@Tag("crypto")
class TlsDataTest {
    @ParameterizedTest
    @ValueSource(strings = {TLS_1_2, TLS_1_3})
    void shouldExchangeMessagesAndCloseInBothDirections(String protocol) throws Exception {
        TlsPair pair = TlsPair.of(protocol).established();
        assertEquals(protocol, pair.clientHandler.getEngine().getSession().getProtocol());
        ChannelFuture written = pair.client.write(text("hello"));
        pair.pump();
        assertTrue(written.isSuccess());
        assertEquals("hello", TlsPair.received(pair.server).toString(US_ASCII));
        pair.server.write(text("good bye"));
        pair.pump();
        assertEquals("good bye", TlsPair.received(pair.client).toString(US_ASCII));

        ChannelFuture goodbye = pair.client.getPipeline().get(SslHandler.class).close();
        assertTrue(goodbye.isSuccess());
        assertTrue(pair.client.isOpen());
        pair.pump();
        assertFalse(pair.server.isOpen(), "the peer's close_notify closes the channel");
        assertTrue(pair.serverHandler.getSSLEngineInboundCloseFuture().isSuccess());
        assertTrue(pair.clientHandler.getSSLEngineInboundCloseFuture().isSuccess(), "answered");
        pair.assertNothingCaught();
    }

    @ParameterizedTest
    @ValueSource(strings = {TLS_1_2, TLS_1_3})
    void shouldDecryptLentReadsToMessagesThatStayValid(String protocol) throws Exception {
        Random random = Seeds.random();
        int maxReadBytes = 40_000; // two records and part of a third
        LendingMemory memory = new LendingMemory(maxReadBytes);
        TlsPair pair = TlsPair.of(protocol).established();
        ChannelBuffer sent = random(random, 4_000_000);
        for (ChannelBuffer rest = sent.duplicate(); rest.readable(); ) {
            pair.client.write(rest.readSlice(Math.min(rest.readableBytes(), 1 + random.nextInt(100_000))));
        }
        ChannelBuffer wire = ChannelBuffers.dynamicBuffer();
        pair.client.takeWritten().forEach(message -> wire.writeBytes((ChannelBuffer) message));
        while (wire.readable()) {
            int length = Math.min(wire.readableBytes(), 1 + random.nextInt(maxReadBytes));
            assertTrue(memory.lend(pair.server, wire.readSlice(length)), "not borrowed");
        }
        assertEquals(sent, TlsPair.received(pair.server));
        pair.assertNothingCaught();
    }

    @ParameterizedTest
    @ValueSource(strings = {TLS_1_2, TLS_1_3})
    void shouldNotDependOnHowTheStreamIsSplit(String protocol) throws Exception {
        Random random = Seeds.random();
        IntSupplier[] splits = {() -> 1, () -> 3, () -> 5, () -> 1460, () -> 16 * 1024, () -> 1 + random.nextInt(40_000)
        };
        for (IntSupplier split : splits) {
            TlsPair pair = TlsPair.of(protocol, split).established();
            ChannelBuffer sent = random(random, 100_000);
            pair.client.write(sent.slice(0, 40_000));
            for (int i = 40_000; i < 42_000; i += 100) {
                pair.client.write(sent.slice(i, 100));
            }
            pair.client.write(sent.slice(42_000, 58_000));
            pair.pump();
            assertEquals(sent, TlsPair.received(pair.server));
            pair.server.write(sent);
            pair.server.close();
            pair.pump();
            assertEquals(sent, TlsPair.received(pair.client));
            assertTrue(pair.clientHandler.getSSLEngineInboundCloseFuture().isSuccess());
            assertFalse(pair.client.isOpen());
            pair.assertNothingCaught();
        }
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0,
                1,
                12 * 1024 - 1,
                12 * 1024,
                16 * 1024,
                16 * 1024 + 1,
                28 * 1024,
                64 * 1024,
                64 * 1024 + 1,
                1_000_000
            })
    void shouldSendMessagesOfAnySize(int size) throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3).established();
        ChannelBuffer sent = random(Seeds.random(), size);
        ChannelFuture written = pair.client.write(sent);
        assertTrue(written.isSuccess());
        assertEquals(size, sent.readableBytes(), "the message is not changed");
        pair.pump();
        assertEquals(sent, TlsPair.received(pair.server));
    }

    @Test
    void shouldSendCompositeMessagesOfManyPieces() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3).established();
        ChannelBuffer sent = random(Seeds.random(), 50_000);
        List<ChannelBuffer> pieces = new ArrayList<>();
        for (int i = 0; i < 50_000; i += 10) {
            pieces.add(sent.slice(i, 10));
        }
        pair.client.write(ChannelBuffers.wrappedBuffer(pieces.toArray(new ChannelBuffer[0])));
        pair.pump();
        assertEquals(sent, TlsPair.received(pair.server));
    }

    @Test
    void shouldSendDirectAndReadOnlyMessages() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3).established();
        ChannelBuffer direct = ChannelBuffers.directBuffer(20_000);
        direct.writeBytes(random(Seeds.random(), 20_000));
        pair.client.write(ChannelBuffers.unmodifiableBuffer(direct));
        pair.pump();
        assertEquals(direct, TlsPair.received(pair.server));
    }

    @Test
    void shouldPutSmallQueuedMessagesIntoOneRecord() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3);
        List<ChannelFuture> written = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            written.add(pair.client.write(text("line " + i + "\n")));
        }
        pair.established();
        String received = TlsPair.received(pair.server).toString(US_ASCII);
        assertTrue(received.startsWith("line 0\nline 1\n") && received.endsWith("line 49\n"), received);
        written.forEach(future -> assertTrue(future.isSuccess()));
        assertTrue(pair.deliveredBytes < 4500, "50 records would have had 1100 bytes more: " + pair.deliveredBytes);
    }

    @Test
    void shouldAnswerTheRequestsOfOneReadInOneWrite() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3).established();
        pair.server.getPipeline().addLast("echo", new SimpleChannelUpstreamHandler());
        pair.server.getPipeline().addBefore("keeper of a MemoryChannel", "answer", new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                for (int i = 0; i < 10; i++) {
                    e.getChannel().write(text("answer"));
                }
            }
        });
        pair.client.write(text("request"));
        pair.deliver(pair.client, pair.server);
        assertEquals(1, pair.server.takeWritten().size());
    }

    @Test
    void shouldFailTheMessagesOfAWriteThatFails() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3).established();
        pair.client.holdWrites();
        ChannelFuture small = pair.client.write(text("small"));
        ChannelFuture large = pair.client.write(ChannelBuffers.buffer(200_000).duplicate());
        assertFalse(small.isDone());
        IOException cause = new IOException("network");
        pair.client.failWrites(cause);
        assertSame(cause, small.getCause());
        assertTrue(large.isDone());
    }

    @Test
    void shouldNotBeWritableWhileMuchIsQueuedForTheHandshake() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3);
        pair.client.write(ChannelBuffers.wrappedBuffer(new byte[64 * 1024 - WriteAccount.MESSAGE_BYTES]));
        assertTrue(pair.client.isWritable());
        ChannelFuture written = pair.client.write(text("x"));
        assertFalse(pair.client.isWritable());
        pair.established();
        assertTrue(pair.client.isWritable());
        assertTrue(written.isSuccess());
        assertEquals(
                64 * 1024 + 1 - WriteAccount.MESSAGE_BYTES,
                TlsPair.received(pair.server).readableBytes());
    }

    @Test
    void shouldBeWritableAgainWhenTheHandshakeFails() throws Exception {
        TlsPair pair = TlsPair.of(SslContextBuilder.forClient(), Certificates.server(), () -> 100);
        ChannelFuture written = pair.client.write(ChannelBuffers.wrappedBuffer(new byte[100_000]));
        assertFalse(pair.client.isWritable());
        pair.pump();
        assertFalse(written.isSuccess());
        assertTrue(pair.client.isWritable());
    }

    /**
     * Neither before the handshake nor in the middle of a received message is a file read faster than it can be sent.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldReadChunksOnlyAsFastAsTheyCanBeSent(boolean early) throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3);
        byte[] content = random(Seeds.random(), 1_000_000).array();
        ChunkedStream input = new ChunkedStream(new ByteArrayInputStream(content), 10_000);
        pair.server.getPipeline().addAfter(name(pair.server), "chunks", new ChunkedWriteHandler());
        if (early) {
            pair.server.write(input);
            assertEquals(70_000, input.getTransferredBytes());
        } else {
            pair.established();
            long[] readInTheTurn = new long[1];
            pair.server
                    .getPipeline()
                    .addBefore("keeper of a MemoryChannel", "answer", new SimpleChannelUpstreamHandler() {
                        @Override
                        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                            e.getChannel().write(input);
                            readInTheTurn[0] = input.getTransferredBytes();
                        }
                    });
            pair.client.write(text("request"));
            pair.deliver(pair.client, pair.server);
            assertEquals(70_000, readInTheTurn[0]);
        }
        pair.established();
        assertEquals(ChannelBuffers.wrappedBuffer(content), TlsPair.received(pair.client));
        assertTrue(pair.server.isWritable());
    }

    private static String name(MemoryChannel channel) {
        return channel.getPipeline().getContext(SslHandler.class).getName();
    }

    @Test
    void shouldRefuseFileRegions() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3).established();
        Path file = Certificates.LOCALHOST.certificate().toPath();
        try (FileChannel open = FileChannel.open(file)) {
            ChannelFuture written = pair.client.write(new DefaultFileRegion(open, 0, 1));
            assertInstanceOf(SSLException.class, written.getCause());
            assertEquals(List.of(), pair.client.takeWritten());
        }
    }

    @Test
    void shouldPassOnMessagesThatAreNotBuffers() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3).established();
        pair.client.write("for a handler below");
        assertEquals(List.of("for a handler below"), pair.client.takeWritten());
    }
}
