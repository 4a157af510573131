package org.freshet.handler.codec.http.server;

import java.util.function.Supplier;
import org.freshet.channel.ChannelHandler;
import org.freshet.handler.codec.http.HttpLimits;

/** An in-memory connection to a server with some handlers; input and output are text. */
public final class Connection {
    public final TextClient client;

    public Connection(TextClient.Wire wire, Supplier<ChannelHandler[]> handlers) {
        client = wire.connect(
                HttpLimits.defaults().toBuilder().maxPipelinedRequests(128).build(),
                () -> new ChannelHandler[0],
                handlers);
    }

    /** Sends requests as given, and returns the answers so far. */
    public String send(String latin1) {
        client.receive(latin1);
        return client.sent();
    }

    /** Sends one request without content. */
    public String request(String method, String target, String... headers) {
        StringBuilder request = new StringBuilder(method + ' ' + target + " HTTP/1.1\r\nHost: test\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        return send(request.append("\r\n").toString());
    }

    public String takeSent() {
        return client.sent();
    }

    public static int status(String response) {
        return Integer.parseInt(response.substring("HTTP/1.1 ".length(), "HTTP/1.1 ".length() + 3));
    }

    /** The first value of a header, or null. */
    public static String header(String response, String name) {
        for (String line : response.substring(0, response.indexOf("\r\n\r\n")).split("\r\n")) {
            if (line.regionMatches(true, 0, name + ": ", 0, name.length() + 2)) {
                return line.substring(name.length() + 2);
            }
        }
        return null;
    }

    public static String content(String response) {
        return response.substring(response.indexOf("\r\n\r\n") + 4);
    }
}
