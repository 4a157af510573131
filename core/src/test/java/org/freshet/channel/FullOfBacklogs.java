package org.freshet.channel;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.local.DefaultLocalClientChannelFactory;
import org.freshet.channel.local.DefaultLocalServerChannelFactory;
import org.freshet.channel.local.LocalAddress;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;

/** A program without a limit on its backlogs: it writes to peers that never read until the heap is full. */
final class FullOfBacklogs {
    private static final LocalAddress NAME = new LocalAddress("full of backlogs");
    private static final int MESSAGE_BYTES = 60_000;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private FullOfBacklogs() {}

    /** Creates a message of the given size. */
    private static final class Encoder extends SimpleChannelDownstreamHandler {
        @Override
        public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
            byte[] message = new byte[(int) e.getMessage()];
            Channels.write(ctx, e.getFuture(), ChannelBuffers.wrappedBuffer(message));
        }
    }

    /** @param args how many channels to write to, and the most bytes that may wait on each */
    public static void main(String[] args) {
        int greedyCount = Integer.parseInt(args[0]);
        long mostBytes = Long.parseLong(args[1]);
        MemoryBudget.setLimit(0);
        Rig rig = new Rig(new DefaultLocalServerChannelFactory(), new DefaultLocalClientChannelFactory());
        rig.server().setParentHandler(new SimpleChannelUpstreamHandler() {
            @Override
            public void childChannelOpen(ChannelHandlerContext ctx, ChildChannelStateEvent e) {
                e.getChildChannel().setReadable(false);
            }
        });
        rig.listen(NAME, Recorder::new);
        Channel modest = rig.connect(NAME);
        modest.write(ChannelBuffers.wrappedBuffer(new byte[1024]));
        List<Channel> greedy = new ArrayList<>();
        for (int i = 0; i < greedyCount; i++) {
            greedy.add(rig.connect(NAME, new Encoder()));
        }
        boolean isClosed = holds(() -> {
            writeToAll(greedy, mostBytes);
            return MemoryBudget.getClosed() > 0;
        });
        boolean isUnlimitedAgain = holds(() -> MemoryBudget.ceilingBytes() == 0);
        System.out.println("closed=" + isClosed + " modest=" + modest.isOpen() + " unlimited=" + isUnlimitedAgain);
        System.exit(0);
    }

    private static void writeToAll(List<Channel> channels, long mostBytes) {
        try {
            for (Channel channel : channels) {
                if (WriteAccount.waitingBytes(channel) + MESSAGE_BYTES <= mostBytes) {
                    channel.write(MESSAGE_BYTES);
                }
            }
        } catch (OutOfMemoryError e) {
            return; // the application continues
        }
    }

    private static boolean holds(BooleanSupplier condition) {
        long endNanos = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.getAsBoolean() && System.nanoTime() - endNanos < 0) {
            Thread.onSpinWait();
        }
        return condition.getAsBoolean();
    }
}
