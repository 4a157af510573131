package org.freshet.example.proxy;

import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ExceptionEvent;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpFailure;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;

/** Handles an HTTP client, which may only use CONNECT. */
final class HttpConnectHandler extends TunnelRequestHandler {
    HttpConnectHandler(TunnelConnector connector) {
        super(connector);
    }

    @Override
    void onRequest(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof HttpRequest request)) {
            return; // content of a refused request
        }
        if (!request.getMethod().equals(HttpMethod.CONNECT)) {
            refuse(ctx, HttpResponseStatus.METHOD_NOT_ALLOWED);
            return;
        }
        try {
            URI target = new URI("tcp://" + request.getUri());
            if (target.getHost() == null || target.getPort() <= 0) {
                throw new URISyntaxException(request.getUri(), "no host or no port");
            }
            connect(ctx, target.getHost(), target.getPort());
        } catch (URISyntaxException e) {
            refuse(ctx, HttpResponseStatus.BAD_REQUEST);
        }
    }

    @Override
    void grant(ChannelHandlerContext ctx, InetSocketAddress address) {
        ctx.getChannel().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
    }

    /** Bytes that the client sent after its request go to the relay. */
    @Override
    void endProtocol(ChannelPipeline pipeline) {
        pipeline.remove("codec");
    }

    @Override
    void refuse(ChannelHandlerContext ctx, Refusal why) {
        refuse(ctx, why.httpStatus);
    }

    private static void refuse(ChannelHandlerContext ctx, HttpResponseStatus status) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
        HttpHeaders.setContentLength(response, 0);
        response.headers().set(HttpHeaders.Names.CONNECTION, HttpHeaders.Values.CLOSE);
        if (status.equals(HttpResponseStatus.METHOD_NOT_ALLOWED)) {
            response.headers().set(HttpHeaders.Names.ALLOW, HttpMethod.CONNECT);
        }
        answerAndClose(ctx, response);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        if (e.getCause() instanceof HttpFailure failure && e.getChannel().isConnected()) {
            refuse(ctx, failure.suggestedStatus());
        } else {
            super.exceptionCaught(ctx, e);
        }
    }
}
