package org.freshet.handler.codec.http;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/**
 * Encodes requests; see {@link HttpMessageEncoder}. An absolute URI without a path is sent with the path {@code /}, unless the method
 * is OPTIONS and there is no query: the last proxy makes {@code *} of such a target, which asks for the server itself (RFC 9112, section
 * 3.2.4).
 */
public class HttpRequestEncoder extends HttpMessageEncoder {
    public HttpRequestEncoder() {}

    @Override
    protected void encodeInitialLine(ChannelBuffer buf, HttpMessage message) throws Exception {
        HttpRequest request = (HttpRequest) message;
        byte[] line = new byte[lineLength(request)];
        writeInitialLine(message, line, 0);
        buf.writeBytes(line);
    }

    @Override
    int initialLineLength(HttpMessage message) {
        boolean own = getClass() == HttpRequestEncoder.class || this instanceof HttpClientCodec.Encoder;
        return own ? lineLength((HttpRequest) message) : -1;
    }

    private static int lineLength(HttpRequest request) {
        String method =
                HeaderSyntax.checkToken("a method's name", request.getMethod().getName());
        String target = HeaderSyntax.checkTarget(target(request));
        String version = HeaderSyntax.checkTarget(request.getProtocolVersion().getText());
        return method.length() + target.length() + version.length() + 4;
    }

    private static String target(HttpRequest request) {
        String uri = request.getUri();
        if (uri.isEmpty()) {
            return "/";
        }
        int scheme = uri.charAt(0) == '/' ? -1 : uri.indexOf("://");
        if (scheme <= 0) {
            return uri;
        }
        int from = scheme + "://".length();
        int query = uri.indexOf('?', from);
        int path = uri.indexOf('/', from);
        if (path >= 0 && (query < 0 || path < query)) {
            return uri;
        }
        if (query >= 0) {
            return uri.substring(0, query) + '/' + uri.substring(query);
        }
        return HttpMethod.OPTIONS.equals(request.getMethod()) ? uri : uri + '/';
    }

    @Override
    int writeInitialLine(HttpMessage message, byte[] array, int from) {
        HttpRequest request = (HttpRequest) message;
        int at = HeadWriter.write(request.getMethod().getName(), array, from);
        array[at++] = ' ';
        at = HeadWriter.write(target(request), array, at);
        array[at++] = ' ';
        return HeadWriter.lineEnd(
                array, HeadWriter.write(request.getProtocolVersion().getText(), array, at));
    }
}
