package org.freshet.testkit.simulation;

import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/**
 * A client sends a question and ends its output; the server then sends the answer and ends its own. Both arrive in
 * full.
 */
final class HalfCloseScenario implements Scenario {
    private static final int PORT = 80;

    private Simulation simulation;
    private Watch client;
    private Watch server;
    private int questionBytes;
    private int answerBytes;
    private int questionReceived;
    private int answerReceived;

    @Override
    public void start(Simulation simulation) {
        this.simulation = simulation;
        Draw draw = simulation.draw();
        int most = simulation.isLarge() ? 200_000 : 2_000;
        questionBytes = draw.below(most);
        answerBytes = draw.below(most);
        client = simulation.watch("client");
        server = simulation.watch("accepted");
        simulation.step(0, () -> {
            ServerBootstrap bootstrap = simulation.server(() -> Simulation.pipeline(server, new Answering()));
            bootstrap.setOption("child.allowHalfClosure", true);
            bootstrap.bindAsync(Simulation.address(PORT)).addListener(bound -> simulation.step(1, this::connect));
        });
    }

    private void connect() {
        ClientBootstrap bootstrap = simulation.client(() -> Simulation.pipeline(client, new Asking()));
        bootstrap.setOption("allowHalfClosure", true);
        bootstrap.connect(Simulation.address(PORT));
    }

    @Override
    public boolean onIdle(Simulation simulation) {
        if (!client.isBroken() && !server.isBroken()) {
            simulation.require(questionReceived == questionBytes, "the question arrived in part: " + questionReceived);
            simulation.require(answerReceived == answerBytes, "the answer arrived in part: " + answerReceived);
            simulation.require(
                    client.isClosed() && server.isClosed(), "both outputs have ended, but not the connection");
        }
        return false;
    }

    private void send(ChannelEvent e, int total) {
        for (int sent = 0; sent < total; ) {
            int count = simulation.draw().between(1, total - sent);
            e.getChannel().write(ChannelBuffers.wrappedBuffer(Pattern.bytes(sent, count)));
            sent += count;
        }
        Channels.shutdownOutput(e.getChannel());
    }

    private final class Asking extends SimpleChannelUpstreamHandler {
        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            if (simulation.draw().below(2) == 0) {
                send(e, questionBytes);
            } else {
                simulation.step(1, () -> send(e, questionBytes));
            }
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            answerReceived = Pattern.check(simulation, (ChannelBuffer) e.getMessage(), answerReceived);
        }
    }

    private final class Answering extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            questionReceived = Pattern.check(simulation, (ChannelBuffer) e.getMessage(), questionReceived);
        }

        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            if (e instanceof InputShutdownEvent) {
                send(e, answerBytes);
            } else {
                super.handleUpstream(ctx, e);
            }
        }
    }
}
