package org.freshet.testkit.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;

/**
 * Handlers, listeners, users and the timer write to both ends of a few connections, change their interest, rebuild
 * selectors and close, at any point. No data has to arrive; {@link Watch} checks the rest.
 */
final class CloseRaceScenario implements Scenario {
    private static final int PORT = 80;

    private final List<Channel> channels = new ArrayList<>();
    private Simulation simulation;
    private int actsLeft;

    @Override
    public void start(Simulation simulation) {
        this.simulation = simulation;
        Draw draw = simulation.draw();
        actsLeft = draw.between(5, 60);
        simulation.step(
                0,
                () -> simulation
                        .server(() -> simulation.pipeline("accepted", new Actor()))
                        .bindAsync(Simulation.address(PORT)));
        for (int i = draw.between(1, 3); i > 0; i--) {
            simulation.step(draw.below(Simulation.USERS), () -> {
                var client = simulation.client(() -> simulation.pipeline("client", new Actor()));
                client.setOption("connectTimeoutMillis", draw.between(1, 50));
                ChannelFuture connect = client.connect(Simulation.address(PORT));
                if (draw.below(8) == 0) {
                    connect.getChannel().close();
                }
            });
        }
        for (int i = draw.below(20); i > 0; i--) {
            simulation.step(draw.below(Simulation.USERS), this::actOnAny);
            simulation.timer().newTimeout(t -> actOnAny(), draw.below(30), TimeUnit.MILLISECONDS);
        }
    }

    private void actOnAny() {
        if (!channels.isEmpty()) {
            act(simulation.draw().oneOf(channels));
        }
    }

    private void act(Channel channel) {
        if (actsLeft == 0) {
            return;
        }
        actsLeft--;
        switch (simulation.draw().below(12)) {
            case 0 -> channel.close().addListener(closed -> act(channel));
            case 1, 2 -> channel.setReadable(simulation.draw().below(3) > 0).addListener(changed -> act(channel));
            case 3 -> simulation.rebuildSelectors();
            case 4 -> channel.getPipeline().execute(() -> act(channel));
            case 5 -> {
                Channels.shutdownOutput(channel);
                act(channel);
            }
            default -> {
                int size = simulation.draw().below(simulation.isLarge() ? 100_000 : 400);
                channel.write(ChannelBuffers.wrappedBuffer(new byte[size])).addListener(written -> act(channel));
            }
        }
    }

    private final class Actor implements ChannelUpstreamHandler {
        private boolean isKnown;

        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
            if (!isKnown) {
                isKnown = true;
                channels.add(e.getChannel());
            }
            if (e instanceof MessageEvent message) {
                ((ChannelBuffer) message.getMessage()).clear();
            }
            if (simulation.draw().below(3) == 0) {
                act(e.getChannel());
            }
        }
    }
}
