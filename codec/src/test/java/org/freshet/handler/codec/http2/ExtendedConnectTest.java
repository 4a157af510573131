package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Base64;
import java.util.List;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** WebSocket on a stream, in the words of HTTP/1.1 that handlers know. */
class ExtendedConnectTest {
    private static HttpRequest request(String method) {
        return new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.valueOf(method), "/");
    }

    private static HttpResponse response(HttpResponseStatus status) {
        return new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET | websocket | Upgrade | true",
                "GET | WebSocket | keep-alive, upgrade | true",
                "GET | h2c, websocket | Upgrade | true",
                "POST | websocket | Upgrade | false",
                "GET | h2c | Upgrade | false",
                "GET | websocket | keep-alive | false",
                "GET | websocket | | false",
                "GET | | Upgrade | false"
            })
    void shouldRecognizeAnUpgradeToWebSocket(String method, String upgrade, String connection, boolean isUpgrade) {
        HttpRequest request = request(method);
        if (upgrade != null) {
            request.headers().set(Names.UPGRADE, upgrade);
        }
        if (connection != null) {
            request.headers().set(Names.CONNECTION, connection);
        }
        assertEquals(isUpgrade, ExtendedConnect.isUpgrade(request));
        assertFalse(ExtendedConnect.isUpgrade(response(HttpResponseStatus.OK)));
    }

    /** The server's handlers need a key of sixteen octets, which HTTP/2 doesn't send. */
    @Test
    void shouldMakeAnUpgradeOfAReceivedRequest() {
        HttpRequest request = request("GET");
        ExtendedConnect.addUpgrade(request);
        assertEquals(true, ExtendedConnect.isUpgrade(request));
        assertEquals(16, Base64.getDecoder().decode(request.headers().get(Names.SEC_WEBSOCKET_KEY)).length);
    }

    @Test
    void shouldSendNeitherTheUpgradeNorTheProof() {
        HttpResponse switching = response(HttpResponseStatus.SWITCHING_PROTOCOLS);
        switching.headers().set(Names.UPGRADE, "websocket");
        switching.headers().set(Names.CONNECTION, "Upgrade");
        switching.headers().set(Names.SEC_WEBSOCKET_ACCEPT, "proof");
        switching.headers().set(Names.SEC_WEBSOCKET_PROTOCOL, "chat");
        FieldList fields = new FieldList();
        ExtendedConnect.addResponse(fields, switching);
        assertEquals(2, fields.size());
        assertEquals(
                List.of(":status", "200", "sec-websocket-protocol", "chat"),
                List.of(fields.name(0), fields.value(0), fields.name(1), fields.value(1)));
        assertEquals("proof", switching.headers().get(Names.SEC_WEBSOCKET_ACCEPT), "the handler's own is unchanged");
    }

    /** The key and its proof are the example of RFC 6455 1.3. */
    @Test
    void shouldProveToAClientThatItsKeyWasUnderstood() {
        HttpResponse opened = response(HttpResponseStatus.OK);
        opened.headers().set("Sec-WebSocket-Protocol", "chat");
        HttpResponse seen = ExtendedConnect.switching(opened, "dGhlIHNhbXBsZSBub25jZQ==");
        assertEquals(HttpResponseStatus.SWITCHING_PROTOCOLS, seen.getStatus());
        assertEquals("websocket", seen.headers().get(Names.UPGRADE));
        assertEquals("Upgrade", seen.headers().get(Names.CONNECTION));
        assertEquals("chat", seen.headers().get(Names.SEC_WEBSOCKET_PROTOCOL));
        assertEquals("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", seen.headers().get(Names.SEC_WEBSOCKET_ACCEPT));
        assertNull(ExtendedConnect.switching(opened, null).headers().get(Names.SEC_WEBSOCKET_ACCEPT), "without a key");
    }
}
