package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.ACK;
import static org.freshet.handler.codec.http2.FramePeer.PING;
import static org.freshet.handler.codec.http2.FramePeer.SETTINGS;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.freshet.handler.codec.http2.FramePeer.reset;
import static org.freshet.handler.codec.http2.FramePeer.setting;
import static org.freshet.handler.codec.http2.FramePeer.windowUpdate;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.local.LocalAddress;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;

/**
 * The budgets for frames that carry nothing: which frames consume them, and which frames a peer may send as often as
 * the protocol requires.
 */
class Http2BudgetsTest {
    /** More than the burst of a budget. The clock stands still. */
    private static final int MANY = 15_000;

    private final StreamLog log = new StreamLog();
    private final FramePeer peer = FramePeer.client(new Http2ServerHandler(
            log::pipeline,
            Http2Settings.defaults().toBuilder().nanoClock(() -> 0).build()));

    private void assertCalmed() {
        List<String> lines = peer.lines();
        assertTrue(lines.get(lines.size() - 1).matches("GOAWAY \\d+ ENHANCE_YOUR_CALM"), lines.toString());
        assertFalse(peer.channel.isOpen(), "the connection is closed");
        String message = peer.channel.takeCaught().get(0).getMessage();
        assertTrue(message.contains("carry nothing"), message);
    }

    private void assertUnharmed() {
        assertTrue(peer.channel.isOpen(), () -> peer.channel.takeCaught().toString());
        assertEquals(List.of(), peer.channel.takeCaught());
    }

    private static HttpResponse response(boolean isChunked) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.setChunked(isChunked);
        return response;
    }

    // ---- WINDOW_UPDATE ----

    /** Go's client updates the stream and the connection for every 4 KiB that it reads. */
    @Test
    void shouldAcceptTwoUpdatesForEachPieceOfADownload() {
        peer.send(peer.get(1, "/"));
        log.last().write(response(true));
        ChannelBuffer content = ChannelBuffers.wrappedBuffer(new byte[16 * 1024]);
        for (int i = 0; i < 4_000; i++) {
            log.last().write(new DefaultHttpChunk(content.duplicate()));
            peer.frames();
            for (int j = 0; j < 4; j++) {
                peer.send(windowUpdate(0, 4096), windowUpdate(1, 4096));
            }
        }

        assertUnharmed();
    }

    @Test
    void shouldAcceptUpdatesForDataSentLongBefore() {
        peer.send(windowUpdate(0, 1 << 30), setting(0x4, 1 << 30), peer.get(1, "/"));
        HttpResponse response = response(false);
        response.setContent(ChannelBuffers.wrappedBuffer(new byte[64 << 20]));
        log.last().write(response);
        peer.frames();
        for (int i = 0; i < 16 * 1024; i++) {
            peer.send(windowUpdate(0, 4096), windowUpdate(1, 4096));
        }

        assertUnharmed();
    }

    @Test
    void shouldLimitUpdatesBeyondTheDataSent() {
        peer.send(peer.get(1, "/"));
        log.last().write(response(true));
        log.last().write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[16 * 1024])));
        for (int i = 0; i < MANY && peer.channel.isOpen(); i++) {
            peer.send(windowUpdate(1, 1));
        }

        assertCalmed();
    }

    // ---- acknowledgements ----

    @Test
    void shouldLimitAcknowledgementsOfUnsentSettings() {
        for (int i = 0; i < MANY && peer.channel.isOpen(); i++) {
            peer.send(frame(SETTINGS, ACK, 0));
        }

        assertCalmed();
    }

    @Test
    void shouldLimitAnswersToUnsentPings() {
        for (int i = 0; i < MANY && peer.channel.isOpen(); i++) {
            peer.send(frame(PING, ACK, 0, new byte[8]));
        }

        assertCalmed();
    }

    @Test
    void shouldAcceptTheAnswersToItsOwnPings() {
        Http2ClientHandler handler = new Http2ClientHandler(Http2Settings.defaults().toBuilder()
                .nanoClock(() -> 0)
                .abuseLimits(Http2AbuseLimits.defaults().withEmptyFrames(new Http2AbuseLimits.Rate(1, 0)))
                .build());
        FramePeer server = FramePeer.server(handler);
        Http2ClientConnection connection = Http2ClientConnection.of(server.channel);
        for (int i = 0; i < 10; i++) {
            connection.ping();
            byte[] data = new byte[8];
            server.frames().get(0).payload().readBytes(data);
            server.send(frame(PING, ACK, 0, data));
        }

        assertEquals(List.of(), server.channel.takeCaught());
    }

    // ---- frames on ended streams ----

    @Test
    void shouldLimitResetsOfEndedStreams() {
        peer.send(peer.get(1, "/"));
        log.last().write(response(false));
        for (int i = 0; i < MANY && peer.channel.isOpen(); i++) {
            peer.send(reset(1, Http2Error.CANCEL));
        }

        assertCalmed();
    }

    @Test
    void shouldLimitHeadersOnEndedStreams() {
        peer.send(peer.request(1, false, "POST", "/"));
        log.last().close();
        for (int i = 0; i < MANY && peer.channel.isOpen(); i++) {
            peer.send(peer.headers(1, true, "a", "b"));
        }

        assertCalmed();
    }

    /** A client's trailers and its reset may be in transit when the stream ends on the server. */
    @Test
    void shouldAcceptFramesInTransitWhenStreamsEnded() {
        log.reaction = (channel, message) -> channel.close();
        for (int id = 1; id < 2 * MANY; id += 2) {
            peer.send(peer.request(id, false, "POST", "/"), peer.headers(id, true, "a", "b"));
            peer.send(reset(id, Http2Error.CANCEL));
            log.channels.clear();
            log.take();
            peer.frames();
        }

        assertUnharmed();
    }

    // ---- unsent answers ----

    @Test
    void shouldLetAClientCancelAllItsStreamsOnACongestedConnection() {
        FramePeer server = FramePeer.server(new Http2ClientHandler());
        server.send(setting(0x3, 10_000));
        ClientBootstrap streams = new ClientBootstrap(new Http2StreamChannelFactory(server.channel));
        streams.setPipelineFactory(log::pipeline);
        List<Channel> channels = new ArrayList<>();
        for (int i = 0; i < 6_000; i++) {
            Channel channel = streams.connect(new LocalAddress("ignored")).getChannel();
            HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
            request.headers().set(HttpHeaders.Names.HOST, "example.com");
            channel.write(request);
            channels.add(channel);
            server.frames();
            log.channels.clear();
        }
        server.channel.holdWrites();
        channels.forEach(Channel::close);

        server.send(frame(PING, 0, 0, new byte[8]));

        assertEquals(List.of(), server.channel.takeCaught());
        assertTrue(server.channel.isOpen());
    }

    @Test
    void shouldLetAServerCloseAllStreamsItAllows() {
        FramePeer client = FramePeer.client(new Http2ServerHandler(
                log::pipeline,
                Http2Settings.defaults().toBuilder()
                        .maxConcurrentStreams(6_000)
                        .maxHeaderListSize(2 << 20)
                        .build()));
        List<Channel> channels = new ArrayList<>();
        for (int i = 0; i < 6_000; i++) {
            client.send(client.get(2 * i + 1, "/"));
            channels.add(log.last());
            log.channels.clear();
        }
        client.channel.holdWrites();
        channels.forEach(Channel::close);

        client.send(frame(PING, 0, 0, new byte[8]));

        assertEquals(List.of(), client.channel.takeCaught());
    }

    @Test
    void shouldLimitAnswersOfHandlersToAPeerThatDoesNotRead() {
        log.reaction = (channel, message) -> channel.close();
        peer.channel.holdWrites();
        for (int i = 0; i < MANY && peer.channel.isOpen(); i++) {
            peer.send(peer.get(2 * i + 1, "/"));
            log.channels.clear();
        }

        String message = peer.channel.takeCaught().get(0).getMessage();
        assertTrue(message.contains("does not read"), message);
    }
}
