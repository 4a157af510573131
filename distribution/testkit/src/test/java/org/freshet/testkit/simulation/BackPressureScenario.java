package org.freshet.testkit.simulation;

import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/**
 * A server writes while it is allowed to, in its channelInterestChanged handler, to a client that stops reading from
 * time to time. The server is notified whenever it may continue, so everything arrives; and the backlog never exceeds
 * the mark by more than a message.
 */
final class BackPressureScenario implements Scenario {
    private static final int PORT = 80;

    private Simulation simulation;
    private Watch watch;
    private int total;
    private int unit;
    private int received;
    private boolean isStarted;

    @Override
    public void start(Simulation simulation) {
        this.simulation = simulation;
        Draw draw = simulation.draw();
        unit = simulation.isLarge() ? 8_000 : 50;
        total = unit * draw.between(1, 30);
        int low = unit * draw.below(3);
        watch = simulation.watch("client");
        simulation.step(0, () -> {
            ServerBootstrap server = simulation.server(() -> simulation.pipeline("accepted", new Sender()));
            server.setOption("child.writeBufferLowWaterMark", low);
            server.setOption("child.writeBufferHighWaterMark", low + 2 * unit);
            server.setOption("child.writeCoalescing", draw.below(2) == 0);
            server.setOption("child.writeSpinCount", draw.between(1, 3));
            server.bindAsync(Simulation.address(PORT));
        });
        simulation.step(
                1,
                () -> simulation
                        .client(() -> Simulation.pipeline(watch, new SlowReader()))
                        .connect(Simulation.address(PORT)));
    }

    @Override
    public boolean onIdle(Simulation simulation) {
        simulation.require(
                received == total || watch.isBroken() || !isStarted, "only " + received + " of " + total + " arrived");
        return false;
    }

    private final class Sender extends SimpleChannelUpstreamHandler {
        private int sent;

        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            isStarted = true;
            if (simulation.draw().below(2) == 0) {
                send(e.getChannel());
            } else {
                simulation.step(0, () -> send(e.getChannel()));
            }
        }

        @Override
        public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
            if (e.getChannel().isWritable()) {
                send(e.getChannel());
            }
        }

        /** On the loop or as a user, or both at the same time. */
        private void send(Channel channel) {
            while (channel.isWritable() && sent < total) {
                int start = sent;
                sent += unit;
                channel.write(ChannelBuffers.wrappedBuffer(Pattern.bytes(start, unit)));
            }
        }
    }

    private final class SlowReader extends SimpleChannelUpstreamHandler {
        private int pauses = 3;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            received = Pattern.check(simulation, (ChannelBuffer) e.getMessage(), received);
            Channel channel = e.getChannel();
            if (pauses > 0 && simulation.draw().below(3) == 0) {
                pauses--;
                channel.setReadable(false);
                simulation
                        .timer()
                        .newTimeout(
                                over -> channel.setReadable(true),
                                simulation.draw().below(20),
                                TimeUnit.MILLISECONDS);
            }
        }
    }
}
