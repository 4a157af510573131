package org.freshet.handler.codec.http;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.handler.codec.compression.ZlibEncoder;
import org.freshet.handler.codec.compression.ZlibWrapper;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.handler.codec.http.internal.AcceptedCodings;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/**
 * Compresses responses with gzip, deflate or one of the {@link ContentCodings}, whichever the request prefers.
 *
 * <p>Responses that already have a {@code Content-Encoding}, ranges (206) and responses without content are left
 * unchanged. A response that is compressed, or could be for another request, gets {@code Vary: Accept-Encoding}. If the
 * content changes, a strong {@code ETag} becomes weak.
 */
public class HttpContentCompressor extends HttpContentEncoder {
    private final int compressionLevel;
    private final int windowBits;
    private final int memLevel;
    private final ContentCodings codings;

    /** Uses compression level 6. */
    public HttpContentCompressor() {
        this(6);
    }

    /** Uses level 6 for gzip and deflate, and adds other codings. */
    public HttpContentCompressor(ContentCodings codings) {
        this(6, 15, 8, codings);
    }

    /** @param compressionLevel 1 is fastest, 9 is smallest, 0 is no compression */
    public HttpContentCompressor(int compressionLevel) {
        this(compressionLevel, 15, 8);
    }

    /**
     * @param compressionLevel 1 is fastest, 9 is smallest, 0 is no compression
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

    /** {@code gzip}, {@code deflate}, an added coding, or null for none, according to the request's quality values. */
    @Override
    protected String getTargetContentEncoding(String acceptEncoding) throws Exception {
        return new AcceptedCodings(acceptEncoding).choose(codings.encodable());
    }
}
