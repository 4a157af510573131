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
 * Creates complete responses with content, {@code Content-Type} and {@code Content-Length}. Each call creates a new
 * response, and you can add headers to it. Write each response only once, since handlers change it on its way.
 *
 * <p>Stateless; any thread may call it.
 */
public final class HttpResponses {
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String HTML = "text/html; charset=utf-8";

    /** JSON is always UTF-8, and the type has no charset parameter (RFC 8259 11). */
    private static final String JSON = "application/json";

    private HttpResponses() {}

    /** 200 with a text, sent as {@code text/plain} in UTF-8. */
    public static HttpResponse text(String text) {
        return text(HttpResponseStatus.OK, text);
    }

    /**
     * Creates a response with a text, sent as {@code text/plain} in UTF-8.
     *
     * @throws IllegalArgumentException if the status doesn't allow content: 1xx, 204, 205 and 304
     */
    public static HttpResponse text(HttpResponseStatus status, String text) {
        return content(status, TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    /** 200 with a page, sent as {@code text/html} in UTF-8. Escape any text that comes from elsewhere. */
    public static HttpResponse html(String page) {
        return html(HttpResponseStatus.OK, page);
    }

    /**
     * Creates a response with a page, sent as {@code text/html} in UTF-8. Escape any text that comes from elsewhere.
     *
     * @throws IllegalArgumentException if the status doesn't allow content
     */
    public static HttpResponse html(HttpResponseStatus status, String page) {
        return content(status, HTML, page.getBytes(StandardCharsets.UTF_8));
    }

    /** 200 with a JSON document, sent as {@code application/json} in UTF-8. */
    public static HttpResponse json(String document) {
        return json(HttpResponseStatus.OK, document);
    }

    /**
     * Creates a response with a JSON document, sent as {@code application/json} in UTF-8.
     *
     * @param document sent unchanged and unchecked
     * @throws IllegalArgumentException if the status doesn't allow content
     */
    public static HttpResponse json(HttpResponseStatus status, String document) {
        return content(status, JSON, document.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Creates a response with these bytes, which aren't copied.
     *
     * @param contentType the complete value of {@code Content-Type}
     * @throws IllegalArgumentException if the status doesn't allow content, or if the type is not a valid header value
     */
    public static HttpResponse content(HttpResponseStatus status, String contentType, byte[] content) {
        return content(status, contentType, ChannelBuffers.wrappedBuffer(content));
    }

    /**
     * Creates a response with the readable bytes of a buffer, which aren't copied.
     *
     * @param contentType the complete value of {@code Content-Type}
     * @throws IllegalArgumentException if the status doesn't allow content, or if the type is not a valid header value
     */
    public static HttpResponse content(HttpResponseStatus status, String contentType, ChannelBuffer content) {
        if (!mayHaveContent(status)) {
            throw new IllegalArgumentException("a response with this status cannot have content: " + status);
        }
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
        response.headers().set(Names.CONTENT_TYPE, contentType);
        response.headers().set(Names.CONTENT_LENGTH, content.readableBytes());
        response.setContent(content);
        return response;
    }

    /**
     * 200 with a file. The type depends on the file's name, see {@link MimeTypes#defaults()}.
     *
     * @param file as for {@link #file(Path, String)}
     */
    public static HttpResponse file(Path file) throws IOException {
        Path name = file.getFileName();
        return file(file, MimeTypes.defaults().typeOf(name == null ? "" : name.toString()));
    }

    /**
     * 200 with a file, for a function of a {@link RequestHandler}; no other handler can send it. The file is opened
     * when the response is sent. It isn't read into memory: the channel takes it piece by piece, after a
     * {@link org.freshet.handler.stream.ChunkedWriteHandler}, which is added to the pipeline if missing. If the
     * file turns out to be shorter than now, the connection is closed.
     *
     * <p>Ranges and conditions are ignored. If clients choose the file, use a
     * {@link org.freshet.handler.codec.http.server.files.StaticFileHandler}: a path built from client input may lead
     * anywhere.
     *
     * @param file links are followed
     * @param contentType the complete value of {@code Content-Type}
     * @throws HttpStatusException 404 if there is no such regular file
     * @throws IOException if the file system fails
     * @throws IllegalArgumentException if the type is not a valid header value
     */
    public static HttpResponse file(Path file, String contentType) throws IOException {
        return new FileResponse(file, contentType);
    }

    /** A response with a status and no content. */
    public static HttpResponse status(HttpResponseStatus status) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
        if (mayHaveContent(status) || status.getCode() == 205) {
            response.headers().set(Names.CONTENT_LENGTH, 0);
        }
        return response;
    }

    /** 204: the request succeeded, and there is no content to send. */
    public static HttpResponse noContent() {
        return status(HttpResponseStatus.NO_CONTENT);
    }

    /**
     * 302: the resource is temporarily at another location.
     *
     * @param location an absolute URI, or one relative to the request's; already escaped
     * @throws IllegalArgumentException if it is empty or contains blanks, controls or non-ASCII characters
     */
    public static HttpResponse redirect(String location) {
        return redirect(HttpResponseStatus.FOUND, location);
    }

    /**
     * Redirects the client to another location.
     *
     * @param status 301, 302, 303, 307 or 308
     * @param location an absolute URI, or one relative to the request's; already escaped
     * @throws IllegalArgumentException if the status is a different one, or if the location is empty or contains
     *     blanks, controls or non-ASCII characters
     */
    public static HttpResponse redirect(HttpResponseStatus status, String location) {
        switch (status.getCode()) {
            case 301, 302, 303, 307, 308 -> {}
            default -> throw new IllegalArgumentException("not a redirect status: " + status);
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
