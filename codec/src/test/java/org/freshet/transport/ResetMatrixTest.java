package org.freshet.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.buffer.ChannelBuffers.copiedBuffer;
import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A write detects that the peer has reset the connection, while data that the peer sent before is still unread. */
class ResetMatrixTest {
    private static final String SENT = "the last words".repeat(3_000);

    /** An accepted connection that has suspended reading, and has a failed write. */
    private static final class Broken implements AutoCloseable {
        final Recorder recorder = new Recorder();
        final Rig rig;
        final Channel channel;
        final Throwable failure;

        Broken(Pair pair, boolean allowsHalfClosure) throws IOException {
            rig = pair.rig();
            rig.server().setOption("child.allowHalfClosure", allowsHalfClosure);
            Channel server = rig.listen(pair.freeAddress(), () -> recorder);
            ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress());
            recorder.awaitEvent("connected");
            channel = recorder.channel();
            Await.success(channel.setReadable(false), "the suspension");
            peer.send(SENT);
            peer.reset();
            failure = awaitFailedWrite(channel);
        }

        @Override
        public void close() {
            rig.close();
        }
    }

    private static Throwable awaitFailedWrite(Channel channel) {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Await.until(
                () -> {
                    failure.set(Await.done(channel.write(wrappedBuffer(new byte[1])), "a write")
                            .getCause());
                    return failure.get() != null;
                },
                "a write that fails");
        return failure.get();
    }

    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "OIO_OIO"})
    void shouldReadReceivedDataBeforeItCloses(Pair pair) throws IOException {
        try (Broken broken = new Broken(pair, false)) {
            Channel channel = broken.channel;
            assertInstanceOf(IOException.class, broken.failure);
            assertTrue(channel.isOpen());
            broken.recorder.awaitEvent("exception");
            assertEquals("", broken.recorder.text());
            channel.setReadable(true);
            broken.recorder.awaitClosed();
            assertEquals(SENT.length(), broken.recorder.text().length());
            assertEquals(SENT, broken.recorder.text());
            assertEquals(List.of(broken.failure), broken.recorder.failures());
            assertEquals(Kind.PEER_RESET, channel.getCloseReason().kind());
            assertSame(broken.failure, channel.getCloseReason().cause());
        }
    }

    /** The end of the remaining input of a lost connection is not a half-closure. */
    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "OIO_OIO"})
    void shouldCloseAtTheEndEvenIfHalfClosureIsAllowed(Pair pair) throws IOException {
        try (Broken broken = new Broken(pair, true)) {
            broken.channel.setReadable(true);
            List<String> states = broken.recorder.awaitClosed().states();
            assertEquals(SENT.length(), broken.recorder.text().length());
            assertEquals(SENT, broken.recorder.text());
            assertFalse(states.contains("inputShutdown"), states::toString);
            assertEquals(Kind.PEER_RESET, broken.channel.getCloseReason().kind());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "OIO_OIO"})
    void shouldFailWritesInTheMeantimeWithTheReason(Pair pair) throws IOException {
        try (Broken broken = new Broken(pair, false)) {
            Channel channel = broken.channel;
            for (ChannelFuture late : List.of(channel.write(wrappedBuffer(new byte[1])), shutdownOutput(channel))) {
                ChannelClosedException cause =
                        assertInstanceOf(ChannelClosedException.class, Await.failure(late, "a late write"));
                assertEquals(Kind.PEER_RESET, cause.getReason().kind());
                assertSame(broken.failure, cause.getReason().cause());
            }
            assertTrue(channel.isOpen());
        }
    }

    private static ChannelFuture shutdownOutput(Channel channel) {
        return Channels.shutdownOutput(channel);
    }

    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "OIO_OIO"})
    void shouldCloseImmediatelyWhenAsked(Pair pair) throws IOException {
        try (Broken broken = new Broken(pair, false)) {
            Await.success(broken.channel.close(CloseReason.LOCAL), "the close");
            broken.recorder.awaitClosed();
            assertEquals("", broken.recorder.text());
            assertEquals(Kind.PEER_RESET, broken.channel.getCloseReason().kind());
        }
    }

    /** Handlers that never resume reading can't keep the socket open. */
    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "OIO_OIO"})
    void shouldCloseAfterAWhileIfNothingIsRead(Pair pair) throws IOException {
        try (Broken broken = new Broken(pair, false)) {
            broken.recorder.awaitClosed();
            assertEquals("", broken.recorder.text());
            assertEquals(Kind.PEER_RESET, broken.channel.getCloseReason().kind());
        }
    }

    /** A peer on the same machine closes, rather than resets. */
    @ParameterizedTest
    @EnumSource(names = {"UNIX", "LOCAL"})
    void shouldReadDataSentByAPeerThatIsGone(Pair pair) {
        Recorder recorder = new Recorder();
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), () -> recorder);
            Channel client = rig.connect(server.getLocalAddress());
            recorder.awaitEvent("connected");
            Channel channel = recorder.channel();
            Await.success(channel.setReadable(false), "the suspension");
            client.write(copiedBuffer(SENT, ISO_8859_1));
            Await.success(client.close(), "the peer's close");
            awaitFailedWrite(channel);
            channel.setReadable(true);
            recorder.awaitClosed();
            assertEquals(SENT.length(), recorder.text().length());
        }
    }
}
