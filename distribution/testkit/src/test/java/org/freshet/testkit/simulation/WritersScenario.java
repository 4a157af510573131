package org.freshet.testkit.simulation;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteCompletionEvent;

/**
 * The loop and two users write records to the same channel and change its interest in reading; a user's last record is
 * followed by a close. Each writer's records arrive in order, and without faults everything written before the close
 * arrives.
 */
final class WritersScenario implements Scenario {
    private static final int PORT = 80;
    private static final int HEADER_BYTES = 3;
    private static final int WRITERS = Simulation.USERS + 1;

    /** The writer on the loop. */
    private static final int LOOP = Simulation.USERS;

    private final Receiver receiver = new Receiver();
    private final int[] written = new int[WRITERS];
    private final List<ChannelFuture> interests = new ArrayList<>();
    private Simulation simulation;
    private Watch watch;
    private boolean isClosing;
    private int writtenBeforeClose;

    @Override
    public void start(Simulation simulation) {
        this.simulation = simulation;
        watch = simulation.watch("client");
        simulation.step(
                0,
                () -> simulation
                        .server(() -> simulation.pipeline("accepted", receiver))
                        .bindAsync(Simulation.address(PORT)));
        simulation.step(
                1,
                () -> simulation
                        .client(() -> Simulation.pipeline(watch, new Writer()))
                        .connect(Simulation.address(PORT)));
    }

    @Override
    public boolean onIdle(Simulation simulation) {
        if (watch.channel() == null || watch.isBroken()) {
            return false;
        }
        int sum = 0;
        for (int count : receiver.received) {
            sum += count;
        }
        simulation.require(
                sum >= writtenBeforeClose,
                sum + " records have arrived of " + writtenBeforeClose + " that were written before the close");
        interests.forEach(future -> simulation.require(future.isDone(), "a change of the interest is not done"));
        return false;
    }

    /** Counts the record before it is written, because others may run before write() returns. */
    private void write(Channel channel, int writer) {
        int number = written[writer]++;
        int length = simulation.draw().below(simulation.isLarge() ? 30_000 : 60);
        ChannelBuffer record = ChannelBuffers.buffer(HEADER_BYTES + 2 + length);
        record.writeByte(writer);
        record.writeShort(number);
        record.writeShort(length);
        record.writeBytes(Pattern.bytes(number, length));
        channel.write(record);
        if (!isClosing) {
            writtenBeforeClose++;
        }
    }

    private final class Writer extends SimpleChannelUpstreamHandler {
        private int leftOnLoop = 5;

        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            Draw draw = simulation.draw();
            for (int user = 0; user < Simulation.USERS; user++) {
                int writer = user;
                for (int i = draw.below(15); i > 0; i--) {
                    simulation.step(user, () -> write(e.getChannel(), writer));
                    if (draw.below(4) == 0) {
                        boolean isReadable = draw.below(2) == 0;
                        simulation.step(user, () -> interests.add(e.getChannel().setReadable(isReadable)));
                    }
                }
            }
            for (int i = draw.below(3); i > 0; i--) {
                write(e.getChannel(), LOOP);
            }
        }

        @Override
        public void writeComplete(ChannelHandlerContext ctx, WriteCompletionEvent e) {
            if (leftOnLoop > 0) {
                leftOnLoop--;
                write(e.getChannel(), LOOP);
            }
        }
    }

    private final class Receiver extends SimpleChannelUpstreamHandler {
        private final int[] received = new int[WRITERS];
        private final ChannelBuffer kept = ChannelBuffers.dynamicBuffer();

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            kept.writeBytes((ChannelBuffer) e.getMessage());
            while (kept.readableBytes() >= HEADER_BYTES + 2) {
                int length = kept.getUnsignedShort(kept.readerIndex() + HEADER_BYTES);
                if (kept.readableBytes() < HEADER_BYTES + 2 + length) {
                    return;
                }
                int writer = kept.readByte();
                int number = kept.readUnsignedShort();
                kept.skipBytes(2);
                simulation.require(
                        number == received[writer],
                        "record " + number + " of writer " + writer + " arrives after " + received[writer] + " others");
                Pattern.check(simulation, kept.readBytes(length), number);
                received[writer]++;
            }
            kept.discardReadBytes();
        }
    }
}
