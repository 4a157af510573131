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
 * Connects through an HTTP proxy by CONNECT (RFC 9110 9.3.6), without authentication or with Basic (RFC 7617). Any final answer
 * of 2xx is a tunnel; any other is a failure. All else is said in {@link ProxyHandler}.
 */
public final class HttpProxyHandler extends ProxyHandler {
    private final HttpHeaders headers;
    private final boolean authenticates;

    /** @param proxyAddress where the proxy listens */
    public HttpProxyHandler(SocketAddress proxyAddress) {
        this(proxyAddress, HttpHeaders.EMPTY_HEADERS);
    }

    /**
     * With more headers, such as {@code User-Agent}.
     *
     * @param proxyAddress where the proxy listens
     * @param headers copied. A {@code Host} in them is replaced by the target's.
     * @throws IllegalArgumentException if a name or a value is malformed, also if the headers have not checked it themselves
     */
    public HttpProxyHandler(SocketAddress proxyAddress, HttpHeaders headers) {
        super("HTTP", proxyAddress);
        this.headers = new DefaultHttpHeaders().add(Objects.requireNonNull(headers, "headers"));
        this.authenticates = headers.contains(HttpHeaders.Names.PROXY_AUTHORIZATION);
    }

    /**
     * With a user name and a password, which are sent with the request.
     *
     * @param proxyAddress where the proxy listens
     * @param username without a colon
     * @throws IllegalArgumentException if the user name has a colon, or either has a control character
     */
    public HttpProxyHandler(SocketAddress proxyAddress, String username, String password) {
        this(proxyAddress, username, password, HttpHeaders.EMPTY_HEADERS);
    }

    /** With both; see the other constructors. */
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
            throw new IllegalArgumentException("username has a colon at " + username.indexOf(':'));
        }
        String credentials = username + ":" + password;
        if (credentials.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("username or password has a control character");
        }
        return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    void checkTarget(ProxyTarget target) {
        // each can be written
    }

    @Override
    void ask(ChannelHandlerContext ctx, ProxyTarget target) {
        decodeBy(ctx, new HttpClientCodec());
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.CONNECT, target.authority());
        request.headers().add(headers).set(HttpHeaders.Names.HOST, target.authority());
        say(ctx, request);
    }

    @Override
    boolean takeAnswer(ChannelHandlerContext ctx, ProxyTarget target, Object answer) throws Exception {
        if (!(answer instanceof HttpResponse response)) {
            throw malformed(answer);
        }
        HttpResponseStatus status = response.getStatus();
        if (status.getCode() / 100 == 1 && status.getCode() != 101) {
            return false; // the final answer follows
        }
        if (status.getCode() / 100 != 2) {
            throw refusal("the proxy answers " + status + remedy(status), null);
        }
        removeDecoder(ctx);
        return true;
    }

    private String remedy(HttpResponseStatus status) {
        if (status.getCode() != HttpResponseStatus.PROXY_AUTHENTICATION_REQUIRED.getCode()) {
            return "";
        }
        return authenticates ? " to the credentials that were sent" : "; give the handler a user name and a password";
    }
}
