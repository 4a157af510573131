package org.freshet.channel.socket.oio;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.ClosedChannelException;
import java.util.Map;
import java.util.Random;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.freshet.testing.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Another thread closes at the very moment when a socket is connected or bound for the first time. */
class CloseRaceTest {
    private static final int ROUNDS = 1000;
    private static final int LONGEST_SPIN = 5000;

    private final Random random = Seeds.random();

    private void spin() {
        for (int i = random.nextInt(LONGEST_SPIN); i > 0; i--) {
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldEndAConnectWheneverTheChannelCloses(Transport transport) throws IOException {
        try (Rig rig = transport.rig();
                FullListener listener = new FullListener()) {
            for (int i = 0; i < ROUNDS; i++) {
                Recorder events = new Recorder();
                Channel client = rig.client().getFactory().newChannel(Channels.pipeline(events));
                client.getConfig().setOptions(Map.of("connectTimeoutMillis", 0));
                ChannelFuture connect = client.connect(listener.address());
                spin();
                client.close();
                assertInstanceOf(ClosedChannelException.class, Await.failure(connect, "the connect"));
                events.awaitClosed();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldLeaveNoPortBoundWheneverTheChannelCloses(Transport transport) throws Exception {
        try (Rig rig = transport.rig()) {
            for (int i = 0; i < ROUNDS; i++) {
                Channel server = rig.server().getFactory().newChannel(Channels.pipeline(new Recorder()));
                Thread binder =
                        new Thread(() -> server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
                binder.start();
                spin();
                Await.success(server.close(), "the close");
                Await.end(binder);
                InetSocketAddress bound = (InetSocketAddress) server.getLocalAddress();
                if (bound != null) {
                    try (ServerSocket again = new ServerSocket(bound.getPort(), 1, bound.getAddress())) {
                        assertFalse(again.isClosed());
                    }
                }
            }
        }
    }
}
