package org.freshet.handler.proxy;

import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.http.DefaultHttpHeaders;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;

/**
 * Connects through an HTTP proxy with CONNECT (RFC 9110 9.3.6), without authentication or with Basic (RFC 7617). A final 2xx
 * answer opens the tunnel; any other final answer is a failure. See {@link ProxyHandler} for everything else.
 */
public final class HttpProxyHandler extends ProxyHandler {
    private final HttpHeaders headers;
    private final boolean authenticates;

    /** @param proxyAddress the address of the proxy */
    public HttpProxyHandler(SocketAddress proxyAddress) {
        this(proxyAddress, HttpHeaders.EMPTY_HEADERS);
    }

    /**
     * Adds headers to the request, such as {@code User-Agent}.
     *
     * @param proxyAddress the address of the proxy
     * @param headers copied. Their {@code Host} is replaced by the target's.
     * @throws IllegalArgumentException if a name or a value is malformed, even if the headers don't check that themselves
     */
    public HttpProxyHandler(SocketAddress proxyAddress, HttpHeaders headers) {
        super("HTTP", proxyAddress);
        this.headers = new DefaultHttpHeaders().add(Objects.requireNonNull(headers, "headers"));
        this.authenticates = headers.contains(HttpHeaders.Names.PROXY_AUTHORIZATION);
    }

    /**
     * Sends a user name and a password with the request.
     *
     * @param proxyAddress the address of the proxy
     * @param username must not contain a colon
     * @throws IllegalArgumentException if the user name contains a colon, or either contains a control character
     */
    public HttpProxyHandler(SocketAddress proxyAddress, String username, String password) {
        this(proxyAddress, username, password, HttpHeaders.EMPTY_HEADERS);
    }

    /** Combines both; see the other constructors. */
    public HttpProxyHandler(SocketAddress proxyAddress, String username, String password, HttpHeaders headers) {
        this(
                proxyAddress,
                new DefaultHttpHeaders()
                        .add(Objects.requireNonNull(headers, "headers"))
                        .set(HttpHeaders.Names.PROXY_AUTHORIZATION, basic(username, password)));
    }

    private static String basic(String username, String password) {
        Objects.requireNonNull(username, "username");
        Objects.requireNonNull(password, "password");
        if (username.indexOf(':') >= 0) {
            throw new IllegalArgumentException("username contains a colon at index " + username.indexOf(':'));
        }
        String credentials = username + ":" + password;
        if (credentials.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("username or password contains a control character");
        }
        return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    void checkTarget(ProxyTarget target) {
        // any target is possible
    }

    @Override
    void ask(ChannelHandlerContext ctx, ProxyTarget target) {
        addDecoder(ctx, new HttpClientCodec());
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.CONNECT, target.authority());
        request.headers().add(headers).set(HttpHeaders.Names.HOST, target.authority());
        sendToProxy(ctx, request);
    }

    @Override
    boolean takeAnswer(ChannelHandlerContext ctx, ProxyTarget target, Object answer) throws Exception {
        if (!(answer instanceof HttpResponse response)) {
            throw malformed(answer);
        }
        HttpResponseStatus status = response.getStatus();
        if (status.getCode() / 100 == 1 && status.getCode() != 101) {
            return false; // the final answer is still to come
        }
        if (status.getCode() / 100 != 2) {
            throw refusal("the proxy answered " + status + remedy(status), null);
        }
        removeDecoder(ctx);
        return true;
    }

    private String remedy(HttpResponseStatus status) {
        if (status.getCode() != HttpResponseStatus.PROXY_AUTHENTICATION_REQUIRED.getCode()) {
            return "";
        }
        return authenticates ? " to the credentials sent" : "; pass a user name and a password to the handler";
    }
}
