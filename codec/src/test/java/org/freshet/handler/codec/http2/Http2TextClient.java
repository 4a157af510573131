package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.server.TextClient;
import org.freshet.testing.MemoryChannel;

/**
 * Turns the text of HTTP/1.1 requests into frames, one stream each, and the frames of answers into text. Headers about
 * the connection are left out, as a gateway does.
 */
public final class Http2TextClient implements TextClient {
    private enum State {
        HEAD,
        LENGTH,
        CHUNKS
    }

    private final FramePeer peer;
    private final List<Channel> streams = new ArrayList<>();
    private final List<Object> received = new ArrayList<>();
    private final List<Throwable> caught = new ArrayList<>();
    private final StringBuilder in = new StringBuilder();
    private State state = State.HEAD;
    private long left;
    private int streamId = -1;

    /** A stream has the handlers {@code before} and {@code handlers}. */
    public Http2TextClient(HttpLimits limits, Supplier<ChannelHandler[]> before, Supplier<ChannelHandler[]> handlers) {
        Http2Settings settings =
                Http2Settings.defaults().toBuilder().httpLimits(limits).build();
        peer = FramePeer.client(new Http2ServerHandler(() -> pipeline(before.get(), handlers.get()), settings));
        peer.send(FramePeer.windowUpdate(0, 1 << 30), FramePeer.setting(0x4, 1 << 30));
        peer.lines();
    }

    private ChannelPipeline pipeline(ChannelHandler[] before, ChannelHandler[] handlers) {
        ChannelPipeline pipeline = Channels.pipeline(before);
        for (ChannelHandler handler : handlers) {
            pipeline.addLast(
                    pipeline.getNames().size() + " " + handler.getClass().getName(), handler);
        }
        pipeline.addLast("keeper", new Keeper());
        return pipeline;
    }

    private final class Keeper implements ChannelUpstreamHandler {
        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
            if (!streams.contains(ctx.getChannel())) {
                streams.add(ctx.getChannel());
            }
            if (e instanceof MessageEvent message) {
                received.add(message.getMessage());
            } else if (e instanceof ExceptionEvent failure) {
                caught.add(failure.getCause());
            }
        }
    }

    // ---- requests ----

    @Override
    public void receive(String text) {
        in.append(text);
        boolean goesOn = true;
        while (goesOn) {
            goesOn = switch (state) {
                case HEAD -> receiveHead();
                case LENGTH -> receiveContent();
                case CHUNKS -> receiveChunk();
            };
        }
    }

    private String take(int length) {
        String taken = in.substring(0, length);
        in.delete(0, length);
        return taken;
    }

    private boolean receiveHead() {
        int end = in.indexOf("\r\n\r\n");
        if (end < 0) {
            return false;
        }
        String[] lines = take(end + 4).split("\r\n");
        String[] first = lines[0].split(" ");
        String authority = "localhost";
        List<String> more = new ArrayList<>();
        left = 0;
        state = State.LENGTH;
        for (int i = 1; i < lines.length; i++) {
            String name = lines[i].substring(0, lines[i].indexOf(':')).toLowerCase(Locale.ROOT);
            String value = lines[i].substring(lines[i].indexOf(':') + 1).strip();
            switch (name) {
                case "host" -> authority = value;
                case "transfer-encoding" -> state = State.CHUNKS;
                case "connection" -> {}
                default -> {
                    more.addAll(List.of(name, value));
                    left = name.equals("content-length") ? Long.parseLong(value) : left;
                }
            }
        }
        List<String> fields = new ArrayList<>(
                List.of(":method", first[0], ":scheme", "http", ":authority", authority, ":path", path(first[1])));
        fields.addAll(more);
        streamId += 2;
        boolean isWhole = state == State.LENGTH && left == 0;
        state = isWhole ? State.HEAD : state;
        peer.send(peer.headers(streamId, isWhole, fields.toArray(new String[0])));
        return true;
    }

    /** The path of a target, which may be absolute. */
    private static String path(String target) {
        int authority = target.startsWith("/") ? -1 : target.indexOf("://");
        return authority < 0 ? target : target.substring(target.indexOf('/', authority + 3));
    }

    private boolean receiveContent() {
        if (in.length() == 0) {
            return false;
        }
        String content = take((int) Math.min(left, in.length()));
        left -= content.length();
        state = left == 0 ? State.HEAD : state;
        sendContent(content, left == 0);
        return true;
    }

    private boolean receiveChunk() {
        int line = in.indexOf("\r\n");
        int length = line < 0 ? -1 : Integer.parseInt(in.substring(0, line), 16);
        if (length < 0 || in.length() < line + 2 + length + 2) {
            return false;
        }
        take(line + 2);
        String content = take(length);
        take(2);
        state = length == 0 ? State.HEAD : state;
        sendContent(content, length == 0);
        return true;
    }

    private void sendContent(String content, boolean isLast) {
        int most = 16 * 1024;
        int at = 0;
        while (content.length() - at > most) {
            peer.send(FramePeer.data(streamId, false, content.substring(at, at + most)));
            at += most;
        }
        peer.send(FramePeer.data(streamId, isLast, content.substring(at)));
    }

    // ---- answers ----

    @Override
    public String sent() {
        StringBuilder text = new StringBuilder();
        for (FramePeer.Frame frame : peer.frames()) {
            if (frame.type() == FramePeer.HEADERS) {
                appendHead(text, peer.decoded(frame.payload()));
            } else if (frame.type() == FramePeer.DATA) {
                text.append(frame.payload().toString(ISO_8859_1));
            }
        }
        return text.toString();
    }

    private static void appendHead(StringBuilder text, List<String> fields) {
        for (int i = 0; i < fields.size(); i += 2) {
            if (fields.get(i).equals(":status")) {
                text.append("HTTP/1.1 ").append(HttpResponseStatus.valueOf(Integer.parseInt(fields.get(i + 1))));
            } else {
                text.append("\r\n")
                        .append(capitalized(fields.get(i)))
                        .append(": ")
                        .append(fields.get(i + 1));
            }
        }
        text.append("\r\n\r\n");
    }

    /** In the spelling most common in HTTP/1.1. */
    private static String capitalized(String name) {
        StringBuilder out = new StringBuilder(name);
        for (int i = 0; i < name.length(); i++) {
            if (i == 0 || name.charAt(i - 1) == '-') {
                out.setCharAt(i, Character.toUpperCase(name.charAt(i)));
            }
        }
        return out.toString();
    }

    @Override
    public Channel channel() {
        return streams.get(streams.size() - 1);
    }

    @Override
    public MemoryChannel transport() {
        return peer.channel;
    }

    private static <T> List<T> take(List<T> all) {
        List<T> taken = List.copyOf(all);
        all.clear();
        return taken;
    }

    @Override
    public List<Object> takeReceived() {
        return take(received);
    }

    @Override
    public List<Throwable> takeCaught() {
        List<Throwable> all = new ArrayList<>(take(caught));
        all.addAll(peer.channel.takeCaught());
        return all;
    }
}
