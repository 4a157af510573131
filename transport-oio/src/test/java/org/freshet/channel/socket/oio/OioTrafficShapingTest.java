package org.freshet.channel.socket.oio;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.Channels;
import org.freshet.handler.traffic.GlobalTrafficShapingHandler;
import org.freshet.testing.Await;
import org.freshet.testing.TrafficShapingContract;
import org.freshet.util.HashedWheelTimer;
import org.junit.jupiter.api.Test;

class OioTrafficShapingTest extends TrafficShapingContract {
    @Override
    protected ChannelFactory serverFactory() {
        return new OioServerSocketChannelFactory();
    }

    /**
     * Writes block here. A thread that changes a limit, often an administrator's, must not be blocked by a peer that
     * doesn't read.
     */
    @Test
    void shouldNotBlockTheThreadThatLiftsTheLimit() throws Exception {
        HashedWheelTimer timer = new HashedWheelTimer();
        GlobalTrafficShapingHandler shaper = new GlobalTrafficShapingHandler(timer, 1_000, 0);
        ClientBootstrap clients = new ClientBootstrap(new OioClientSocketChannelFactory());
        clients.setPipelineFactory(() -> Channels.pipeline(shaper));
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Channel channel = Await.success(
                            clients.connect(
                                    new InetSocketAddress(InetAddress.getLoopbackAddress(), listening.getLocalPort())),
                            "a connection")
                    .getChannel();
            try (Socket silent = listening.accept()) {
                channel.write(ChannelBuffers.wrappedBuffer(new byte[1_000]));
                channel.write(ChannelBuffers.wrappedBuffer(new byte[32_000_000])); // delayed by the shaper

                Await.result(
                        CompletableFuture.runAsync(() -> shaper.configure(0, 0), task -> new Thread(task).start()),
                        "the new limit");
                assertTrue(silent.isConnected());

                Await.success(channel.close(), "a close");
            }
        } finally {
            clients.releaseExternalResources();
            shaper.releaseExternalResources();
            timer.stop();
        }
    }
}
