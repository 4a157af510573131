package org.freshet.example.grpc;

import java.util.Map;
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

/** Serves the one call of a stream. One for each stream; the I/O thread's. */
public final class GrpcServerHandler extends SimpleChannelUpstreamHandler {
    private final Map<String, GrpcMethod> methods;
    private final GrpcMessages messages = new GrpcMessages();
    private GrpcReplies replies;

    /** Null before the call, and once it has failed. */
    private GrpcMethod.Call call;

    /** @param methods by their paths, such as {@code /helloworld.Greeter/SayHello} */
    public GrpcServerHandler(Map<String, GrpcMethod> methods) {
        this.methods = methods;
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
        replies = new GrpcReplies(stream);
        GrpcMethod method = methods.get(request.getUri());
        if (method == null) {
            throw new GrpcException(GrpcStatus.UNIMPLEMENTED, "no method " + request.getUri());
        }
        call = method.begin(replies);
    }

    private void take(ChannelBuffer content, boolean isLast) throws Exception {
        if (call == null) {
            return; // it has been refused
        }
        messages.add(content, message -> {
            if (call != null) {
                call.onMessage(message);
            }
        });
        if (isLast && call != null) {
            if (!messages.isWhole()) {
                throw new GrpcException(GrpcStatus.INTERNAL, "the last message is cut off");
            }
            call.onEnd();
        }
    }

    private void end(GrpcStatus status) {
        call = null;
        replies.end(status).addListener(ChannelFutureListener.CLOSE); // what the client still sends isn't wanted
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
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
