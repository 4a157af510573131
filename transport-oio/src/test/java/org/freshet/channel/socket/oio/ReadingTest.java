package org.freshet.channel.socket.oio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.DirectChannelBufferFactory;
import org.freshet.buffer.HeapChannelBufferFactory;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.freshet.testing.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Received data is passed on completely, in order, and only while reading is on. */
class ReadingTest {
    @ParameterizedTest
    @EnumSource
    void shouldHoldBackDataWhileReadingIsOff(Transport transport) throws IOException {
        try (Rig rig = transport.rig()) {
            Recorder child = new Recorder();
            Channel server = rig.listen(() -> child);
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                child.awaitEvent("connected");
                Channel channel = child.channel();
                Await.success(channel.setReadable(false), "setReadable");
                assertFalse(channel.isReadable());
                child.awaitEvent("interest");
                peer.send("held").endOutput();
                // The I/O thread must keep what it has already read: a task between its events sees no message.
                Await.success(channel.getPipeline().execute(() -> assertEquals("", child.text())), "a look");
                assertTrue(channel.isOpen());
                channel.setReadable(true);
                child.awaitClosed();
                assertEquals("held", child.text());
                assertEquals(
                        2, child.events().stream().filter("interest"::equals).count());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldStopBetweenTwoMessagesWhenAHandlerStopsReading(Transport transport) throws IOException {
        try (Rig rig = transport.rig()) {
            Recorder child = new Recorder() {
                @Override
                protected void handle(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
                    if (e instanceof MessageEvent) {
                        ctx.getChannel().setReadable(false);
                    }
                    super.handle(ctx, e);
                }
            };
            Channel server = rig.listen(() -> child);
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                peer.send("a");
                child.awaitEvent("interest");
                peer.send("b");
                for (int i = 2; i <= 4; i++) {
                    assertEquals(i - 1, messages(child));
                    int expected = i;
                    child.channel().setReadable(true);
                    Await.until(() -> messages(child) == expected, () -> "message " + expected);
                    Await.until(() -> !child.channel().isReadable(), "the end of reading");
                    peer.send("c");
                }
            }
            child.channel().setReadable(true);
        }
    }

    private static long messages(Recorder recorder) {
        return recorder.events().stream().filter("message"::equals).count();
    }

    @ParameterizedTest
    @EnumSource
    void shouldCloseAChannelThatDoesNotRead(Transport transport) throws IOException {
        try (Rig rig = transport.rig()) {
            Recorder child = new Recorder();
            Channel server = rig.listen(() -> child);
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                child.awaitEvent("connected");
                child.channel().setReadable(false);
                peer.send("never read");
                child.channel().close();
                assertEquals("", child.awaitClosed().text());
            }
        }
    }

    /** Streams of every size around the small array held by a waiting connection. */
    @ParameterizedTest
    @EnumSource
    void shouldReadAnyNumberOfBytes(Transport transport) throws IOException {
        Random random = Seeds.random();
        try (Rig rig = transport.rig()) {
            for (int length : new int[] {1, 1023, 1024, 1025, 2048, 65_535, 65_536, 65_537, 66_560, 66_561, 300_000}) {
                Recorder child = new Recorder();
                Channel server = rig.listen(() -> child);
                byte[] sent = new byte[length];
                random.nextBytes(sent);
                try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                    peer.send(sent).endOutput();
                    child.awaitClosed();
                }
                assertArrayEquals(sent, child.text().getBytes(StandardCharsets.ISO_8859_1));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldCreateBuffersWithTheFactoryOfTheChannel(Transport transport) throws IOException {
        List<Boolean> direct = new ArrayList<>();
        try (Rig rig = transport.rig()) {
            rig.server().setOption("child.bufferFactory", DirectChannelBufferFactory.getInstance());
            Recorder child = new Recorder() {
                @Override
                protected void handle(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
                    if (e instanceof MessageEvent message) {
                        direct.add(((ChannelBuffer) message.getMessage()).isDirect());
                    }
                    super.handle(ctx, e);
                }
            };
            Channel server = rig.listen(() -> child);
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                peer.send(new byte[5000]).endOutput();
                child.awaitClosed();
            }
        }
        assertTrue(direct.size() > 0 && !direct.contains(false), direct.toString());
    }

    /** Only the thread that reads a connection closes it after a failure, even if it can't report what has failed. */
    @ParameterizedTest
    @EnumSource
    void shouldCloseWithoutMemoryForReceivedDataAndForTheLog(Transport transport) throws IOException {
        try (Rig rig = transport.rig();
                CapturedLog log = CapturedLog.failing(() -> new OutOfMemoryError("injected by a test"))) {
            rig.server().setOption("child.bufferFactory", new HeapChannelBufferFactory() {
                @Override
                public ChannelBuffer getBuffer(ByteOrder order, byte[] array, int offset, int length) {
                    throw new OutOfMemoryError("injected by a test");
                }
            });
            Recorder child = new Recorder();
            Channel server = rig.listen(() -> child);
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                peer.send(new byte[10]);
                child.awaitClosed();
            }
            assertEquals(List.of(), log.messages());
        }
    }
}
