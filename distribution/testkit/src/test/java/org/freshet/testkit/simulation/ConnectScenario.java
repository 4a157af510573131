package org.freshet.testkit.simulation;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/**
 * Connects to a server that may close, and to addresses without a server; some connects are cancelled, some have a time
 * limit. A connect fails or succeeds in time; the server accepts again when descriptors are available.
 */
final class ConnectScenario implements Scenario {
    private static final int PORT = 80;
    private static final int NOBODYS_PORT = 81;

    private static final int NO_LIMIT = 0;

    /** In addition to the limit itself: a loop may be late by the time that passes while others run. */
    private static final long LATE_MILLIS = 30_000;

    private final List<ChannelFuture> connects = new ArrayList<>();
    private final List<Channel> accepted = new ArrayList<>();
    private Simulation simulation;
    private Watch last;

    @Override
    public void start(Simulation simulation) {
        this.simulation = simulation;
        Draw draw = simulation.draw();
        simulation.step(0, () -> {
            ServerBootstrap server = simulation.server(() -> simulation.pipeline("accepted", new Accepted()));
            ChannelFuture bound = server.bindAsync(Simulation.address(PORT));
            if (draw.below(3) == 0) {
                simulation.timer().newTimeout(t -> bound.getChannel().close(), draw.below(10), TimeUnit.MILLISECONDS);
            }
        });
        for (int i = draw.between(1, 8); i > 0; i--) {
            simulation.step(draw.below(Simulation.USERS), this::connect);
        }
    }

    private void connect() {
        Draw draw = simulation.draw();
        int end = draw.below(5);
        boolean isGivenUp = end < 3;
        int limitMillis = draw.oneOf(isGivenUp ? NO_LIMIT : 5_000, 1, 20);
        ClientBootstrap client = simulation.client(() -> simulation.pipeline("client"));
        client.setOption("connectTimeoutMillis", limitMillis);
        boolean isBoundFirst = draw.below(4) == 0;
        int port = draw.below(6) == 0 ? NOBODYS_PORT : PORT;
        long startNanos = simulation.nanos();
        ChannelFuture future = isBoundFirst
                ? client.connect(Simulation.address(port), Simulation.address(0))
                : client.connect(Simulation.address(port));
        connects.add(future);
        future.addListener(connected -> {
            long millis = TimeUnit.NANOSECONDS.toMillis(simulation.nanos() - startNanos);
            simulation.require(
                    limitMillis == NO_LIMIT || millis <= limitMillis + LATE_MILLIS,
                    "a connect took " + millis + " ms, limit " + limitMillis);
            Throwable cause = connected.getCause();
            simulation.require(cause == null || cause instanceof IOException, "a connect fails with " + cause);
        });
        switch (end) {
            case 0 -> future.getChannel().close();
            case 1 -> simulation.step(draw.below(Simulation.USERS), future.getChannel()::close);
            case 2 ->
                simulation.timer().newTimeout(t -> future.getChannel().close(), draw.below(40), TimeUnit.MILLISECONDS);
            default -> {}
        }
    }

    /** The server still serves a client that connects after the faults are over. */
    @Override
    public boolean onIdle(Simulation simulation) {
        if (last == null) {
            last = simulation.watch("last");
            simulation.heal();
            simulation.step(
                    0, () -> simulation.client(() -> Simulation.pipeline(last)).connect(Simulation.address(PORT)));
            return true;
        }
        connects.forEach(connect -> simulation.require(connect.isDone(), "a connect is not done"));
        simulation.require(
                !simulation.isListening(PORT)
                        || accepted.stream()
                                .anyMatch(channel -> channel.getRemoteAddress()
                                        .equals(last.channel().getLocalAddress())),
                "the server listens but does not accept");
        return false;
    }

    private final class Accepted extends SimpleChannelUpstreamHandler {
        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            accepted.add(e.getChannel());
        }
    }
}
