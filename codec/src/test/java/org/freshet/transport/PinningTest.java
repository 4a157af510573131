package org.freshet.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingStream;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.oio.OioClientSocketChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;
import org.freshet.handler.execution.ConversationHandler;
import org.freshet.internal.VirtualThreads;
import org.freshet.testing.Await;
import org.freshet.testing.Echo;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * A virtual thread that waits in the blocking transport or in a conversation releases its carrier. The JVM reports one that
 * does not as {@code jdk.VirtualThreadPinned}. Before Java 21 there are no virtual threads and nothing to test.
 */
@EnabledForJreRange(min = JRE.JAVA_21)
class PinningTest {
    private static final String PINNED = "jdk.VirtualThreadPinned";
    private static final int CONNECTIONS = 64;

    @Test
    void shouldNeverPinACarrier() throws Exception {
        List<List<String>> pinned = new CopyOnWriteArrayList<>();
        CountDownLatch controlSeen = new CountDownLatch(1);
        waitInEveryWay(); // the JVM pins a thread that waits for another one to load or initialize a class
        try (RecordingStream stream = new RecordingStream()) {
            stream.enable(PINNED).withoutThreshold().withStackTrace();
            stream.onEvent(PINNED, event -> {
                List<String> frames = frames(event);
                if (frames.stream().anyMatch(frame -> frame.startsWith(PinsInItsInitializer.class.getName()))) {
                    controlSeen.countDown();
                } else {
                    pinned.add(frames);
                }
            });
            stream.startAsync();
            // A recording hooks into Throwable. The first exception loads the hook's class, and pins who waits for it.
            assertNotNull(new Throwable().getStackTrace());
            waitInEveryWay();
            // A thread pinned on purpose shows that the recording would have caught others.
            VirtualThreads.executor().execute(PinsInItsInitializer::touch);
            Await.latch(controlSeen, "the thread that is pinned on purpose");
        }
        assertEquals(List.of(), pinned);
    }

    private static List<String> frames(RecordedEvent event) {
        List<String> frames = new ArrayList<>();
        if (event.getStackTrace() != null) {
            for (RecordedFrame frame : event.getStackTrace().getFrames()) {
                frames.add(frame.getMethod().getType().getName() + "."
                        + frame.getMethod().getName());
            }
        }
        return frames;
    }

    /** Reads, suspended reads, writes to slow peers, queued writers, accepts, connects: all on virtual threads. */
    private static void waitInEveryWay() throws IOException {
        Executor virtual = VirtualThreads.executor();
        OioServerSocketChannelFactory servers = new OioServerSocketChannelFactory(virtual, virtual);
        try (Rig rig = new Rig(servers, new OioClientSocketChannelFactory(virtual))) {
            Channel server = rig.listen(Echo::new);
            for (int i = 0; i < CONNECTIONS; i++) {
                Recorder client = new Recorder();
                Channel channel = rig.connect(server.getLocalAddress(), client);
                channel.write(ChannelBuffers.wrappedBuffer(new byte[10_000]));
                client.awaitText("x".repeat(10_000));
                channel.setReadable(false);
                channel.setReadable(true);
            }
            blockWriters(server, virtual);
        }
        converse();
    }

    /** Conversations over NIO wait for messages and for a peer that reads slowly. */
    private static void converse() throws IOException {
        byte[] message = new byte[1 << 20];
        int answers = 8;
        ConversationHandler talker = new ConversationHandler(connection -> {
            for (Object m = connection.read(Duration.ofDays(1)); m != null; m = connection.read()) {
                for (int i = 0; i < answers; i++) {
                    connection.write(ChannelBuffers.wrappedBuffer(message));
                }
            }
        });
        try (Rig rig = new Rig(new NioServerSocketChannelFactory(1), new NioClientSocketChannelFactory(1))) {
            Channel server = rig.listen(() -> talker);
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress(), 8192)) {
                for (int i = 0; i < 2; i++) {
                    peer.send("?");
                    peer.read(answers * message.length);
                }
            }
        }
    }

    private static void blockWriters(Channel server, Executor virtual) throws IOException {
        int writers = 8;
        byte[] message = new byte[1 << 20];
        try (Rig rig = Pair.OIO_OIO.rig()) {
            Recorder child = new Recorder();
            Channel slow = rig.listen(() -> child);
            try (ScriptedPeer peer = ScriptedPeer.connect(slow.getLocalAddress(), 8192)) {
                child.awaitEvent("connected");
                CountDownLatch written = new CountDownLatch(writers);
                for (int i = 0; i < writers; i++) {
                    virtual.execute(() -> {
                        child.channel().write(ChannelBuffers.wrappedBuffer(message));
                        written.countDown();
                    });
                }
                peer.read(writers * message.length);
                Await.latch(written, "the writers");
                assertTrue(server.isOpen());
            }
        }
    }

    /** Parks while the JVM is in native code on its behalf, which prevents unmounting. */
    private static final class PinsInItsInitializer {
        static {
            LockSupport.parkNanos(1_000_000);
        }

        static void touch() {
            // the call initializes the class
        }
    }
}
