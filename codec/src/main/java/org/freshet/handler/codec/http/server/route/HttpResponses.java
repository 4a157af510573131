package org.freshet.handler.codec.http.server.route;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.internal.HeaderSyntax;
import org.freshet.handler.codec.http.server.files.MimeTypes;

/**
 * Makes complete responses: with content, {@code Content-Type} and {@code Content-Length}. Each call makes a new response, and more
 * headers can be added to it. Write each response only once, since handlers change it on its way.
 *
 * <p>Stateless; any thread.
 */
public final class HttpResponses {
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String HTML = "text/html; charset=utf-8";

    /** Always UTF-8; the type has no parameter for it (RFC 8259 11). */
    private static final String JSON = "application/json";

    private HttpResponses() {}

    /** 200 with a text, sent as {@code text/plain} in UTF-8. */
    public static HttpResponse text(String text) {
        return text(HttpResponseStatus.OK, text);
    }

    /**
     * A text, sent as {@code text/plain} in UTF-8.
     *
     * @throws IllegalArgumentException if responses of that status have no content: 1xx, 204, 205 and 304
     */
    public static HttpResponse text(HttpResponseStatus status, String text) {
        return content(status, TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    /** 200 with a page, sent as {@code text/html} in UTF-8. Escape what comes from elsewhere. */
    public static HttpResponse html(String page) {
        return html(HttpResponseStatus.OK, page);
    }

    /**
     * A page, sent as {@code text/html} in UTF-8. Escape what comes from elsewhere.
     *
     * @throws IllegalArgumentException if responses of that status have no content
     */
    public static HttpResponse html(HttpResponseStatus status, String page) {
        return content(status, HTML, page.getBytes(StandardCharsets.UTF_8));
    }

    /** 200 with a JSON document, sent as {@code application/json} in UTF-8. */
    public static HttpResponse json(String document) {
        return json(HttpResponseStatus.OK, document);
    }

    /**
     * A JSON document, sent as {@code application/json} in UTF-8.
     *
     * @param document sent as it is, unchecked
     * @throws IllegalArgumentException if responses of that status have no content
     */
    public static HttpResponse json(HttpResponseStatus status, String document) {
        return content(status, JSON, document.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * A response with these bytes, which aren't copied.
     *
     * @param contentType the whole value of {@code Content-Type}
     * @throws IllegalArgumentException if responses of that status have no content, or if the type cannot be a header
     */
    public static HttpResponse content(HttpResponseStatus status, String contentType, byte[] content) {
        return content(status, contentType, ChannelBuffers.wrappedBuffer(content));
    }

    /**
     * A response with the readable bytes of a buffer, which aren't copied.
     *
     * @param contentType the whole value of {@code Content-Type}
     * @throws IllegalArgumentException if responses of that status have no content, or if the type cannot be a header
     */
    public static HttpResponse content(HttpResponseStatus status, String contentType, ChannelBuffer content) {
        if (!mayHaveContent(status)) {
            throw new IllegalArgumentException("a response without content: " + status);
        }
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
        response.headers().set(Names.CONTENT_TYPE, contentType);
        response.headers().set(Names.CONTENT_LENGTH, content.readableBytes());
        response.setContent(content);
        return response;
    }

    /**
     * 200 with a file, sent by the type that its name has in {@link MimeTypes#defaults()}.
     *
     * @param file as for {@link #file(Path, String)}
     */
    public static HttpResponse file(Path file) throws IOException {
        Path name = file.getFileName();
        return file(file, MimeTypes.defaults().typeOf(name == null ? "" : name.toString()));
    }

    /**
     * 200 with a file, for a function of a {@link RequestHandler}; no other handler can send it. It is opened when the response is sent, and
     * isn't read into memory: the channel takes it a piece at a time, behind a {@link org.freshet.handler.stream.ChunkedWriteHandler} that
     * is added to the pipeline if there is none. A file that turns out shorter than now ends the connection.
     *
     * <p>Ranges and conditions are not looked at. Where clients choose the file, let a {@link
     * org.freshet.handler.codec.http.server.files.StaticFileHandler} find it: a path made of what a client sends may lead anywhere.
     *
     * @param file links are followed
     * @param contentType the whole value of {@code Content-Type}
     * @throws HttpStatusException 404 if there is no regular file
     * @throws IOException if the file system fails
     * @throws IllegalArgumentException if the type cannot be a header
     */
    public static HttpResponse file(Path file, String contentType) throws IOException {
        return new FileResponse(file, contentType);
    }

    /** A status without content. */
    public static HttpResponse status(HttpResponseStatus status) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
        if (mayHaveContent(status) || status.getCode() == 205) {
            response.headers().set(Names.CONTENT_LENGTH, 0);
        }
        return response;
    }

    /** 204: done, and there is nothing to say about it. */
    public static HttpResponse noContent() {
        return status(HttpResponseStatus.NO_CONTENT);
    }

    /**
     * 302: what was asked for is at another place for now.
     *
     * @param location an absolute URI, or one relative to the request's; already escaped
     * @throws IllegalArgumentException if it is empty or holds blanks, controls or characters beyond ASCII
     */
    public static HttpResponse redirect(String location) {
        return redirect(HttpResponseStatus.FOUND, location);
    }

    /**
     * Sends the client to another place.
     *
     * @param status 301, 302, 303, 307 or 308
     * @param location an absolute URI, or one relative to the request's; already escaped
     * @throws IllegalArgumentException if the status is another, or if the location is empty or holds blanks, controls or characters
     *     beyond ASCII
     */
    public static HttpResponse redirect(HttpResponseStatus status, String location) {
        switch (status.getCode()) {
            case 301, 302, 303, 307, 308 -> {}
            default -> throw new IllegalArgumentException("not a status of redirects: " + status);
        }
        if (location.isEmpty() || !location.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new IllegalArgumentException(
                    "not a URI that can be sent: \"" + HeaderSyntax.printable(location) + '"');
        }
        HttpResponse response = status(status);
        response.headers().set(Names.LOCATION, location);
        return response;
    }

    private static boolean mayHaveContent(HttpResponseStatus status) {
        int code = status.getCode();
        return code >= 200 && code != 204 && code != 205 && code != 304;
    }
}
