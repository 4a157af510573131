package org.freshet.handler.codec.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/**
 * Content codings for {@link HttpContentCompressor} and {@link HttpContentDecompressor} in addition to gzip and
 * deflate, such as {@code br} and {@code zstd}. You bring their libraries. Immutable.
 *
 * <pre>{@code
 * ContentCodings codings = ContentCodings.defaults()
 *         .with(
 *                 "br",
 *                 () -> new EncoderEmbedder<>(new MyBrotliEncoder()),
 *                 () -> new DecoderEmbedder<>(new MyBrotliDecoder()));
 * pipeline.addLast("decompressor", new HttpContentDecompressor(HttpLimits.defaults(), codings));
 * pipeline.addLast("compressor", new HttpContentCompressor(codings));
 * }</pre>
 *
 * <p>An encoder may hold content back. While it returns nothing, the content it was given counts in the channel's
 * {@link org.freshet.channel.WriteAccount}. Set a {@code writeBufferLimit} larger than what the encoder holds: at the
 * limit, its next chunk meets {@link org.freshet.channel.WriteOverflow}, and BLOCK would wait until the channel is
 * closed.
 *
 * <p>The handlers call a supplier once per message, on the thread that receives or writes it. The output that a decoder
 * makes from one chunk is collected before it is counted against {@link HttpLimits#maxInflatedBytes()}, so a decoder
 * must bound it itself.
 */
public final class ContentCodings {
    private static final Set<String> BUILT_IN = Set.of("gzip", "x-gzip", "deflate", "x-deflate", "identity", "*");

    private static final ContentCodings STANDARD = new ContentCodings(Collections.emptyMap());

    /** Null for a direction that is not supported. */
    private record Coding(
            Supplier<EncoderEmbedder<ChannelBuffer>> encoder, Supplier<DecoderEmbedder<ChannelBuffer>> decoder) {}

    /** By name in lower case, most preferred first. */
    private final Map<String, Coding> added;

    /** Names of the codings that can be encoded, most preferred first. */
    private final List<String> encodable;

    private ContentCodings(Map<String, Coding> added) {
        this.added = added;
        List<String> names = new ArrayList<>();
        added.forEach((name, coding) -> {
            if (coding.encoder() != null) {
                names.add(name);
            }
        });
        encodable = Collections.unmodifiableList(names);
    }

    /** Only gzip and deflate. */
    public static ContentCodings defaults() {
        return STANDARD;
    }

    /**
     * Adds a coding to these. If a client accepts several equally, the new coding is preferred to gzip and deflate, but
     * not to those added before it. It is used only for clients that name it, not for those that accept {@code *}.
     *
     * @param name as in {@code Content-Encoding}; not case-sensitive
     * @param encoder creates an encoder for one response; null if this coding is not used for responses
     * @param decoder creates a decoder for one message; null if this coding is not decoded
     * @throws IllegalArgumentException if the name is not a token, or the coding is already known
     */
    public ContentCodings with(
            String name,
            Supplier<EncoderEmbedder<ChannelBuffer>> encoder,
            Supplier<DecoderEmbedder<ChannelBuffer>> decoder) {
        String lower = HeaderSyntax.checkToken("a content coding", Objects.requireNonNull(name, "name"))
                .toLowerCase(Locale.ROOT);
        if (BUILT_IN.contains(lower) || added.containsKey(lower)) {
            throw new IllegalArgumentException("this content coding is already known: " + name);
        }
        Map<String, Coding> extended = new LinkedHashMap<>(added);
        extended.put(lower, new Coding(encoder, decoder));
        return new ContentCodings(extended);
    }

    List<String> encodable() {
        return encodable;
    }

    /** Null if the coding was not added, or is not encoded. */
    EncoderEmbedder<ChannelBuffer> newEncoder(String name) {
        Coding coding = added.get(name);
        return coding == null || coding.encoder() == null
                ? null
                : coding.encoder().get();
    }

    /** Null if the coding was not added, or is not decoded. */
    DecoderEmbedder<ChannelBuffer> newDecoder(String name) {
        Coding coding = added.isEmpty() ? null : added.get(name.toLowerCase(Locale.ROOT));
        return coding == null || coding.decoder() == null
                ? null
                : coding.decoder().get();
    }
}
