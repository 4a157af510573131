package org.freshet.handler.codec.http.websocketx;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequestDecoder;
import org.freshet.handler.codec.http.HttpRequestEncoder;
import org.freshet.handler.codec.http.HttpResponseDecoder;
import org.freshet.handler.codec.http.HttpResponseEncoder;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.HttpViolation;
import org.freshet.testing.MemoryChannel;

/** Handshakes as sent on the wire, and pipelines for them. */
final class HandshakeTexts {
    /** The key of the example in RFC 6455, section 1.3. */
    static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";

    /** A server's answer to that key. */
    static final String ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

    private HandshakeTexts() {}

    static String request(String... moreHeaders) {
        return "GET /chat HTTP/1.1\r\nHost: example.com\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: "
                + KEY + "\r\nSec-WebSocket-Version: 13\r\n" + lines(moreHeaders) + "\r\n";
    }

    static String response(String... moreHeaders) {
        return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
                + ACCEPT + "\r\n" + lines(moreHeaders) + "\r\n";
    }

    private static String lines(String... headers) {
        StringBuilder lines = new StringBuilder();
        for (String header : headers) {
            lines.append(header).append("\r\n");
        }
        return lines.toString();
    }

    /** The two ways in which a pipeline handles HTTP. */
    enum Http {
        CODEC {
            @Override
            List<ChannelHandler> server() {
                return List.of(new HttpServerCodec(LIMITS));
            }

            @Override
            List<ChannelHandler> client() {
                return List.of(new HttpClientCodec());
            }
        },
        DECODER_AND_ENCODER {
            @Override
            List<ChannelHandler> server() {
                return List.of(new HttpRequestDecoder(LIMITS), new HttpResponseEncoder());
            }

            @Override
            List<ChannelHandler> client() {
                return List.of(new HttpResponseDecoder(), new HttpRequestEncoder());
            }
        };

        /** For draft 00. */
        private static final HttpLimits LIMITS = HttpLimits.standard().toBuilder()
                .allow(HttpViolation.DRAFT_76_HANDSHAKES)
                .build();

        abstract List<ChannelHandler> server();

        abstract List<ChannelHandler> client();

        MemoryChannel serverChannel(ChannelHandler... handlers) {
            return channel(server(), handlers);
        }

        MemoryChannel clientChannel(ChannelHandler... handlers) {
            return channel(client(), handlers);
        }

        private static MemoryChannel channel(List<ChannelHandler> first, ChannelHandler... handlers) {
            List<ChannelHandler> all = new ArrayList<>(first);
            all.addAll(List.of(handlers));
            return MemoryChannel.connected(all.toArray(new ChannelHandler[0]));
        }
    }

    static ChannelBuffer bytes(String latin1) {
        return ChannelBuffers.copiedBuffer(latin1, ISO_8859_1);
    }

    /** Returned by {@link #takeSent} in place of the end of the output. */
    static final String END = "<end>";

    /** What was written since the last call, as text with one character per byte. */
    static String takeSent(MemoryChannel channel) {
        StringBuilder sent = new StringBuilder();
        channel.takeWritten()
                .forEach(message ->
                        sent.append(message instanceof ChannelBuffer bytes ? bytes.toString(ISO_8859_1) : END));
        return sent.toString();
    }

    /** The peer has read the end of the output, and ends its own. */
    static void endInput(MemoryChannel channel) {
        channel.getPipeline().sendUpstream(new InputShutdownEvent(channel));
    }
}
