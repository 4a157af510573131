package org.freshet.example.grpc;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.CloseReason;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http2.Http2Error;
import org.freshet.handler.codec.http2.Http2StreamChannel;
import org.freshet.handler.codec.http2.Http2StreamException;
import org.freshet.util.Timeout;
import org.freshet.util.Timer;

/** Serves the one call of a stream. One instance per stream. I/O thread only. */
public final class GrpcServerHandler extends SimpleChannelUpstreamHandler {
    private final Map<String, GrpcMethod> methods;
    private final Timer timer;
    private final GrpcMessages messages = new GrpcMessages();
    private GrpcReplies replies;

    /** Null if the client has set no deadline. */
    private Timeout deadline;

    /** Null before the call, and after it has failed. */
    private GrpcMethod.Call call;

    /**
     * @param methods keyed by path, such as {@code /helloworld.Greeter/SayHello}
     * @param timer measures the clients' deadlines; this handler never stops it
     */
    public GrpcServerHandler(Map<String, GrpcMethod> methods, Timer timer) {
        this.methods = methods;
        this.timer = timer;
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        try {
            if (e.getMessage() instanceof HttpRequest request) {
                begin(e.getChannel(), request);
                take(request.getContent(), !request.isChunked());
            } else if (e.getMessage() instanceof HttpChunk chunk) {
                take(chunk.getContent(), chunk.isLast());
            }
        } catch (GrpcException refusal) {
            end(refusal.status());
        } catch (Exception failure) {
            end(new GrpcStatus(GrpcStatus.INTERNAL, "the method failed"));
        }
    }

    private void begin(Channel stream, HttpRequest request) throws GrpcException {
        String type = request.headers().get(HttpHeaders.Names.CONTENT_TYPE);
        if (!request.getMethod().equals(HttpMethod.POST) || type == null || !type.startsWith("application/grpc")) {
            stream.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE))
                    .addListener(ChannelFutureListener.CLOSE);
            return;
        }
        replies = new GrpcReplies(stream, request.headers());
        GrpcMethod method = methods.get(request.getUri());
        if (method == null) {
            throw new GrpcException(GrpcStatus.UNIMPLEMENTED, "no method " + request.getUri());
        }
        startDeadline(stream, request.headers().get("grpc-timeout"));
        call = method.begin(replies);
    }

    /** Normally the client ends a late call itself; this is for the case that it can't reach us. */
    private void startDeadline(Channel stream, String timeout) throws GrpcException {
        if (timeout != null) {
            Runnable expire = () -> expire(timeout);
            deadline = timer.newTimeout(
                    due -> stream.getPipeline().execute(expire), GrpcTimeout.nanos(timeout), TimeUnit.NANOSECONDS);
        }
    }

    private void expire(String timeout) {
        if (call != null && !replies.hasEnded()) {
            call.onCancelled(Http2Error.CANCEL);
            end(new GrpcStatus(GrpcStatus.DEADLINE_EXCEEDED, "after " + timeout));
        }
    }

    private void take(ChannelBuffer content, boolean isLast) throws Exception {
        if (call == null) {
            return; // the call was refused
        }
        messages.add(content, message -> {
            if (call != null) {
                call.onMessage(message);
            }
        });
        if (isLast && call != null) {
            if (!messages.isWhole()) {
                throw new GrpcException(GrpcStatus.INTERNAL, "the last message is truncated");
            }
            call.onEnd();
        }
    }

    private void end(GrpcStatus status) {
        call = null;
        replies.end(status).addListener(ChannelFutureListener.CLOSE); // ignores whatever the client still sends
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
        if (deadline != null) {
            deadline.cancel();
        }
        if (call != null && !replies.hasEnded()) {
            call.onCancelled(errorOf(e.getChannel().getCloseReason()));
        }
    }

    private static Http2Error errorOf(CloseReason reason) {
        return reason != null && reason.cause() instanceof Http2StreamException reset
                ? reset.error()
                : Http2Error.INTERNAL_ERROR;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        ((Http2StreamChannel) e.getChannel()).reset(Http2Error.INTERNAL_ERROR);
    }
}
