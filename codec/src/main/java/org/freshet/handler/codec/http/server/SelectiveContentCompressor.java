package org.freshet.handler.codec.http.server;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.handler.codec.http.ContentCodings;
import org.freshet.handler.codec.http.HttpContentCompressor;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.server.internal.SelectsContent;

/**
 * Compresses the responses that {@link CompressionRules} select, and leaves the others as they are. What is compressed for
 * some requests says {@code Vary: Accept-Encoding} to all, also as the answer to HEAD and as 304.
 *
 * <pre>{@code
 * pipeline.addLast("codec", new HttpServerCodec());
 * pipeline.addLast("compressor", new SelectiveContentCompressor());
 * pipeline.addLast("files", new StaticFileHandler(StaticFiles.under(Path.of("/srv/www")).build()));
 * }</pre>
 *
 * <p>Do not compress what holds both a secret and text of somebody else's: its length tells about the secret.
 */
@SuppressWarnings("exports") // SelectsContent is between Freshet's packages
public class SelectiveContentCompressor extends HttpContentCompressor implements SelectsContent {
    private final CompressionRules rules;

    /** {@link CompressionRules#defaults()}, at level 6. */
    public SelectiveContentCompressor() {
        this(CompressionRules.defaults());
    }

    public SelectiveContentCompressor(CompressionRules rules) {
        this.rules = Objects.requireNonNull(rules, "rules");
    }

    /** With more codings than gzip and deflate, those at level 6. */
    public SelectiveContentCompressor(CompressionRules rules, ContentCodings codings) {
        super(codings);
        this.rules = Objects.requireNonNull(rules, "rules");
    }

    /** @param compressionLevel 1 is fastest, 9 is smallest, 0 does not compress */
    public SelectiveContentCompressor(CompressionRules rules, int compressionLevel) {
        super(compressionLevel);
        this.rules = Objects.requireNonNull(rules, "rules");
    }

    @Override
    protected EncoderEmbedder<ChannelBuffer> newContentEncoder(HttpMessage msg, String acceptEncoding)
            throws Exception {
        return rules.apply(msg) ? super.newContentEncoder(msg, acceptEncoding) : null;
    }

    @Override
    public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        if (e.getMessage() instanceof HttpResponse response && isWithoutContent(response)) {
            int code = response.getStatus().getCode();
            if (code == 304 || code == 200 && mayCompress(response)) { // a 304 need not state its type
                Vary.add(response.headers(), Names.ACCEPT_ENCODING);
            }
        }
        super.writeRequested(ctx, e);
    }

    private static boolean isWithoutContent(HttpResponse response) {
        return !response.isChunked() && !response.getContent().readable();
    }

    /** Whether the response would be compressed for some request. */
    @Override
    public final boolean mayCompress(HttpResponse response) {
        boolean excluded =
                response.getStatus().getCode() == 206 || response.headers().contains(Names.CONTENT_ENCODING);
        return !excluded && rules.apply(response);
    }
}
