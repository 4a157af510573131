package org.freshet.handler.codec.http2;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.internal.FailsafeLogMessage;
import org.freshet.internal.handler.MessagePart;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Passes formatted frames to the channel in batches, one message per batch. When a batch has been sent, completes the futures
 * of its messages and ends the streams that it ended. Also counts what the channel still holds: control frames, and batches
 * with messages.
 *
 * <p>Belongs to its connection's thread.
 */
final class BatchWriter {
    private static final FailsafeLogMessage NOT_REPORTED = FailsafeLogMessage.warning(
            InternalLoggerFactory.getInstance(BatchWriter.class),
            "the handlers of a stream are not notified that messages were sent");

    private final Connection connection;
    private final ChannelHandlerContext ctx;
    private final FrameWriter writer;
    private final DataSender sender;

    /** Octets of control frames that were passed to the channel and aren't sent yet. */
    private long unsentControl;

    /**
     * Batches with messages that were passed to the channel and aren't sent yet. A batch that could not be sent counts forever,
     * unless the peer has cancelled all its messages.
     */
    private int unsentMessages;

    /** Why a batch was refused, until the connection has been closed for that; null if none was. */
    private Throwable refusal;

    BatchWriter(Connection connection, ChannelHandlerContext ctx, FrameWriter writer, DataSender sender) {
        this.connection = connection;
        this.ctx = ctx;
        this.writer = writer;
        this.sender = sender;
    }

    long unsentControl() {
        return unsentControl;
    }

    /** Whether the peer may still miss something of a message that was written completely. */
    boolean hasUnsentMessages() {
        return unsentMessages > 0 || sender.hasFormatted();
    }

    /** Formats content as far as windows allow, and sends everything formatted since the last call. */
    void flush() {
        if (refusal != null) {
            endRefused();
        }
        sender.pump();
        while (!writer.isEmpty() || sender.hasFormatted()) {
            write();
            sender.pump();
        }
    }

    /** Takes nothing before everything is allocated: without memory, the next attempt sends the same octets. */
    private void write() {
        Channel channel = ctx.getChannel();
        ChannelBuffer octets = writer.batch();
        Batch batch = new Batch(octets.readableBytes());
        ChannelFuture future = Channels.future(channel);
        future.addListener(batch);
        MessageEvent event = new DownstreamMessageEvent(channel, future, octets, null);
        batch.take();
        Outgoing formatted = batch.formatted;
        try {
            if (writer.isBroken()) { // the peer would take what follows the cut frame for the rest of it
                future.setFailure(new IllegalStateException("a frame of this batch could not be written"));
            } else {
                WriteAccount.passOn(ctx, event, 0);
            }
        } catch (Throwable notPassed) {
            future.setFailure(notPassed);
        } finally {
            onGiven(formatted);
        }
        if (MessagePart.leavesGap(future.getCause())) {
            refusal = future.getCause();
            endRefused();
        }
    }

    /** The peer could not follow what comes after a batch that it doesn't get. */
    private void endRefused() {
        MessagePart.end(ctx, refusal);
        refusal = null;
    }

    /** Runs only once the channel's account includes the batch: a drain closes a channel whose account is empty. */
    private static void onGiven(Outgoing first) {
        for (Outgoing outgoing = first; outgoing != null; ) {
            StreamChannel channel = outgoing.channel;
            long released = 0;
            for (; outgoing != null && outgoing.channel == channel; outgoing = outgoing.next) {
                released += outgoing.takeChargeOfContent();
            }
            channel.release(released);
            if (!channel.isEnded()) {
                channel.onQueueChanged();
            }
        }
    }

    /** Frames that are sent together, and the messages that complete with them. */
    private final class Batch implements ChannelFutureListener, Runnable {
        private final int octets;
        private int control;
        private PartialWrite parts;
        private Outgoing formatted;
        private Throwable cause;

        Batch(int octets) {
            this.octets = octets;
        }

        /** Takes what was formatted, to be sent with these octets. Allocates nothing. */
        void take() {
            if (octets > 0) {
                writer.next();
            }
            control = writer.takeControlLength();
            parts = sender.takeParts();
            formatted = sender.takeFormatted();
            unsentControl += control;
            unsentMessages += hasMessages() ? 1 : 0;
            sender.addInFlight(octets);
        }

        boolean hasMessages() {
            return formatted != null || parts != null;
        }

        /** Whether the peer has not cancelled all messages. */
        private boolean isWanted() {
            boolean isWanted = false;
            for (PartialWrite part = parts; part != null; part = part.next()) {
                isWanted |= part.outgoing().isWanted();
            }
            for (Outgoing each = formatted; each != null; each = each.next) {
                isWanted |= each.isWanted();
            }
            return isWanted;
        }

        @Override
        public void operationComplete(ChannelFuture sent) {
            cause = sent.getCause();
            connection.execute(this);
        }

        @Override
        public void run() {
            sender.addInFlight(-octets);
            unsentControl -= control;
            try {
                report();
            } finally { // even without memory for an event
                while (formatted != null) {
                    tryComplete(formatted.channel);
                }
            }
        }

        private void report() {
            if (hasMessages() && (cause == null || !isWanted())) {
                unsentMessages--;
                connection.onMessagesSent();
            }
            for (PartialWrite part = parts; part != null && cause == null; part = part.next()) {
                part.onSent();
            }
        }

        private void tryComplete(StreamChannel channel) {
            try {
                completeRun(channel);
            } catch (Throwable t) { // no memory for an event; the messages are complete
                NOT_REPORTED.log(channel, t);
            }
        }

        /** Completes consecutive messages of one stream, and releases and reports their total once. */
        private void completeRun(StreamChannel channel) {
            int released = 0;
            int written = 0;
            for (Outgoing each = formatted; each != null && each.channel == channel; each = each.next) {
                released += each.takeCharge();
                written += each.takeUnreported();
            }
            try {
                channel.release(released);
            } finally {
                onFinished(channel, written, finish(channel));
            }
        }

        /** Completes the futures, and returns whether one of the messages ends the stream. Never throws. */
        private boolean finish(StreamChannel channel) {
            boolean endsStream = false;
            while (formatted != null && formatted.channel == channel) {
                Outgoing outgoing = formatted;
                formatted = outgoing.next;
                endsStream |= outgoing.endsStream;
                outgoing.finish(cause);
            }
            return endsStream;
        }

        private void onFinished(StreamChannel channel, int written, boolean endsStream) {
            try {
                if (cause == null) {
                    channel.onWritten(written);
                }
            } finally {
                if (endsStream) {
                    connection.streams().endIfBothHaveEnded(channel, cause);
                }
            }
            if (!channel.isEnded()) {
                channel.onQueueChanged(); // the message was counted until now
            }
        }
    }
}
