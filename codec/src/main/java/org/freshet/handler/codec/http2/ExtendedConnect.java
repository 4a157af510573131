package org.freshet.handler.codec.http2;

import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpHeaders.Values;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.internal.HeaderSyntax;
import org.freshet.handler.codec.http.internal.WebSocketProof;

/**
 * Translates between WebSocket on a stream (RFC 8441) and the HTTP/1.1 upgrade that handlers know: an extended CONNECT becomes
 * a GET with {@code Upgrade}, a 101 becomes a 200, and back. HTTP/2 sends neither key nor proof, so they are filled in here.
 *
 * <p>Stateless; any thread.
 */
final class ExtendedConnect {
    /** The value of {@code :protocol}. */
    static final String WEBSOCKET = "websocket";

    /** Sixteen octets, as required by handshakes. */
    private static final String KEY = "AAAAAAAAAAAAAAAAAAAAAA==";

    private ExtendedConnect() {}

    /** Whether a client's request asks for an upgrade to WebSocket. */
    static boolean isUpgrade(Object message) {
        return message instanceof HttpRequest request
                && request.headers().contains(Names.UPGRADE)
                && HttpMethod.GET.equals(request.getMethod())
                && HeaderSyntax.hasToken(request.headers().getAll(Names.UPGRADE), Values.WEBSOCKET)
                && HeaderSyntax.hasToken(request.headers().getAll(Names.CONNECTION), Values.UPGRADE);
    }

    /** Turns a received request into an upgrade request. */
    static void addUpgrade(HttpRequest request) {
        HttpHeaders headers = request.headers();
        headers.set(Names.UPGRADE, WEBSOCKET);
        headers.set(Names.CONNECTION, Values.UPGRADE);
        headers.set(Names.SEC_WEBSOCKET_KEY, KEY);
    }

    /** Adds the response for a server's 101: a 200 without the headers for the connection and the proof. */
    static void addResponse(FieldList fields, HttpResponse switching) {
        HttpResponse opened = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        opened.headers().set(switching.headers());
        opened.headers().remove(Names.SEC_WEBSOCKET_ACCEPT);
        SentFields.add(fields, opened);
    }

    /** Creates the 101 that a client's handlers expect. */
    static HttpResponse switching(HttpResponse opened, String key) {
        HttpResponse switching = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS);
        switching.headers().set(opened.headers());
        switching.headers().set(Names.UPGRADE, WEBSOCKET);
        switching.headers().set(Names.CONNECTION, Values.UPGRADE);
        if (key != null) {
            switching.headers().set(Names.SEC_WEBSOCKET_ACCEPT, WebSocketProof.of(key));
        }
        return switching;
    }
}
