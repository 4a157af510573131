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
 * Adds headers to every final response that doesn't have them, such as {@code Strict-Transport-Security}. A response that must do without
 * one can have it empty. Put it behind the codec and before the handlers that answer, error answers included.
 *
 * <p>Immutable; one handler serves all connections. Any thread.
 */
@Sharable
public final class DefaultHeadersHandler extends SimpleChannelDownstreamHandler {
    /** These say how one message is sent. */
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
     * @throws IllegalArgumentException if a name or value cannot be sent, or if the header says how a single message is sent, such as {@code
     *     Content-Length}
     */
    public DefaultHeadersHandler(Map<String, String> headers) {
        this.headers = new LinkedHashMap<>(headers);
        this.headers.forEach(DefaultHeadersHandler::check);
    }

    static void check(String name, String value) {
        HeaderSyntax.checkValue(HeaderSyntax.checkName(name), value);
        if (OF_ONE_MESSAGE.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("not a header of all responses: " + name);
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
