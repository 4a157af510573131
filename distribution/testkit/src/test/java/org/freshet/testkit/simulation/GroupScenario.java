package org.freshet.testkit.simulation;

import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.group.ChannelGroup;
import org.freshet.channel.group.ChannelGroupFuture;
import org.freshet.channel.group.DefaultChannelGroup;
import org.freshet.internal.transport.AcceptedChannels;

/**
 * A server keeps its connections in a group, sends to all of them, and shuts down like a drain: it closes the listening
 * socket, has its workers list the accepted connections, and closes these. No connection is missing from the list.
 */
final class GroupScenario implements Scenario {
    private static final int PORT = 80;

    private final ChannelGroup group = new DefaultChannelGroup();
    private Simulation simulation;
    private Channel server;
    private ChannelGroupFuture lastSend;
    private ChannelGroupFuture end;
    private boolean isListed;

    @Override
    public void start(Simulation simulation) {
        this.simulation = simulation;
        Draw draw = simulation.draw();
        simulation.step(
                0,
                () -> server = simulation
                        .server(() -> simulation.pipeline("accepted", new Member()))
                        .bindAsync(Simulation.address(PORT))
                        .getChannel());
        for (int i = draw.between(1, 5); i > 0; i--) {
            simulation.step(
                    draw.below(Simulation.USERS),
                    () -> simulation
                            .client(() -> simulation.pipeline("client", new Echoing()))
                            .connect(Simulation.address(PORT)));
        }
        for (int i = draw.below(5); i > 0; i--) {
            simulation.timer().newTimeout(t -> send(), draw.below(5_000), TimeUnit.MICROSECONDS);
        }
        simulation.timer().newTimeout(t -> drain(), draw.below(10_000), TimeUnit.MICROSECONDS);
    }

    private void send() {
        int size = simulation.draw().below(simulation.isLarge() ? 50_000 : 300);
        lastSend = group.write(ChannelBuffers.wrappedBuffer(new byte[size]));
    }

    private void drain() {
        if (server == null) {
            isListed = true; // the step that would bind it found no socket, or is yet to run
            return;
        }
        server.close()
                .addListener(closed -> ((AcceptedChannels) server)
                        .acceptedChannels()
                        .thenAccept(listed -> {
                            isListed = true;
                            for (Channel member : group) {
                                simulation.require(
                                        listed.contains(member) || !member.isOpen(),
                                        "not listed as accepted: " + member);
                            }
                            end = group.close();
                        }));
    }

    @Override
    public boolean onIdle(Simulation simulation) {
        simulation.require(isListed, "the accepted connections are not listed");
        simulation.require(lastSend == null || lastSend.isDone() || end == null, "a group's write is not done");
        simulation.require(end == null || end.isDone(), "a group's close is not done");
        simulation.require(end == null || group.isEmpty(), "a group keeps closed channels: " + group.size());
        return false;
    }

    private final class Member extends SimpleChannelUpstreamHandler {
        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            group.add(e.getChannel());
            e.getChannel().write(ChannelBuffers.wrappedBuffer(new byte[10]));
        }
    }

    private static final class Echoing extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            e.getChannel().write(e.getMessage());
        }
    }
}
