package org.freshet.handler.codec.http;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.handler.codec.compression.ZlibEncoder;
import org.freshet.handler.codec.compression.ZlibWrapper;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.handler.codec.http.internal.AcceptedCodings;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/**
 * Compresses responses with gzip, deflate or one of {@link ContentCodings}, whichever the request likes most.
 *
 * <p>Responses that have a {@code Content-Encoding} already, ranges (206) and those without content stay as they are. What
 * is compressed, or would be for another request, says {@code Vary: Accept-Encoding}; a strong {@code ETag} becomes a weak
 * one when its content changes.
 */
public class HttpContentCompressor extends HttpContentEncoder {
    private final int compressionLevel;
    private final int windowBits;
    private final int memLevel;
    private final ContentCodings codings;

    /** With level 6. */
    public HttpContentCompressor() {
        this(6);
    }

    /** With level 6 where gzip or deflate is used, and with other codings. */
    public HttpContentCompressor(ContentCodings codings) {
        this(6, 15, 8, codings);
    }

    /** @param compressionLevel 1 is fastest, 9 is smallest, 0 does not compress */
    public HttpContentCompressor(int compressionLevel) {
        this(compressionLevel, 15, 8);
    }

    /**
     * @param compressionLevel 1 is fastest, 9 is smallest, 0 does not compress
     * @param windowBits 9 to 15; a hint, see {@link ZlibEncoder}
     * @param memLevel 1 to 9; a hint, see {@link ZlibEncoder}
     */
    public HttpContentCompressor(int compressionLevel, int windowBits, int memLevel) {
        this(compressionLevel, windowBits, memLevel, ContentCodings.defaults());
    }

    private HttpContentCompressor(int compressionLevel, int windowBits, int memLevel, ContentCodings codings) {
        this.codings = Objects.requireNonNull(codings, "codings");
        this.compressionLevel = checked("compressionLevel", compressionLevel, 0, 9);
        this.windowBits = checked("windowBits", windowBits, 9, 15);
        this.memLevel = checked("memLevel", memLevel, 1, 9);
    }

    private static int checked(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " is not in " + least + ".." + most + ": " + value);
        }
        return value;
    }

    @Override
    protected EncoderEmbedder<ChannelBuffer> newContentEncoder(HttpMessage msg, String acceptEncoding)
            throws Exception {
        if (!isCompressible(msg)) {
            return null;
        }
        if (!HeaderSyntax.hasToken(msg.headers().getAll(HttpHeaders.Names.VARY), HttpHeaders.Names.ACCEPT_ENCODING)) {
            msg.headers().add(HttpHeaders.Names.VARY, HttpHeaders.Names.ACCEPT_ENCODING);
        }
        String target = getTargetContentEncoding(acceptEncoding);
        if (target == null) {
            return null;
        }
        weakenETag(msg.headers());
        EncoderEmbedder<ChannelBuffer> added = codings.newEncoder(target);
        if (added != null) {
            return added;
        }
        ZlibWrapper wrapper = target.equals(HttpHeaders.Values.GZIP) ? ZlibWrapper.GZIP : ZlibWrapper.ZLIB;
        return new EncoderEmbedder<>(new ZlibEncoder(wrapper, compressionLevel, windowBits, memLevel));
    }

    private static boolean isCompressible(HttpMessage msg) {
        String present = msg.headers().get(HttpHeaders.Names.CONTENT_ENCODING);
        if (present != null && !present.equalsIgnoreCase(HttpHeaders.Values.IDENTITY)) {
            return false;
        }
        int code =
                msg instanceof HttpResponse ? ((HttpResponse) msg).getStatus().getCode() : 200;
        return code >= 200 && code != 204 && code != 206 && code != 304;
    }

    private static void weakenETag(HttpHeaders headers) {
        String etag = headers.get(HttpHeaders.Names.ETAG);
        if (etag != null && etag.startsWith("\"")) {
            headers.set(HttpHeaders.Names.ETAG, "W/" + etag);
        }
    }

    /** {@code gzip}, {@code deflate}, an added coding, or null for none, by the qualities that the request states. */
    @Override
    protected String getTargetContentEncoding(String acceptEncoding) throws Exception {
        return new AcceptedCodings(acceptEncoding).choose(codings.encodable());
    }
}
