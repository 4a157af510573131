package org.freshet.handler.codec.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandler;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.testing.MemoryChannel;

/** A connection in memory to a server with a codec and some handlers; what goes in and comes out is text. */
final class Connection {
    final MemoryChannel channel;

    Connection(ChannelHandler... handlers) {
        ChannelHandler[] all = new ChannelHandler[handlers.length + 1];
        all[0] = new HttpServerCodec();
        System.arraycopy(handlers, 0, all, 1, handlers.length);
        channel = MemoryChannel.connected(all);
    }

    /** Sends requests as they are, and takes what was answered until now. */
    String send(String latin1) {
        channel.receive(ChannelBuffers.copiedBuffer(latin1, ISO_8859_1));
        return takeSent();
    }

    /** Sends one request without content. */
    String request(String method, String target, String... headers) {
        StringBuilder request = new StringBuilder(method + ' ' + target + " HTTP/1.1\r\nHost: test\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        return send(request.append("\r\n").toString());
    }

    String takeSent() {
        StringBuilder sent = new StringBuilder();
        for (Object message : channel.takeWritten()) {
            sent.append(((ChannelBuffer) message).toString(ISO_8859_1));
        }
        return sent.toString();
    }

    static int status(String response) {
        return Integer.parseInt(response.substring("HTTP/1.1 ".length(), "HTTP/1.1 ".length() + 3));
    }

    /** The first value of a header, or null. */
    static String header(String response, String name) {
        for (String line : response.substring(0, response.indexOf("\r\n\r\n")).split("\r\n")) {
            if (line.regionMatches(true, 0, name + ": ", 0, name.length() + 2)) {
                return line.substring(name.length() + 2);
            }
        }
        return null;
    }

    static String content(String response) {
        return response.substring(response.indexOf("\r\n\r\n") + 4);
    }
}
