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
 * Compresses the responses that {@link CompressionRules} select, and leaves others unchanged. A response that is
 * compressed for some requests gets {@code Vary: Accept-Encoding} for all of them, including responses to HEAD and 304.
 *
 * <pre>{@code
 * pipeline.addLast("codec", new HttpServerCodec());
 * pipeline.addLast("compressor", new SelectiveContentCompressor());
 * pipeline.addLast("files", new StaticFileHandler(StaticFiles.under(Path.of("/srv/www")).build()));
 * }</pre>
 *
 * <p>Don't compress responses that contain both a secret and text from someone else: their length reveals the secret.
 */
@SuppressWarnings("exports") // SelectsContent is shared by Freshet's packages only
public class SelectiveContentCompressor extends HttpContentCompressor implements SelectsContent {
    private final CompressionRules rules;

    /** Uses {@link CompressionRules#defaults()} and level 6. */
    public SelectiveContentCompressor() {
        this(CompressionRules.defaults());
    }

    public SelectiveContentCompressor(CompressionRules rules) {
        this.rules = Objects.requireNonNull(rules, "rules");
    }

    /** Adds codings to gzip and deflate, which use level 6. */
    public SelectiveContentCompressor(CompressionRules rules, ContentCodings codings) {
        super(codings);
        this.rules = Objects.requireNonNull(rules, "rules");
    }

    /** @param compressionLevel 1 is fastest, 9 is smallest, 0 is no compression */
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
            if (code == 304 || code == 200 && mayCompress(response)) { // a 304 needn't have a Content-Type
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
