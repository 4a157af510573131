package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.freshet.channel.Channel;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the fields of a block become headers, and headers fields. */
class Http2FieldsTest {
    private final StreamLog log = new StreamLog();

    @Nested
    class OfRequests {
        private final FramePeer peer = FramePeer.client(new Http2ServerHandler(log::pipeline));

        private HttpRequest receive(String... fields) {
            peer.send(peer.headers(1, true, fields));
            assertEquals(List.of(), peer.lines());
            return (HttpRequest) log.messages.get(0);
        }

        @Test
        void shouldTakeTheHostWithoutAnAuthority() {
            HttpRequest request = receive(":method", "GET", ":scheme", "http", ":path", "/", "host", "example.com");
            assertEquals(List.of("example.com"), request.headers().getAll("Host"));
        }

        @Test
        void shouldHaveOneHostIfBothAreSent() {
            HttpRequest request = receive(
                    ":method",
                    "GET",
                    ":scheme",
                    "http",
                    ":path",
                    "/",
                    ":authority",
                    "example.com",
                    "host",
                    "EXAMPLE.com");
            assertEquals(List.of("example.com"), request.headers().getAll("Host"));
        }

        @Test
        void shouldAcceptTheAsteriskOfOptions() {
            HttpRequest request =
                    receive(":method", "OPTIONS", ":scheme", "http", ":path", "*", ":authority", "example.com");
            assertEquals("*", request.getUri());
        }

        @Test
        void shouldJoinCookies() {
            peer.send(peer.get(1, "/", "cookie", "a=1", "x", "y", "cookie", "b=2", "cookie", "c=3"));
            HttpRequest request = (HttpRequest) log.messages.get(0);
            assertEquals(List.of("a=1; b=2; c=3"), request.headers().getAll("Cookie"));
            peer.send(peer.get(3, "/", "cookie", "a=1"));
            request = (HttpRequest) log.messages.get(1);
            assertEquals(List.of("a=1"), request.headers().getAll("Cookie"));
            peer.send(peer.get(5, "/"));
            request = (HttpRequest) log.messages.get(2);
            assertFalse(request.headers().contains("Cookie"));
        }

        @Test
        void shouldAcceptALengthOf18Digits() {
            peer.send(peer.request(1, false, "POST", "/", "content-length", "000000000000000019"));
            peer.send(data(1, false, "0123456789"), data(1, true, "012345678"));
            assertEquals(19, ((HttpRequest) log.messages.get(0)).getContent().readableBytes());
        }

        @Test
        void shouldAcceptATrailerSectionWithoutFields() {
            peer.send(peer.request(1, false, "POST", "/"), data(1, false, "x"), peer.headers(1, true));
            assertEquals(
                    List.of("1 POST / chunked", "1 chunk 'x'", "1 last"),
                    log.take().subList(3, 6));
            assertEquals(List.of(), peer.lines());
        }

        @Test
        void shouldFindThePriorityAmongOtherFields() {
            peer.send(peer.get(1, "/", "a", "u=7", "priority", "u=1", "x", "u=6"));
            assertEquals(new Http2Priority(1, false), ((Http2StreamChannel) log.last()).getPriority());
        }

        @Test
        void shouldNotRememberAFieldOfTheRequestBefore() {
            peer.send(peer.request(1, false, "POST", "/", "content-length", "3", "priority", "u=1"));
            peer.send(
                    peer.headers(3, true, ":method", "GET", ":scheme", "http", ":path", "/", "host", "other.example"));
            assertEquals(List.of(), peer.lines());
            assertEquals(Http2Priority.DEFAULT, ((Http2StreamChannel) log.last()).getPriority());
            assertEquals(
                    "other.example",
                    ((HttpRequest) log.messages.get(0)).headers().get("Host"));
        }
    }

    @Nested
    class OfResponses {
        private final FramePeer peer = FramePeer.server(new Http2ClientHandler());
        private final Channel stream =
                Http2ClientConnection.of(peer.channel).open(log.pipeline()).getChannel();

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "x: y",
                    ":status: 20",
                    ":status: 2000",
                    ":status: 20a",
                    ":status: 2/0",
                    ":status: :00",
                    ":status: 099",
                    ":status: 101",
                    ":status: 200, :status: 200",
                    ":status: 200, :method: GET",
                    ":status: 200, :scheme: http",
                    ":status: 200, :authority: example.com",
                    ":status: 200, :path: /",
                    ":status: 200, :protocol: websocket",
                    ":status: 200, connection: close",
                    ":status: 200, content-length: 1x",
                    ":status: 200, content-length: 1/",
                    ":status: 200, content-length: 1:",
                    ":status: 200, content-length: 1000000000000000000",
                    ":status: 200, X: y"
                })
        void shouldResetAStreamWithAMalformedResponse(String fields) {
            stream.write(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
            peer.lines();
            log.take();
            peer.send(peer.headers(1, false, fields.split("(?<=[^ ]): |, ")));
            assertEquals(List.of("RST_STREAM 1 PROTOCOL_ERROR"), peer.lines());
            assertTrue(log.take().get(0).startsWith("1 Http2StreamException "));
            assertTrue(peer.channel.isOpen());
        }

        @Test
        void shouldResetAStreamWithAnEmptyLength() {
            stream.write(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
            peer.lines();
            peer.send(peer.headers(1, false, ":status", "200", "content-length", ""));
            assertEquals(List.of("RST_STREAM 1 PROTOCOL_ERROR"), peer.lines());
        }

        @ParameterizedTest
        @ValueSource(ints = {200, 299, 404, 599, 999})
        void shouldHaveAnyStatusOfThreeDigits(int status) {
            stream.write(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
            log.take();
            peer.send(peer.headers(1, true, ":status", "" + status));
            assertEquals("1 " + status, log.take().get(0));
        }

        /** These have no meaning in a response, and no rule. */
        @Test
        void shouldPassOnHosts() {
            stream.write(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
            peer.send(peer.headers(1, true, ":status", "200", "host", "a b", "host", "c"));
            HttpResponse response = (HttpResponse) log.messages.get(0);
            assertEquals(List.of("a b", "c"), response.headers().getAll("Host"));
        }
    }

    @Nested
    class ThatAreSent {
        private final FramePeer peer = FramePeer.server(new Http2ClientHandler());

        private String sent(HttpMethod method, String... headers) {
            HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, method, "/");
            for (int i = 0; i < headers.length; i += 2) {
                request.headers().add(headers[i], headers[i + 1]);
            }
            Http2ClientConnection.of(peer.channel)
                    .open(log.pipeline())
                    .getChannel()
                    .write(request);
            return peer.lines().get(0).replaceFirst(".* :path=/ ?", "");
        }

        @ParameterizedTest
        @CsvSource({
            "Connection, close",
            "Proxy-Connection, close",
            "Keep-Alive, timeout=5",
            "Transfer-Encoding, gzip",
            "Upgrade, h2c",
            "HTTP2-Settings, AAMAAABk",
            "Host, example.com",
            "TE, gzip",
            "Sec-WebSocket-Key, x"
        })
        void shouldLeaveOutFieldsOfAConnection(String name, String value) {
            assertEquals("a=1 z=2 END", sent(HttpMethod.GET, "a", "1", name, value, "z", "2"));
        }

        @Test
        void shouldLeaveOutFieldsThatConnectionNames() {
            assertEquals(
                    "d=4 END",
                    sent(
                            HttpMethod.GET,
                            "Connection",
                            "A , b",
                            "Connection",
                            "c",
                            "a",
                            "1",
                            "B",
                            "2",
                            "C",
                            "3",
                            "d",
                            "4"));
        }

        @Test
        void shouldHaveNamesInLowerCaseAndValuesWithoutBlanksAround() {
            assertEquals(
                    "abc=1 xyz=a b x_2=3 xa=4 xz=5 te=trailers END",
                    sent(
                            HttpMethod.GET,
                            "AbC",
                            "1",
                            "xYZ",
                            " a b\t",
                            "x_2",
                            "3",
                            "xA",
                            "4",
                            "xZ",
                            "5",
                            "Te",
                            " Trailers "));
        }

        /** Over HTTP/2 these are ordinary requests. */
        @ParameterizedTest
        @CsvSource({
            "POST, websocket, Upgrade",
            "GET, h2c, Upgrade",
            "GET, websocket, close",
            "GET, websocket, x-upgrade"
        })
        void shouldNotAskForWebSocketUnlessAnUpgradeDoes(String method, String upgrade, String connection) {
            assertEquals(
                    "a=1 END",
                    sent(HttpMethod.valueOf(method), "Upgrade", upgrade, "Connection", connection, "a", "1"));
        }

        @ParameterizedTest
        @CsvSource({"GET, #part, :path=/", "GET, '', :path=/", "OPTIONS, relative, ''", "GET, *, ''"})
        void shouldSendNoTargetThatIsNoPath(String method, String target, String path) {
            HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.valueOf(method), target);
            boolean isSent = Http2ClientConnection.of(peer.channel)
                    .open(log.pipeline())
                    .getChannel()
                    .write(request)
                    .isSuccess();
            assertEquals(!path.isEmpty(), isSent);
            assertEquals(
                    isSent ? List.of("HEADERS 1 :method=" + method + " :scheme=http " + path + " END") : List.of(),
                    peer.lines());
        }

        /** Handlers written for older Netty versions set only the header. */
        @Test
        void shouldSendChunksAfterAHeadThatAnnouncesThem() {
            FramePeer client = FramePeer.client(new Http2ServerHandler(log::pipeline));
            client.send(client.get(1, "/"));
            HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            head.headers().set("Transfer-Encoding", "chunked");
            log.last().write(head);
            assertEquals(List.of("HEADERS 1 :status=200"), client.lines());
            assertTrue(log.last().write(HttpChunk.LAST_CHUNK).isSuccess());
            assertEquals(List.of("DATA 1 '' END"), client.lines());
        }

        @Test
        void shouldRefuseAStatusThatHttp2CannotSend() {
            FramePeer client = FramePeer.client(new Http2ServerHandler(log::pipeline));
            client.send(client.get(1, "/"));
            for (int status : new int[] {0, 99, 1000}) {
                HttpResponse response =
                        new DefaultHttpResponse(HttpVersion.HTTP_1_1, new HttpResponseStatus(status, "x"));
                assertInstanceOf(
                        IllegalArgumentException.class,
                        log.last().write(response).getCause());
            }
            assertEquals(List.of(), client.lines());
            log.last().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, new HttpResponseStatus(999, "x")));
            assertEquals(List.of("HEADERS 1 :status=999 END"), client.lines());
        }
    }
}
