package org.freshet.testkit.simulation;

import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.CloseReason;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteOverflow;

/**
 * The loop, a user and the timer write more than a client reads; the client may stop for good. The backlog stays below
 * the limit; beyond it the channel closes, or the write fails and the others arrive in full; and a channel whose peer
 * reads nothing for too long is closed.
 */
final class LimitScenario implements Scenario {
    private static final int PORT = 80;
    private static final int STALL_MILLIS = 50;

    private Simulation simulation;
    private Watch accepted;
    private int unit;
    private int limit;
    private WriteOverflow overflow;
    private boolean isStallLimited;
    private boolean stopsReading;
    private int written;

    @Override
    public void start(Simulation simulation) {
        this.simulation = simulation;
        Draw draw = simulation.draw();
        unit = simulation.isLarge() ? 8_000 : 60;
        int charge = (int) WriteAccount.costOf(unit);
        limit = charge * draw.between(2, 8);
        overflow = draw.below(2) == 0 ? WriteOverflow.CLOSE : WriteOverflow.FAIL;
        isStallLimited = draw.below(2) == 0;
        stopsReading = draw.below(2) == 0;
        accepted = simulation.watch("accepted");
        simulation.step(0, () -> {
            ServerBootstrap server = simulation.server(() -> Simulation.pipeline(accepted, new Writer()));
            server.setOption("child.writeBufferHighWaterMark", 2 * charge);
            server.setOption("child.writeBufferLowWaterMark", charge);
            server.setOption("child.writeBufferLimit", limit);
            server.setOption("child.writeOverflow", overflow);
            server.setOption("child.writeStallTimeoutMillis", isStallLimited ? STALL_MILLIS : 0);
            server.bindAsync(Simulation.address(PORT))
                    .addListener(bound -> simulation.step(
                            1,
                            () -> simulation
                                    .client(() -> simulation.pipeline("client", new Reader()))
                                    .connect(Simulation.address(PORT))));
        });
    }

    @Override
    public boolean onIdle(Simulation simulation) {
        Channel channel = accepted.channel();
        if (channel == null) {
            return false;
        }
        long queued = WriteAccount.waitingBytes(channel);
        simulation.require(
                queued == 0 || channel.isOpen() && !isStallLimited,
                queued + " bytes are queued forever, open: " + channel.isOpen());
        CloseReason reason = channel.getCloseReason();
        simulation.require(
                reason == null
                        || accepted.isBroken()
                        || reason.kind() == CloseReason.Kind.OVERFLOW && overflow == WriteOverflow.CLOSE
                        || reason.kind() == CloseReason.Kind.TIMED_OUT && isStallLimited,
                "closed for " + reason);
        return false;
    }

    private final class Writer extends SimpleChannelUpstreamHandler {
        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            Draw draw = simulation.draw();
            for (int i = draw.below(30); i > 0; i--) {
                switch (draw.below(3)) {
                    case 0 -> write(e.getChannel());
                    case 1 -> simulation.step(0, () -> write(e.getChannel()));
                    default ->
                        simulation
                                .timer()
                                .newTimeout(t -> write(e.getChannel()), draw.below(100), TimeUnit.MILLISECONDS);
                }
            }
        }

        /** A number, followed by enough bytes to fill a unit. */
        private void write(Channel channel) {
            int number = written++;
            ChannelBuffer message = ChannelBuffers.buffer(unit);
            message.writeInt(number);
            message.writeBytes(Pattern.bytes(number, unit - Integer.BYTES));
            channel.write(message);
            long queued = WriteAccount.waitingBytes(channel);
            simulation.require(queued <= limit, queued + " bytes are queued, limit " + limit);
        }
    }

    private final class Reader extends SimpleChannelUpstreamHandler {
        private final ChannelBuffer kept = ChannelBuffers.dynamicBuffer();

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            kept.writeBytes((ChannelBuffer) e.getMessage());
            while (kept.readableBytes() >= unit) {
                ChannelBuffer message = kept.readBytes(unit);
                int number = message.readInt();
                simulation.require(number >= 0 && number < written, "a message that was never written: " + number);
                Pattern.check(simulation, message, number);
            }
            if (stopsReading && simulation.draw().below(4) == 0) {
                e.getChannel().setReadable(false);
            }
        }
    }
}
