package org.freshet.example.localtime;

import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/** Answers a list of zones with the time in each: a {@code Struct} of ISO texts, with null for an unknown zone. */
@Sharable
final class LocalTimeServerHandler extends SimpleChannelUpstreamHandler {
    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        Instant now = Instant.now();
        Struct.Builder times = Struct.newBuilder();
        for (Value zone : ((ListValue) e.getMessage()).getValuesList()) {
            times.putFields(zone.getStringValue(), time(now, zone.getStringValue()));
        }
        e.getChannel().write(times.build());
    }

    private static Value time(Instant now, String zone) {
        try {
            String time = now.atZone(ZoneId.of(zone)).toOffsetDateTime().toString();
            return Value.newBuilder().setStringValue(time).build();
        } catch (DateTimeException e) {
            return Value.newBuilder().setNullValue(NullValue.NULL_VALUE).build();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        System.err.println(e.getChannel() + ": " + e.getCause());
        e.getChannel().close();
    }
}
