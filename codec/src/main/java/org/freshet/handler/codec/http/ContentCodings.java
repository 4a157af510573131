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
 * Content codings that {@link HttpContentCompressor} and {@link HttpContentDecompressor} know beside gzip and deflate, such as
 * {@code br} and {@code zstd}, whose libraries are the user's. Immutable.
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
 * <p>An encoder may hold content back; while it returns nothing, what it was offered counts in the channel's {@link
 * org.freshet.channel.WriteAccount}. A {@code writeBufferLimit} must be larger than what it holds: at the limit, its next chunk meets {@link
 * org.freshet.channel.WriteOverflow}, and BLOCK would wait until the channel is closed.
 *
 * <p>The handlers call a supplier once a message, on the thread that receives or writes it. What a decoder makes of one chunk is
 * collected before it is counted against {@link HttpLimits#maxInflatedBytes()}: a decoder has to limit it by itself.
 */
public final class ContentCodings {
    private static final Set<String> BUILT_IN = Set.of("gzip", "x-gzip", "deflate", "x-deflate", "identity", "*");

    private static final ContentCodings STANDARD = new ContentCodings(Collections.emptyMap());

    /** Null where one direction is not known. */
    private record Coding(
            Supplier<EncoderEmbedder<ChannelBuffer>> encoder, Supplier<DecoderEmbedder<ChannelBuffer>> decoder) {}

    /** By name in lower case, most preferred first. */
    private final Map<String, Coding> added;

    /** Names of those that can be encoded, most preferred first. */
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

    /** gzip and deflate alone. */
    public static ContentCodings defaults() {
        return STANDARD;
    }

    /**
     * These codings and another one, which is preferred to gzip and deflate, but not to those that were added before, where a
     * client likes them equally. It is used for clients that name it, not for those that accept {@code *}.
     *
     * @param name as {@code Content-Encoding} states it; its case does not matter
     * @param encoder makes an encoder of one response; null if responses are not encoded so
     * @param decoder makes a decoder of one message; null if messages are not decoded so
     * @throws IllegalArgumentException if the name is no token, or stands for a coding that is known already
     */
    public ContentCodings with(
            String name,
            Supplier<EncoderEmbedder<ChannelBuffer>> encoder,
            Supplier<DecoderEmbedder<ChannelBuffer>> decoder) {
        String lower = HeaderSyntax.checkToken("a content coding", Objects.requireNonNull(name, "name"))
                .toLowerCase(Locale.ROOT);
        if (BUILT_IN.contains(lower) || added.containsKey(lower)) {
            throw new IllegalArgumentException("this content coding is known already: " + name);
        }
        Map<String, Coding> extended = new LinkedHashMap<>(added);
        extended.put(lower, new Coding(encoder, decoder));
        return new ContentCodings(extended);
    }

    List<String> encodable() {
        return encodable;
    }

    /** Null if it is not one of those that were added, or is not encoded. */
    EncoderEmbedder<ChannelBuffer> newEncoder(String name) {
        Coding coding = added.get(name);
        return coding == null || coding.encoder() == null
                ? null
                : coding.encoder().get();
    }

    /** Null if it is not one of those that were added, or is not decoded. */
    DecoderEmbedder<ChannelBuffer> newDecoder(String name) {
        Coding coding = added.isEmpty() ? null : added.get(name.toLowerCase(Locale.ROOT));
        return coding == null || coding.decoder() == null
                ? null
                : coding.decoder().get();
    }
}
