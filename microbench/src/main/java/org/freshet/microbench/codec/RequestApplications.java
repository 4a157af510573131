package org.freshet.microbench.codec;

import java.nio.charset.StandardCharsets;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.QueryStringDecoder;
import org.freshet.handler.codec.http.server.route.HttpResponses;
import org.freshet.handler.codec.http.server.route.RequestHandler;
import org.freshet.handler.codec.http.server.route.Router;

/** The applications of {@link RequestHandlerBenchmark}. */
final class RequestApplications {
    private static final String GREETING = "Hello, World!";

    private RequestApplications() {}

    static ChannelHandler of(RequestHandlerBenchmark.Application application) {
        return switch (application) {
            case BARE -> new Bare();
            case SWITCH -> new Switch();
            case FUNCTION -> RequestHandler.of(request -> HttpResponses.text(GREETING));
            case ROUTED -> RequestHandler.of(router());
        };
    }

    private static Router router() {
        Router.Builder router = Router.builder()
                .get("/greeting", request -> HttpResponses.text(GREETING))
                .get("/hello", request -> HttpResponses.text("Hello, " + request.queryParameter("name") + "!"))
                .get("/users/{id}", request -> HttpResponses.text("user " + request.pathParameter("id")));
        for (int i = 0; i < 17; i++) {
            router.get("/users/{id}/things" + i, request -> HttpResponses.noContent());
        }
        return router.build();
    }

    private static HttpResponse text(String text) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        response.headers().set(HttpHeaders.Names.CONTENT_TYPE, "text/plain; charset=utf-8");
        response.headers().set(HttpHeaders.Names.CONTENT_LENGTH, bytes.length);
        response.setContent(ChannelBuffers.wrappedBuffer(bytes));
        return response;
    }

    private static final class Bare extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
            event.getChannel().write(text(GREETING));
        }
    }

    private static final class Switch extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
            QueryStringDecoder target = new QueryStringDecoder(((HttpRequest) event.getMessage()).getUri());
            String path = target.getPath();
            event.getChannel()
                    .write(
                            switch (path) {
                                case "/greeting" -> text(GREETING);
                                case "/hello" ->
                                    text("Hello, "
                                            + target.getParameters().get("name").get(0) + "!");
                                default -> text("user " + path.substring("/users/".length()));
                            });
        }
    }
}
