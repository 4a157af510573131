package org.freshet.testkit.simulation;

import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/**
 * A client talks to an echo server through a proxy, whose two connections are often driven by different loops. The
 * proxy reads from one only while it may write to the other, and closes each when the other has ended and everything is
 * sent.
 */
final class ProxyScenario implements Scenario {
    private static final int PROXY_PORT = 80;
    private static final int BACKEND_PORT = 81;

    private Simulation simulation;
    private Watch client;
    private Watch outbound;
    private int total;
    private int received;

    @Override
    public void start(Simulation simulation) {
        this.simulation = simulation;
        Draw draw = simulation.draw();
        total = draw.between(1, simulation.isLarge() ? 200_000 : 2_000);
        client = simulation.watch("client");
        outbound = simulation.watch("outbound");
        simulation.step(0, () -> {
            simulation
                    .server(() -> simulation.pipeline("backend", new EchoScenario.EchoHandler()))
                    .bindAsync(Simulation.address(BACKEND_PORT));
            simulation
                    .server(() -> simulation.pipeline("inbound", new Inbound()))
                    .bindAsync(Simulation.address(PROXY_PORT))
                    .addListener(bound -> simulation.step(
                            1,
                            () -> simulation
                                    .client(() -> Simulation.pipeline(client, new Client()))
                                    .connect(Simulation.address(PROXY_PORT))));
        });
    }

    @Override
    public boolean onIdle(Simulation simulation) {
        simulation.require(
                received == total || client.isBroken() || outbound.isBroken(),
                "only " + received + " of " + total + " bytes came back through the proxy");
        return false;
    }

    private final class Client extends SimpleChannelUpstreamHandler {
        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            for (int sent = 0; sent < total; ) {
                int count = simulation.draw().between(1, total - sent);
                e.getChannel().write(ChannelBuffers.wrappedBuffer(Pattern.bytes(sent, count)));
                sent += count;
            }
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            received = Pattern.check(simulation, (ChannelBuffer) e.getMessage(), received);
            if (received == total) {
                e.getChannel().close();
            }
        }
    }

    private final class Inbound extends SimpleChannelUpstreamHandler {
        private Channel backend;

        @Override
        public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) {
            Channel inbound = e.getChannel();
            inbound.setReadable(false);
            ClientBootstrap bootstrap = simulation.client(() -> Simulation.pipeline(outbound, new Relay(inbound)));
            bootstrap.connect(Simulation.address(BACKEND_PORT)).addListener(connected -> {
                if (connected.isSuccess()) {
                    backend = connected.getChannel();
                    inbound.setReadable(true);
                } else {
                    inbound.close();
                }
            });
        }

        /** Also if there is no socket for the backend. */
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            e.getChannel().close();
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            relay(e, backend);
        }

        @Override
        public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
            if (backend != null && e.getChannel().isWritable()) {
                backend.setReadable(true);
            }
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            if (backend != null) {
                closeWhenSent(backend);
            }
        }
    }

    private static final class Relay extends SimpleChannelUpstreamHandler {
        private final Channel inbound;

        Relay(Channel inbound) {
            this.inbound = inbound;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            relay(e, inbound);
        }

        @Override
        public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
            if (e.getChannel().isWritable()) {
                inbound.setReadable(true);
            }
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            closeWhenSent(inbound);
        }
    }

    private static void relay(MessageEvent e, Channel target) {
        target.write(e.getMessage());
        if (!target.isWritable()) {
            e.getChannel().setReadable(false);
            if (target.isWritable()) { // between the two
                e.getChannel().setReadable(true);
            }
        }
    }

    private static void closeWhenSent(Channel channel) {
        if (channel.isConnected()) {
            channel.write(ChannelBuffers.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        } else {
            channel.close();
        }
    }
}
