package org.freshet.internal.metering;

import org.freshet.channel.Channel;
import org.freshet.channel.CloseReason;
import org.freshet.channel.ServerChannel;
import org.freshet.internal.flight.Flight;

/** Reports connections to Flight Recorder while it records them. */
public final class ConnectionRecording {
    private ConnectionRecording() {}

    /** Call this when the channel is connected, before handlers are notified. */
    public static void begin(Channel channel) {
        Channel parent = channel.getParent();
        Object connection = parent == null || parent instanceof ServerChannel ? Flight.connectionBegan() : null;
        if (connection != null) {
            TrafficMeter.Bytes bytes = TrafficMeter.bytesOf(channel);
            channel.getCloseFuture().addListener(closed -> {
                CloseReason reason = channel.getCloseReason();
                boolean isAccepted = channel.getParent() != null;
                Flight.connectionEnded(
                        connection, channel, isAccepted, bytes.read(), bytes.written(), reason, reason.cause());
            });
        }
    }
}
