package org.freshet.handler.codec.proxyprotocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.OriginalAddress;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.Test;

/**
 * A decoder that a handler adds in {@code channelOpen}, when an accepted channel is connected but the event has not
 * been sent yet.
 */
class ProxyProtocolLateAdditionTest {
    /** Records the client's address when notified of the connection. */
    private static final class Application extends SimpleChannelUpstreamHandler {
        final BlockingQueue<String> clients = new LinkedBlockingQueue<>();

        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            clients.add(String.valueOf(OriginalAddress.of(e.getChannel())));
        }
    }

    private static final class Adding extends SimpleChannelUpstreamHandler {
        @Override
        public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) {
            ctx.getPipeline()
                    .addAfter(
                            ctx.getName(),
                            "proxyProtocol",
                            new ProxyProtocolDecoder(ProxyProtocolSettings.trusting("127.0.0.0/8", "::1/128")));
            ctx.sendUpstream(e);
        }
    }

    @Test
    void shouldNotifyHandlersOfTheConnectionWhenTheClientIsKnown() throws Exception {
        Application application = new Application();
        try (Rig rig = new Rig(new NioServerSocketChannelFactory(1), new NioClientSocketChannelFactory())) {
            rig.server().setPipelineFactory(() -> {
                ChannelPipeline pipeline = Channels.pipeline(new Adding());
                pipeline.addLast("application", application);
                return pipeline;
            });
            Channel server = rig.server().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                peer.send("PROXY TCP4 203.0.113.7 198.51.100.1 4711 443\r\nhello");
                String client = application.clients.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
                assertEquals("/203.0.113.7:4711", client);
            }
        }
    }
}
