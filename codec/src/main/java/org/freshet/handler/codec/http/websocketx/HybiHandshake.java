package org.freshet.handler.codec.http.websocketx;

import java.util.List;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpHeaders.Values;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.internal.WebSocketProof;

/** The parts of the handshake shared by drafts 07 and 10 and RFC 6455, for both sides. Stateless. */
final class HybiHandshake {
    static final String UPGRADE_VALUE = "websocket";
    static final String EXTENSIONS = "Sec-WebSocket-Extensions";

    private HybiHandshake() {}

    /**
     * The answer to a request, still without sub-protocol and extensions.
     *
     * @throws WebSocketHandshakeException if the request is not such a handshake
     */
    static HttpResponse respond(HttpRequest request) {
        ServerUpgrade.check(request);
        ServerUpgrade.checkNoContent(request);
        String key = ServerUpgrade.key(request);
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS);
        response.headers().set(Names.UPGRADE, UPGRADE_VALUE);
        response.headers().set(Names.CONNECTION, Values.UPGRADE);
        response.headers().set(Names.SEC_WEBSOCKET_ACCEPT, WebSocketProof.of(key));
        return response;
    }

    /** Adds the handshake headers to a client's request. */
    static void ask(HttpRequest request, String key, WebSocketVersion version, String subprotocols) {
        request.headers().set(Names.UPGRADE, UPGRADE_VALUE);
        request.headers().set(Names.SEC_WEBSOCKET_KEY, key);
        request.headers().set(Names.SEC_WEBSOCKET_VERSION, version.toHttpHeaderValue());
        if (subprotocols != null && !subprotocols.isEmpty()) {
            request.headers().set(Names.SEC_WEBSOCKET_PROTOCOL, subprotocols);
        }
    }

    /** @throws WebSocketHandshakeException if the response does not accept the upgrade with that proof */
    static void check(HttpResponse response, String expectedAccept) {
        ClientUpgrade.check(response);
        List<String> accepts = response.headers().getAll(Names.SEC_WEBSOCKET_ACCEPT);
        if (accepts.size() != 1 || !accepts.get(0).trim().equals(expectedAccept)) {
            throw new WebSocketHandshakeException(
                    "the server did not answer the challenge correctly: " + accepts + " instead of " + expectedAccept);
        }
    }
}
