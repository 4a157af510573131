package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.ACK;
import static org.freshet.handler.codec.http2.FramePeer.DATA;
import static org.freshet.handler.codec.http2.FramePeer.PING;
import static org.freshet.handler.codec.http2.FramePeer.SETTINGS;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.freshet.channel.Channel;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;

/** Windows grow while they keep a distant server from sending as fast as the client reads. */
class Http2WindowTest {
    private static final int STREAM = 64 * 1024;
    private static final int CONNECTION = 128 * 1024;

    private final StreamLog log = new StreamLog();

    /** The bytes that the server may send on the stream and on the connection. */
    private long streamWindow = STREAM;

    private long connectionWindow = CONNECTION;
    private int settings;
    private int pings;

    private FramePeer connect(int maximum) {
        FramePeer peer = FramePeer.server(new Http2ClientHandler(Http2Settings.defaults().toBuilder()
                .initialWindowSize(STREAM)
                .connectionWindowSize(CONNECTION)
                .maxWindowSize(maximum)
                .build()));
        Channel stream =
                Http2ClientConnection.of(peer.channel).open(log.pipeline()).getChannel();
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        request.headers().set(HttpHeaders.Names.HOST, "example.com");
        stream.write(request);
        peer.send(peer.headers(1, false, ":status", "200"));
        peer.frames();
        return peer;
    }

    /** Sends everything the windows allow, then reads the response, simulating a round trip. */
    private void roundTrip(FramePeer peer) {
        long count = Math.min(streamWindow, connectionWindow);
        for (long left = count; left > 0; left -= 16 * 1024) {
            peer.send(frame(DATA, 0, 1, new byte[(int) Math.min(left, 16 * 1024)]));
        }
        streamWindow -= count;
        connectionWindow -= count;
        readAnswers(peer);
    }

    private void readAnswers(FramePeer peer) {
        int initial = STREAM;
        for (FramePeer.Frame each : peer.frames()) {
            switch (each.type()) {
                case FramePeer.WINDOW_UPDATE -> {
                    int increment = each.payload().readInt();
                    streamWindow += each.streamId() == 1 ? increment : 0;
                    connectionWindow += each.streamId() == 0 ? increment : 0;
                }
                case SETTINGS -> {
                    assertEquals(4, each.payload().readUnsignedShort());
                    int grown = each.payload().readInt();
                    streamWindow += grown - largest(initial);
                    announced = grown;
                    settings++;
                    peer.send(frame(SETTINGS, ACK, 0));
                }
                case PING -> {
                    byte[] data = new byte[8];
                    each.payload().readBytes(data);
                    pending = frame(PING, ACK, 0, data);
                    pings++;
                }
                default -> throw new AssertionError(each);
            }
        }
    }

    private int announced = STREAM;
    private byte[] pending;

    private int largest(int initial) {
        return Math.max(initial, announced);
    }

    @Test
    void shouldDoubleWindowsUsedUpInOneRoundTrip() {
        FramePeer peer = connect(1024 * 1024);
        for (int i = 0; i < 30; i++) {
            byte[] answer = pending;
            pending = null;
            roundTrip(peer);
            if (answer != null) {
                peer.send(answer); // after the data sent meanwhile
                readAnswers(peer);
            }
        }

        assertTrue(settings == 4, "64 KiB to 1 MiB in four steps: " + settings);
        assertEquals(1024 * 1024, announced);
        assertTrue(connectionWindow + 512 * 1024 >= 1024 * 1024, "connection: " + connectionWindow);
        assertEquals(List.of(), peer.channel.takeCaught());
        int before = pings;
        roundTrip(peer);
        roundTrip(peer);
        assertEquals(before, pings, "no more measurements");
    }

    @Test
    void shouldNotEnlargeWindowsForUnreadData() {
        FramePeer peer = connect(1024 * 1024);
        log.last().setReadable(false);

        roundTrip(peer);
        roundTrip(peer);

        assertEquals(0, pings);
        assertEquals(0, streamWindow);
    }

    @Test
    void shouldNotEnlargeWindowsWhileLittleIsSent() {
        FramePeer peer = connect(1024 * 1024);
        for (int i = 0; i < 100; i++) {
            peer.send(frame(DATA, 0, 1, new byte[1_000]));
            readAnswers(peer);
            if (pending != null) {
                peer.send(pending);
                pending = null;
            }
        }

        assertEquals(0, settings);
    }

    @Test
    void shouldKeepFixedSizes() {
        FramePeer peer = connect(STREAM);

        roundTrip(peer);
        roundTrip(peer);

        assertEquals(0, pings + settings);
    }
}
