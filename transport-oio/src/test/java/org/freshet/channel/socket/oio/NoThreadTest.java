package org.freshet.channel.socket.oio;

import static org.junit.jupiter.api.Assertions.assertSame;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.junit.jupiter.api.Test;

/** The system refuses a channel its I/O thread. */
class NoThreadTest {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final Error refusal = new OutOfMemoryError("no thread, on purpose");
    private final Recorder events = new Recorder();
    private final Executor executor = task -> {
        throw refusal;
    };

    private void assertEnds(ChannelFactory factory, Channel channel, ChannelFuture begun) {
        assertSame(refusal, Await.failure(begun, "the begin"));
        Await.done(channel.getCloseFuture(), "the close");
        events.awaitClosed();
        factory.releaseExternalResources();
    }

    @Test
    void shouldEndAClient() {
        OioClientSocketChannelFactory factory = new OioClientSocketChannelFactory(executor);
        Channel channel = factory.newChannel(Channels.pipeline(events));
        assertEnds(factory, channel, channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)));
    }

    @Test
    void shouldEndAServer() {
        OioServerSocketChannelFactory factory = new OioServerSocketChannelFactory(executor, executor);
        Channel channel = factory.newChannel(Channels.pipeline(events));
        assertEnds(factory, channel, channel.bind(LOOPBACK));
    }

    @Test
    void shouldEndADatagramChannel() {
        OioDatagramChannelFactory factory = new OioDatagramChannelFactory(executor);
        Channel channel = factory.newChannel(Channels.pipeline(events));
        assertEnds(factory, channel, channel.bind(LOOPBACK));
    }
}
