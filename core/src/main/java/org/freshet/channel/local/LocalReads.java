package org.freshet.channel.local;

import static org.freshet.channel.Channels.fireMessageReceived;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.CloseReason;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.internal.metering.TrafficMeter;
import org.freshet.internal.transport.LifecycleEvents;

/** Takes the messages that the other end of a connection has written. Belongs to the thread that holds the channel's executor. */
final class LocalReads {
    /** How many messages are delivered in one event, before the events of the thread's other channels. */
    private static final int MESSAGES_PER_EVENT = 64;

    private final DefaultLocalChannel channel;
    private final LocalConfig config;
    private final LifecycleEvents events;

    LocalReads(DefaultLocalChannel channel, LocalConfig config, LifecycleEvents events) {
        this.channel = channel;
        this.config = config;
        this.events = events;
    }

    /** Delivers what the other end has written, if this end is reading, and follows the other end's close. */
    void take() {
        if (!channel.mayReceive()) {
            if (channel.hasInputEnded() && channel.peer().isClosed()) {
                channel.closeNow(CloseReason.PEER_CLOSED);
            }
            return;
        }
        events.readability(); // fire the change of interest before the message that it lets through
        for (int i = 0; i < MESSAGES_PER_EVENT && mayDeliver(); i++) {
            Outbox.Message message = channel.peer().writes().outbox().take();
            if (message == null) {
                followPeersClose();
                return;
            }
            if (message.isEnd()) {
                onInputEnds(message);
                return;
            }
            deliver(message);
        }
        if (mayDeliver()) {
            channel.takeLater();
        }
    }

    private boolean mayDeliver() {
        return channel.mayReceive() && events.isConnected() && channel.isReadable();
    }

    private void onInputEnds(Outbox.Message end) {
        DefaultLocalChannel from = channel.peer();
        from.writes().outbox().succeed(end);
        from.writes().outbox().end();
        if (config.isAllowHalfClosure() && channel.endInput()) {
            channel.getPipeline().sendUpstream(new InputShutdownEvent(channel));
            take(); // follows a close of the other end in the meantime
        } else {
            channel.closeNow(channel.hasOutputEnded() ? CloseReason.COMPLETED : CloseReason.PEER_CLOSED);
        }
    }

    private void followPeersClose() {
        if (channel.peer().isClosed()) {
            if (channel.peer().writes().outbox().isEmpty()) {
                channel.closeNow(CloseReason.PEER_CLOSED);
            } else {
                channel.takeLater(); // written between the poll of the queue and the close
            }
        }
    }

    private void deliver(Outbox.Message message) {
        DefaultLocalChannel from = channel.peer();
        from.writes().succeed(message);
        if (message.content() instanceof ChannelBuffer bytes) {
            int length = bytes.readableBytes();
            channel.connectionCounters().onRead(length);
            from.connectionCounters().onWritten(length);
            TrafficMeter.read(channel, length);
            TrafficMeter.written(from, length);
        }
        fireMessageReceived(channel, message.content());
    }
}
