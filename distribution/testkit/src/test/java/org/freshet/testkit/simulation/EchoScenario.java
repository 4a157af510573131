package org.freshet.testkit.simulation;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/** Clients send bytes that a server echoes; each closes when it has received all of them. */
final class EchoScenario implements Scenario {
    private static final int PORT = 7;

    private final List<Client> clients = new ArrayList<>();

    @Override
    public void start(Simulation simulation) {
        Draw draw = simulation.draw();
        simulation.step(
                0,
                () -> simulation
                        .server(() -> simulation.pipeline("accepted", new EchoHandler()))
                        .bindAsync(Simulation.address(PORT)));
        int count = draw.between(1, 3);
        for (int i = 0; i < count; i++) {
            Client client = new Client(simulation, draw.below(simulation.isLarge() ? 300_000 : 3_000));
            clients.add(client);
            simulation.step(draw.below(Simulation.USERS), client::connect);
        }
    }

    @Override
    public boolean onIdle(Simulation simulation) {
        for (Client client : clients) {
            simulation.require(
                    client.received == client.total || client.watch.isBroken(),
                    "a client got " + client.received + " of " + client.total + " bytes back");
        }
        return false;
    }

    static final class EchoHandler extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            e.getChannel().write(e.getMessage());
        }
    }

    private static final class Client extends SimpleChannelUpstreamHandler {
        private final Simulation simulation;
        private final Watch watch;
        private final int total;
        private int sent;
        private int received;

        Client(Simulation simulation, int total) {
            this.simulation = simulation;
            this.total = total;
            watch = simulation.watch("client");
        }

        void connect() {
            simulation.client(() -> Simulation.pipeline(watch, this)).connect(Simulation.address(PORT));
        }

        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            Draw draw = simulation.draw();
            for (int left = total; left > 0; ) {
                int count = draw.between(1, left);
                left -= count;
                if (draw.below(2) == 0) {
                    send(e.getChannel(), count);
                } else {
                    simulation.step(draw.below(Simulation.USERS), () -> send(e.getChannel(), count));
                }
            }
            closeIfComplete(e.getChannel());
        }

        private void send(Channel channel, int count) {
            int start = sent;
            sent += count; // first, because others may run before write() returns
            channel.write(ChannelBuffers.wrappedBuffer(Pattern.bytes(start, count)));
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            received = Pattern.check(simulation, (ChannelBuffer) e.getMessage(), received);
            closeIfComplete(e.getChannel());
        }

        private void closeIfComplete(Channel channel) {
            if (received == total) {
                channel.close();
            }
        }
    }
}
