package org.freshet.channel.socket.oio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.freshet.testing.ScriptedServer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What has ended when the close future completes. */
class CloseFutureTest {
    private static final int MORE_THAN_THE_SYSTEM_HOLDS = 64 * 1024 * 1024;

    @ParameterizedTest
    @EnumSource
    void shouldHaveCompletedBlockedWritesOfOtherThreads(Transport transport) throws IOException {
        Recorder events = new Recorder();
        List<ChannelFuture> writes = new CopyOnWriteArrayList<>();
        List<Thread> writers = new ArrayList<>();
        List<Boolean> doneAtClose = new CopyOnWriteArrayList<>();
        try (Rig rig = transport.rig();
                ScriptedServer server = ScriptedServer.listen()) {
            Channel channel = rig.connect(server.address(), events);
            try (ScriptedPeer peer = server.accept()) {
                for (int i = 0; i < 3; i++) {
                    writers.add(blockedWriter(channel, writes));
                }
                channel.getCloseFuture()
                        .addListener(closed -> writes.forEach(write -> doneAtClose.add(write.isDone())));
                channel.close();
                assertFalse(channel.isOpen());
                Await.success(channel.getCloseFuture(), "the close");
                assertFalse(peer.socket().isClosed());
            }
            writers.forEach(Await::end);
            events.awaitClosed();
        }
        assertEquals(List.of(true, true, true), doneAtClose);
        writes.forEach(write -> assertInstanceOf(ClosedChannelException.class, write.getCause()));
    }

    private static Thread blockedWriter(Channel channel, List<ChannelFuture> writes) {
        ChannelFuture future = Channels.future(channel);
        writes.add(future);
        Object message = ChannelBuffers.wrappedBuffer(new byte[MORE_THAN_THE_SYSTEM_HOLDS]);
        Thread writer = new Thread(
                () -> channel.getPipeline().sendDownstream(new DownstreamMessageEvent(channel, future, message, null)));
        writer.start();
        Await.until(() -> isBlockedInWrite(writer), "the writer to block");
        return writer;
    }

    private static boolean isBlockedInWrite(Thread writer) {
        for (StackTraceElement frame : writer.getStackTrace()) {
            if (frame.getClassName().equals(WriterQueue.class.getName())) {
                return true;
            }
        }
        return false;
    }
}
