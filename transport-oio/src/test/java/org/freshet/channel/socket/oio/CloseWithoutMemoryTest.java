package org.freshet.channel.socket.oio;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicBoolean;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.ScriptedPeer;
import org.freshet.testing.ScriptedServer;
import org.junit.jupiter.api.Test;

class CloseWithoutMemoryTest {
    /** Has no memory for its first close. */
    private static final class StarvedSocket extends Socket {
        private final AtomicBoolean hasFailed = new AtomicBoolean();

        @Override
        public synchronized void close() throws IOException {
            if (!hasFailed.getAndSet(true)) {
                throw new OutOfMemoryError("thrown on purpose");
            }
            super.close();
        }
    }

    @Test
    void shouldEndAConnectionWhoseSocketCouldNotBeClosed() throws IOException {
        Recorder events = new Recorder();
        StarvedSocket socket = new StarvedSocket();
        OioClientSocketChannelFactory factory = new OioClientSocketChannelFactory();
        ThreadStarter threads = ThreadStarter.platform();
        try (ScriptedServer server = ScriptedServer.listen()) {
            OioSocketChannel channel = new OioSocketChannel(
                    null, factory, Channels.pipeline(events), OioSink.INSTANCE, socket, factory.live(), threads);
            assertTrue(factory.live().add(channel));
            Await.success(channel.connect(server.address()), "the connect");
            try (ScriptedPeer peer = server.accept()) {
                channel.closeNow(CloseReason.LOCAL);
                Await.success(channel.getCloseFuture(), "the close");
                events.awaitClosed();
                Await.until(socket::isClosed, "the close of the socket");
                assertFalse(peer.socket().isClosed());
                factory.releaseExternalResources();
            }
        } finally {
            threads.releaseOwned();
        }
    }
}
