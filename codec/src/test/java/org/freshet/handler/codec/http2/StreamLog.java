package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpChunkTrailer;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;

/** The streams that a connection opens, and the events of their handlers, one line each. */
final class StreamLog {
    final List<Channel> channels = new ArrayList<>();
    final List<Object> messages = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();

    /** Runs when a message has arrived, before anything else. */
    Reaction reaction = (channel, message) -> {};

    interface Reaction {
        void on(Channel channel, Object message) throws Exception;
    }

    ChannelPipeline pipeline() {
        return Channels.pipeline(new Log());
    }

    Channel last() {
        return channels.get(channels.size() - 1);
    }

    List<String> take() {
        List<String> taken = List.copyOf(lines);
        lines.clear();
        return taken;
    }

    private final class Log implements ChannelUpstreamHandler {
        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            Http2StreamChannel channel = (Http2StreamChannel) ctx.getChannel();
            if (!channels.contains(channel)) {
                channels.add(channel);
            }
            String id = channel.getStreamId() + " ";
            if (e instanceof MessageEvent message) {
                messages.add(message.getMessage());
                lines.add(id + describe(message.getMessage()));
                reaction.on(channel, message.getMessage());
            } else if (e instanceof ExceptionEvent failure) {
                lines.add(id + failure.getCause().getClass().getSimpleName() + " "
                        + failure.getCause().getMessage());
            } else if (e instanceof ChannelStateEvent state) {
                lines.add(id + describe(state));
            } else if (!(e instanceof WriteCompletionEvent)) {
                lines.add(id + e);
            }
        }
    }

    private static String describe(ChannelStateEvent e) {
        boolean isBegin = e.getValue() != null && !Boolean.FALSE.equals(e.getValue());
        return switch (e.getState()) {
            case OPEN -> isBegin ? "open" : "closed";
            case BOUND -> isBegin ? "bound" : "unbound";
            case CONNECTED -> isBegin ? "connected" : "disconnected";
            case INTEREST_OPS ->
                "interest " + (e.getChannel().isReadable() ? "read" : "-")
                        + (e.getChannel().isWritable() ? " writable" : " unwritable");
        };
    }

    static String describe(Object message) {
        if (message instanceof HttpRequest request) {
            return request.getMethod() + " " + request.getUri() + content(request);
        } else if (message instanceof HttpResponse response) {
            return response.getStatus().getCode() + content(response);
        } else if (message instanceof HttpChunkTrailer trailer) {
            return "last"
                    + (trailer.trailingHeaders().isEmpty()
                            ? ""
                            : " " + trailer.trailingHeaders().entries());
        } else if (message instanceof HttpChunk chunk) {
            return "chunk" + text(chunk.getContent());
        }
        return message.toString();
    }

    private static String content(HttpMessage message) {
        return message.isChunked() ? " chunked" : message.getContent().readable() ? text(message.getContent()) : "";
    }

    private static String text(ChannelBuffer content) {
        return content.readableBytes() > 20 ? " " + content.readableBytes() : " '" + content.toString(ISO_8859_1) + "'";
    }
}
