package org.freshet.example.httppush;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.QueryStringDecoder;

/**
 * {@code /} is a page that shows events. {@code /events} streams them (server-sent events). {@code /poll?after=NUMBER}
 * is answered as soon as there is an event with a higher number.
 *
 * <p>If a client reads more slowly than events happen, it gets none while its channel is not writable, and then
 * continues where it was. It misses events that are no longer kept; no memory is used for them.
 *
 * <p>Belongs to one channel; its fields belong to that channel's I/O thread.
 */
final class HttpPushHandler extends SimpleChannelUpstreamHandler {
    private static final String EVENT_STREAM = "text/event-stream";
    private static final String PLAIN = "text/plain; charset=UTF-8";

    private enum State {
        IDLE,
        /** A request will be answered with the next event. */
        POLLED,
        /** The answer continues until the connection ends. */
        STREAMING
    }

    private final Events events;
    private final byte[] page;
    private State state = State.IDLE;

    /** Number of the last event that the client has. */
    private long seen;

    private Channel channel;
    private final Runnable wakeUp = () -> channel.getPipeline().execute(this::send);

    HttpPushHandler(Events events, byte[] page) {
        this.events = events;
        this.page = page;
    }

    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
        channel = e.getChannel();
        events.listen(wakeUp);
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
        events.forget(wakeUp);
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        if (!(e.getMessage() instanceof HttpRequest)) {
            return; // unexpected content
        }
        HttpRequest request = (HttpRequest) e.getMessage();
        if (state != State.IDLE) {
            channel.close(); // its answer would have to wait for one that may never end
            return;
        }
        QueryStringDecoder target = new QueryStringDecoder(request.getUri());
        if (!request.getMethod().equals(HttpMethod.GET)) {
            HttpResponse response = newResponse(HttpResponseStatus.METHOD_NOT_ALLOWED, PLAIN);
            response.headers().set(HttpHeaders.Names.ALLOW, "GET");
            answer(response, new byte[0]);
        } else if (target.rawPath().equals("/")) {
            answer(newResponse(HttpResponseStatus.OK, "text/html; charset=UTF-8"), page);
        } else if (target.rawPath().equals("/poll")) {
            poll(target);
        } else if (target.rawPath().equals("/events")) {
            HttpResponse response = newResponse(HttpResponseStatus.OK, EVENT_STREAM);
            response.setChunked(true);
            channel.write(response);
            startSending(State.STREAMING, HttpHeaders.getHeader(request, "Last-Event-ID", ""));
        } else {
            answer(newResponse(HttpResponseStatus.NOT_FOUND, PLAIN), new byte[0]);
        }
    }

    private void poll(QueryStringDecoder target) {
        List<String> after;
        try {
            after = target.getParameters().getOrDefault("after", List.of(""));
        } catch (IllegalArgumentException e) {
            answer(newResponse(HttpResponseStatus.BAD_REQUEST, PLAIN), new byte[0]);
            return;
        }
        startSending(State.POLLED, after.get(0));
    }

    private static HttpResponse newResponse(HttpResponseStatus status, String type) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
        response.headers().set(HttpHeaders.Names.CONTENT_TYPE, type);
        response.headers().set(HttpHeaders.Names.CACHE_CONTROL, HttpHeaders.Values.NO_STORE);
        return response;
    }

    private void answer(HttpResponse response, byte[] content) {
        HttpHeaders.setContentLength(response, content.length);
        response.setContent(ChannelBuffers.wrappedBuffer(content));
        channel.write(response);
    }

    /** @param after the number of the last event that the client has; anything else means the newest */
    private void startSending(State next, String after) {
        seen = after.matches("\\d{1,18}") ? Long.parseLong(after) : events.lastNumber();
        state = next;
        send();
    }

    /** Sends the available events, as far as the client takes them. */
    private void send() {
        while (state != State.IDLE && channel.isWritable()) {
            Optional<Events.Event> next = events.after(seen);
            if (next.isEmpty()) {
                return;
            }
            send(next.get());
        }
    }

    private void send(Events.Event event) {
        seen = event.number();
        if (state == State.POLLED) {
            state = State.IDLE;
            byte[] text = (event.number() + " " + event.text() + "\n").getBytes(StandardCharsets.UTF_8);
            answer(newResponse(HttpResponseStatus.OK, PLAIN), text);
            return;
        }
        String text = "id: " + event.number() + "\ndata: " + event.text() + "\n\n";
        ChannelBuffer chunk = ChannelBuffers.copiedBuffer(text, StandardCharsets.UTF_8);
        channel.write(new DefaultHttpChunk(chunk));
    }

    /** The channel may be writable again. */
    @Override
    public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
        send();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        e.getChannel().close(); // clients may leave at any time; that ends the stream
    }
}
