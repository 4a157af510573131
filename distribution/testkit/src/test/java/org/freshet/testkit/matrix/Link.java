package org.freshet.testkit.matrix;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteOverflowException;
import org.freshet.testkit.simulation.Watch;

/**
 * One connection of a {@link Stage}: the writer, whose pipeline is under test, and its peer, the reader, which behaves
 * according to its {@link PeerKind}. For the thread that holds the simulation's baton.
 */
final class Link {
    private static final int SLOW_BYTES_PER_SECOND = 1024;

    final Ledger ledger;
    final PeerKind peer;

    private final Stage stage;
    private final Inbox inbox;

    /** The first handlers of both sides. */
    private final Watch writerWatch;

    private final Watch readerWatch;

    /** The channel that the application writes to, which may be a stream; null before it received the request. */
    private Channel writer;

    /** Bytes that the reader's side has read since then. */
    private long takenBytes;

    /** The number of bytes after which the peer resets or vanishes. */
    private final int patienceBytes;

    private boolean isOver;

    Link(Stage stage, PeerKind peer) {
        this.stage = stage;
        this.peer = peer;
        ledger = new Ledger(stage.messageBytes());
        inbox = new Inbox(stage.messageBytes(), what -> stage.fail(this, what));
        writerWatch = stage.simulation().watch("writer");
        readerWatch = stage.simulation().watch("reader");
        patienceBytes = stage.draw().below(stage.messageBytes() * 10);
    }

    // ---- what has happened ------------------------------------------------------------------------------------------

    /** Null before it received the request. */
    Channel writer() {
        return writer;
    }

    /** The writer's socket; null before it is open. */
    Channel connection() {
        return writerWatch.channel();
    }

    Channel reader() {
        return readerWatch.channel();
    }

    /** Whether bytes that were sent by the writer may be lost. */
    boolean isBroken() {
        return readerWatch.isBroken() || writerWatch.isBroken();
    }

    boolean hasArrived(Ledger.Entry entry) {
        return inbox.has(entry);
    }

    @Override
    public String toString() {
        long done =
                ledger.entries().stream().filter(entry -> entry.completions > 0).count();
        return writerWatch + ", " + ledger.entries().size() + " writes, " + done + " of them done, " + inbox.count()
                + " messages arrived";
    }

    // ---- checks that apply to every promise -------------------------------------------------------------------------

    /** Checks what has arrived so far. */
    void judgeArrivals() {
        for (Ledger.Entry entry : ledger.entries()) {
            boolean isSuccess = entry.future != null && entry.future.isSuccess();
            boolean isDone = entry.future != null && entry.future.isDone();
            if (isSuccess && peer.readsAll() && !isBroken() && !stage.trial().mayKeepContent()) {
                stage.require(inbox.has(entry), this, "the write of " + entry + " has succeeded, but isn't there");
            }
            if (isDone && !isSuccess && inbox.hasLaterThan(entry) && !inbox.has(entry)) {
                stage.require(
                        entry.future.getCause() instanceof WriteOverflowException,
                        this,
                        entry + " is missing in the middle: " + entry.future.getCause());
            }
        }
    }

    /** Checks that everything is closed. */
    void judgeEnd() {
        judgeArrivals();
        for (Ledger.Entry entry : ledger.entries()) {
            stage.require(
                    entry.completions == 1,
                    this,
                    "the future of " + entry + " was completed " + entry.completions + " times at the end");
        }
        Channel connection = connection();
        stage.require(connection == null || !connection.isOpen(), this, "the connection isn't closed");
        stage.requireEmptyAccount(this);
    }

    /** Closes what is still open, below handlers that would first wait for the peer. */
    void breakOff() {
        for (Watch watch : List.of(writerWatch, readerWatch)) {
            Channel channel = watch.channel();
            if (channel != null && !channel.getCloseFuture().isDone()) {
                Channels.close(channel.getPipeline().getContext(watch), channel.getCloseFuture());
            }
        }
    }

    // ---- the writer -------------------------------------------------------------------------------------------------

    ChannelPipeline writerPipeline() {
        ChannelPipeline pipeline = Channels.pipeline(writerWatch);
        stage.combination().addToWriter(stage, pipeline, top -> {
            stage.addFault(top);
            top.addLast("writer", new Writer());
        });
        return pipeline;
    }

    private final class Writer extends SimpleChannelUpstreamHandler {
        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            super.handleUpstream(ctx, e);
            if (writer != null) {
                stage.trial().onEvent(Link.this);
            }
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (writer == null) {
                writer = e.getChannel();
                stage.onAsked(Link.this);
            }
        }

        @Override
        public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
            if (writer != null && writer.isWritable()) {
                stage.trial().onWritable(Link.this);
            }
        }

        /** The outcome is checked. */
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}
    }

    ChannelFuture write(Object message) {
        return writer.write(message);
    }

    // ---- the reader -------------------------------------------------------------------------------------------------

    ChannelPipeline readerPipeline() {
        ChannelPipeline pipeline = Channels.pipeline(readerWatch);
        pipeline.addLast("pace", new Pace());
        stage.combination().addToReader(stage, pipeline, top -> top.addLast("reader", new Reader()));
        return pipeline;
    }

    /** The writer has received the request. Any of the simulation's threads. */
    void misbehave() {
        Channel reader = reader();
        if (peer == PeerKind.NEVER_READS) {
            reader.setReadable(false);
        } else if (peer == PeerKind.HALF_CLOSES) {
            Channels.shutdownOutput(reader);
        }
        isOver = peer == PeerKind.NEVER_READS;
    }

    /** Reads as the peer does, below everything that decodes what it reads. */
    private final class Pace extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (writer != null && !isOver) {
                pace(e.getChannel(), stage.bytesOf(e));
            }
            ctx.sendUpstream(e);
        }

        private void pace(Channel reader, int bytes) {
            takenBytes += bytes;
            boolean isPatient = takenBytes <= patienceBytes;
            if (peer == PeerKind.READS_SLOWLY) {
                reader.setReadable(false);
                long millis = TimeUnit.SECONDS.toMillis(bytes) / SLOW_BYTES_PER_SECOND;
                stage.timer().newTimeout(t -> reader.setReadable(true), millis, TimeUnit.MILLISECONDS);
            } else if (peer == PeerKind.RESETS && !isPatient) {
                isOver = true;
                readerWatch.reset();
            } else if (peer == PeerKind.VANISHES && !isPatient) {
                isOver = true;
                readerWatch.vanish();
            }
        }
    }

    /** Sends the request, and receives the answer. */
    private final class Reader extends SimpleChannelUpstreamHandler {
        private boolean hasAsked;

        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            super.handleUpstream(ctx, e);
            if (!hasAsked && stage.kind().mayAsk(e)) {
                hasAsked = true;
                e.getChannel().write(stage.kind().question());
            }
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            inbox.receive(stage.kind().content(e.getMessage()));
            stage.trial().onReceived(Link.this, e.getMessage());
        }

        /** What has not arrived is checked. */
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            stage.onReaderFailure(Link.this, e.getCause());
        }
    }
}
