package org.freshet.handler.codec.http.server;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/**
 * Adds headers, such as {@code Strict-Transport-Security}, to every final response that doesn't have them. To send a
 * response without one, set the header to an empty value. Put it after the codec and before the handlers that answer,
 * including the one for error responses.
 *
 * <p>Immutable; one handler can serve all connections. Any thread may call it.
 */
@Sharable
public final class DefaultHeadersHandler extends SimpleChannelDownstreamHandler {
    /** These describe how a single message is sent. */
    private static final Set<String> OF_ONE_MESSAGE = Set.of(
            "connection",
            "content-encoding",
            "content-length",
            "keep-alive",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private final Map<String, String> headers;

    /**
     * @param headers values by name
     * @throws IllegalArgumentException if a name or value cannot be sent, or if the header describes how a single
     *     message is sent, such as {@code Content-Length}
     */
    public DefaultHeadersHandler(Map<String, String> headers) {
        this.headers = new LinkedHashMap<>(headers);
        this.headers.forEach(DefaultHeadersHandler::check);
    }

    static void check(String name, String value) {
        HeaderSyntax.checkValue(HeaderSyntax.checkName(name), value);
        if (OF_ONE_MESSAGE.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("this header cannot be set for all responses: " + name);
        }
    }

    @Override
    public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        if (e.getMessage() instanceof HttpResponse response
                && response.getStatus().getCode() >= 200) {
            headers.forEach((name, value) -> {
                if (!response.headers().contains(name)) {
                    response.headers().set(name, value);
                }
            });
        }
        ctx.sendDownstream(e);
    }
}
