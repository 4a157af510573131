package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.SETTINGS;
import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.freshet.handler.codec.http.server.ReadyServer;
import org.freshet.handler.codec.http.server.ReadyServer.Kind;
import org.freshet.testing.Await;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The ready-made pipeline over real sockets, with misbehaving HTTP/2 clients. */
class HttpServerPipelineHttp2SocketsTest {
    /** Encodes the fields of requests: each connection needs its own encoder. */
    private FramePeer frames = new FramePeer();

    private static ReadyServer serve(Kind kind) {
        return new ReadyServer(kind, builder -> builder.http2(Http2Settings.defaults()));
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private byte[] beginning() {
        frames = new FramePeer();
        return joined(Http2ServerHandler.PREFACE, frame(SETTINGS, 0, 0), frame(SETTINGS, FramePeer.ACK, 0));
    }

    private byte[] request(int streamId, boolean endsStream, String method, String path, String... more) {
        return frames.request(streamId, endsStream, method, path, more);
    }

    /** Reads frames until the given number of streams have ended; returns the content of the answers. */
    private static Map<Integer, String> contents(ScriptedPeer client, int streams) throws IOException {
        Map<Integer, String> contents = new HashMap<>();
        for (int left = streams; left > 0; ) {
            ByteBuffer header = ByteBuffer.wrap(client.read(9));
            int length = header.getInt() >>> 8;
            int type = header.get(3);
            int flags = header.get(4);
            int streamId = header.getInt(5);
            String payload = client.readText(length);
            if (type == FramePeer.DATA) {
                contents.merge(streamId, payload, String::concat);
            }
            boolean mayEnd = type == FramePeer.DATA || type == FramePeer.HEADERS;
            left -= mayEnd && (flags & FramePeer.END_STREAM) != 0 ? 1 : 0;
        }
        return contents;
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepAConnectionAndAnswerAllItsRequests(Kind kind) throws Exception {
        try (ReadyServer server = serve(kind);
                ScriptedPeer client = ScriptedPeer.connect(server.address())) {
            client.send(joined(
                    beginning(),
                    request(1, true, "GET", "/1"),
                    request(3, false, "POST", "/3"),
                    request(5, true, "GET", "/5"),
                    data(3, true, "abc")));
            assertEquals(Map.of(1, "/1 0", 3, "/3 3", 5, "/5 0"), contents(client, 3));

            client.send(request(7, true, "GET", "/7"));

            assertEquals(Map.of(7, "/7 0"), contents(client, 1));
        }
    }

    /** Not with curl, because some versions drop an answer if the server resets the stream after it. */
    @ParameterizedTest
    @EnumSource
    void shouldLetAClientThatKeepsSendingReadIts413AndSendAnotherRequest(Kind kind) throws Exception {
        String piece = "x".repeat(16 * 1024);
        try (ReadyServer server = serve(kind);
                ScriptedPeer client = ScriptedPeer.connect(server.address())) {
            client.send(joined(beginning(), request(1, false, "POST", "/1", "content-length", "1000000000000")));
            for (int i = 0; i < Http2Settings.defaults().initialWindowSize() / piece.length(); i++) {
                client.send(data(1, false, piece));
            }
            assertEquals(Map.of(1, "413 Request Entity Too Large\n"), contents(client, 1));

            client.send(request(3, true, "GET", "/3"));

            assertEquals(Map.of(3, "/3 0"), contents(client, 1));
            assertEquals(List.of("/3"), server.targets);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldSurviveADisconnectInTheMiddleOfEverything(Kind kind) throws Exception {
        byte[] conversation = joined(
                beginning(),
                request(1, true, "GET", "/1"),
                request(3, false, "POST", "/3", "content-length", "20"),
                data(3, true, "01234567890123456789"),
                request(5, false, "POST", "/5", "expect", "100-continue", "content-length", "3"),
                data(5, true, "abc"),
                request(7, true, "GET", "/large"),
                request(9, true, "GET", "/silent"),
                request(11, false, "POST", "/11", "content-length", "1000000"),
                data(11, false, "abcdefghij"),
                frame(FramePeer.PING, 0, 0, new byte[7]));
        try (ReadyServer server = serve(kind)) {
            for (int cut = 0; cut <= conversation.length; cut += 7) {
                ScriptedPeer client = ScriptedPeer.connect(server.address());
                client.send(Arrays.copyOf(conversation, cut));
                if (cut % 2 == 0) {
                    client.reset();
                } else {
                    client.close();
                }
            }
            Await.until(() -> server.open.isEmpty(), () -> "the end of all requests; open: " + server.open);
            try (ScriptedPeer client = ScriptedPeer.connect(server.address())) {
                client.send(joined(beginning(), request(1, true, "GET", "/after")));
                assertEquals(Map.of(1, "/after 0"), contents(client, 1));
            }
        }
    }
}
