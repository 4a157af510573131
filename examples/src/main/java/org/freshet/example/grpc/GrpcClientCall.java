package org.freshet.example.grpc;

import com.google.protobuf.MessageLite;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpChunkTrailer;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http2.Http2ClientConnection;
import org.freshet.handler.codec.http2.Http2Error;
import org.freshet.handler.codec.http2.Http2StreamChannel;
import org.freshet.handler.codec.http2.Http2StreamException;
import org.freshet.util.Timeout;
import org.freshet.util.Timer;

/**
 * A client's call, on its own stream. Any thread may send; the listener is called on the I/O thread.
 *
 * <p>A deadline ends the call on both sides: the stream is reset with CANCEL, which notifies the server. It runs from
 * the start of the call, including the time the call waits until the server accepts another one.
 */
public final class GrpcClientCall extends SimpleChannelUpstreamHandler {
    /** Receives the events of a call. */
    public interface Listener {
        /** Called when messages may be sent. */
        void onOpen(GrpcClientCall call);

        /** Called with the headers that the server sends before its first message. */
        default void onHeaders(HttpHeaders headers) {}

        void onMessage(GrpcClientCall call, byte[] message) throws Exception;

        /** Called with the headers that the server sends with its status. */
        default void onTrailers(HttpHeaders trailers) {}

        /** Called once, as the last event. */
        void onEnd(GrpcStatus status);
    }

    private final Listener listener;
    private final GrpcMessages messages = new GrpcMessages();
    private final long deadlineNanos;

    /** Null for a moment at the start; it may even expire in that moment. */
    private volatile Timeout deadline;

    /** Null until {@code channelOpen}. */
    private volatile Channel stream;

    /** I/O thread only. */
    private boolean hasEnded;

    private GrpcClientCall(long timeoutMillis, Listener listener) {
        this.listener = listener;
        deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    }

    /** The connection and its streams have the same I/O thread. */
    private void startDeadline(Channel channel, Timer timer, long timeoutMillis) {
        GrpcStatus late = new GrpcStatus(GrpcStatus.DEADLINE_EXCEEDED, "after " + timeoutMillis + " ms");
        deadline = timer.newTimeout(
                due -> channel.getPipeline().execute(() -> end(late)), timeoutMillis, TimeUnit.MILLISECONDS);
    }

    /**
     * Calls a method.
     *
     * @param method its path, such as {@code /helloworld.Greeter/SayHello}
     * @param timer measures the deadline
     * @param timeoutMillis time from now until the call ends with DEADLINE_EXCEEDED; 99,999,999 at most
     */
    public static void start(
            Http2ClientConnection connection, String method, Timer timer, long timeoutMillis, Listener listener) {
        start(connection, method, HttpHeaders.EMPTY_HEADERS, timer, timeoutMillis, listener);
    }

    /**
     * Calls a method.
     *
     * @param metadata sent with the call; names are lower case, and if a name ends with {@code -bin}, its value is
     *     Base64
     */
    public static void start(
            Http2ClientConnection connection,
            String method,
            HttpHeaders metadata,
            Timer timer,
            long timeoutMillis,
            Listener listener) {
        GrpcClientCall call = new GrpcClientCall(timeoutMillis, listener);
        call.startDeadline(connection.getChannel(), timer, timeoutMillis);
        connection.open(Channels.pipeline(call)).addListener(opened -> {
            if (opened.isSuccess()) {
                call.open(method, metadata);
            } else {
                call.end(
                        new GrpcStatus(GrpcStatus.UNAVAILABLE, opened.getCause().toString()));
            }
        });
    }

    private void open(String method, HttpHeaders metadata) {
        if (hasEnded) {
            stream.close();
            return;
        }
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, method);
        HttpHeaders headers = request.headers();
        headers.set(HttpHeaders.Names.HOST, "localhost");
        headers.set(HttpHeaders.Names.CONTENT_TYPE, "application/grpc");
        headers.set("te", "trailers");
        headers.set("grpc-timeout", GrpcTimeout.header(deadlineNanos - System.nanoTime()));
        headers.add(metadata);
        request.setChunked(true);
        stream.write(request);
        listener.onOpen(this);
    }

    public void send(MessageLite message) {
        stream.write(new DefaultHttpChunk(GrpcMessages.frame(message)));
    }

    /** Ends this side's messages; answers may still arrive. */
    public void halfClose() {
        stream.write(HttpChunk.LAST_CHUNK);
    }

    /** Cancels the call: no more answers are wanted. */
    public void cancel() {
        stream.getPipeline().execute(() -> end(new GrpcStatus(GrpcStatus.CANCELLED, "by this side")));
    }

    // ---- on the I/O thread ----

    private void end(GrpcStatus status) {
        if (hasEnded) {
            return;
        }
        hasEnded = true;
        Timeout started = deadline;
        if (started != null) {
            started.cancel();
        }
        if (stream != null && stream.isOpen()) {
            ((Http2StreamChannel) stream).reset(Http2Error.CANCEL); // sends nothing if both sides have ended
        }
        listener.onEnd(isLate(status) ? new GrpcStatus(GrpcStatus.DEADLINE_EXCEEDED, status.message()) : status);
    }

    /** Returns whether the deadline has passed. The server has the same deadline, and may notice first. */
    private boolean isLate(GrpcStatus status) {
        return status.code() == GrpcStatus.CANCELLED && System.nanoTime() - deadlineNanos >= 0;
    }

    @Override
    public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) {
        stream = e.getChannel();
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        if (hasEnded) {
            return;
        }
        try {
            if (e.getMessage() instanceof HttpResponse response) {
                onHead(response);
            } else if (e.getMessage() instanceof HttpChunk chunk) {
                take(chunk.getContent());
                if (chunk instanceof HttpChunkTrailer trailers) {
                    onTrailers(trailers.trailingHeaders());
                }
            }
        } catch (GrpcException refusal) {
            end(refusal.status());
        } catch (Exception failure) {
            end(new GrpcStatus(GrpcStatus.INTERNAL, failure.toString()));
        }
    }

    private void onHead(HttpResponse response) throws Exception {
        String type = response.headers().get(HttpHeaders.Names.CONTENT_TYPE);
        if (response.getStatus().getCode() != 200 || type == null || !type.startsWith("application/grpc")) {
            throw new GrpcException(GrpcStatus.UNKNOWN, "not a gRPC answer: " + response.getStatus() + ", " + type);
        }
        listener.onHeaders(response.headers());
        take(response.getContent());
        if (!response.isChunked()) {
            onTrailers(response.headers());
        }
    }

    private void take(ChannelBuffer content) throws Exception {
        messages.add(content, message -> {
            if (!hasEnded) {
                listener.onMessage(this, message);
            }
        });
    }

    private void onTrailers(HttpHeaders fields) throws GrpcException {
        GrpcStatus status = GrpcStatus.in(fields);
        if (status == null || !messages.isWhole()) {
            throw new GrpcException(GrpcStatus.INTERNAL, "the answer is truncated, or has no grpc-status");
        }
        listener.onTrailers(fields);
        end(status);
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
        end(new GrpcStatus(
                GrpcStatus.UNAVAILABLE,
                "the stream was closed: " + e.getChannel().getCloseReason()));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        boolean isReset = e.getCause() instanceof Http2StreamException reset && reset.error() == Http2Error.CANCEL;
        end(new GrpcStatus(
                isReset ? GrpcStatus.CANCELLED : GrpcStatus.UNAVAILABLE,
                e.getCause().toString()));
    }
}
