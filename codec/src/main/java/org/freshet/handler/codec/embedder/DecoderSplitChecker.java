package org.freshet.handler.codec.embedder;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelUpstreamHandler;

/**
 * Proves that a decoder gives the same results however the network cuts its input. It decodes the input as a whole,
 * then cut in two at every place, in three at every pair of places, and byte by byte. Every run must give the same
 * products and the same failures in the same order, including those on closing.
 *
 * <pre>{@code
 * DecoderSplitChecker.of(() -> new LineBasedFrameDecoder(80)).check("one\r\n\ntwo\nrest".getBytes(US_ASCII));
 * }</pre>
 *
 * <p>Buffers are compared by content, failures by class and message, arrays and lists by element, and other products
 * with {@code equals}; use {@link #comparing} for those that have no suitable {@code equals}. The work grows with the
 * cube of the input's length: 200 bytes take 20,000 runs of the decoder. Immutable; any thread may use it if the
 * supplier is thread-safe.
 */
public final class DecoderSplitChecker {
    private final Supplier<ChannelUpstreamHandler[]> decoders;
    private final Function<Object, Object> view;
    private final boolean joinBuffers;

    private DecoderSplitChecker(
            Supplier<ChannelUpstreamHandler[]> decoders, Function<Object, Object> view, boolean joinBuffers) {
        this.decoders = decoders;
        this.view = view;
        this.joinBuffers = joinBuffers;
    }

    /** @param decoder makes a new decoder for each run */
    public static DecoderSplitChecker of(Supplier<? extends ChannelUpstreamHandler> decoder) {
        Objects.requireNonNull(decoder, "decoder");
        return ofPipeline(() -> new ChannelUpstreamHandler[] {decoder.get()});
    }

    /** @param decoders makes the handlers of a pipeline, in order, new for each run */
    public static DecoderSplitChecker ofPipeline(Supplier<ChannelUpstreamHandler[]> decoders) {
        Objects.requireNonNull(decoders, "decoders");
        return new DecoderSplitChecker(decoders, Function.identity(), false);
    }

    /**
     * Returns the same check with a view applied to each product (but not to failures). The view needs {@code equals}
     * and a useful {@code toString}.
     */
    public DecoderSplitChecker comparing(Function<Object, Object> view) {
        Objects.requireNonNull(view, "view");
        return new DecoderSplitChecker(decoders, view, joinBuffers);
    }

    /**
     * Returns the same check for decoders whose output is a stream too, such as an inflater: adjacent buffers are
     * compared as one.
     */
    public DecoderSplitChecker joiningBuffers() {
        return new DecoderSplitChecker(decoders, view, true);
    }

    /**
     * Decodes the input with all cuts.
     *
     * @throws AssertionError with the first cut whose output differs from that of the whole input, and both outputs
     */
    public void check(byte[] input) {
        Optional<String> difference = firstDifference(input);
        if (difference.isPresent()) {
            throw new AssertionError(difference.get());
        }
    }

    /** Does the same as {@link #check}, but returns the report; empty if there is no difference. */
    public Optional<String> firstDifference(byte[] input) {
        List<Object> expected = decode(input, input.length);
        int[] cuts = firstCuts(input.length);
        while (cuts != null) {
            List<Object> actual = decode(input, cuts);
            if (!actual.equals(expected)) {
                return Optional.of(report(input.length, cuts, expected, actual));
            }
            cuts = nextCuts(cuts, input.length);
        }
        return Optional.empty();
    }

    // ---- cuts: the ends of the pieces, including the last one ----

    private static int[] firstCuts(int length) {
        return length < 2 ? null : new int[] {1, length};
    }

    private static int[] nextCuts(int[] cuts, int length) {
        if (cuts.length == 2) {
            return cuts[0] + 1 < length ? new int[] {cuts[0] + 1, length} : firstPair(length);
        }
        if (cuts.length > 3 || length == 3) {
            return null; // byte by byte comes last
        }
        if (cuts[1] + 1 < length) {
            return new int[] {cuts[0], cuts[1] + 1, length};
        }
        if (cuts[0] + 2 < length) {
            return new int[] {cuts[0] + 1, cuts[0] + 2, length};
        }
        return byteByByte(length);
    }

    private static int[] firstPair(int length) {
        return length < 3 ? null : new int[] {1, 2, length};
    }

    private static int[] byteByByte(int length) {
        int[] cuts = new int[length];
        Arrays.setAll(cuts, i -> i + 1);
        return cuts;
    }

    // ---- one run ----

    private List<Object> decode(byte[] input, int... cuts) {
        Recorder recorder = new Recorder(decoders.get());
        int start = 0;
        for (int end : cuts) {
            if (recorder.getChannel().isOpen()) {
                recorder.receive(Arrays.copyOfRange(input, start, end));
            }
            start = end;
        }
        recorder.end();
        return joinBuffers ? joined(recorder.outcomes) : recorder.outcomes;
    }

    private final class Recorder extends DecoderEmbedder<Object> {
        /** Texts and values to compare. */
        private List<Object> outcomes;

        Recorder(ChannelUpstreamHandler[] handlers) {
            super(handlers);
        }

        void receive(byte[] piece) {
            try {
                offer(ChannelBuffers.wrappedBuffer(piece));
            } catch (CodecEmbedderException e) {
                assert !outcomes.isEmpty() : "recorded by onFailure";
            }
        }

        void end() {
            try {
                finish();
            } catch (CodecEmbedderException e) {
                assert !outcomes.isEmpty() : "recorded by onFailure";
            }
            if (outcomes == null) {
                outcomes = List.of();
            }
        }

        @Override
        void onProduct(Object product) {
            record(comparable(view.apply(product)));
        }

        @Override
        void onFailure(Throwable failure) {
            super.onFailure(failure);
            record(new Failure(failure.toString()));
        }

        private void record(Object outcome) {
            if (outcomes == null) { // the superclass's constructor may already fire events
                outcomes = new ArrayList<>();
            }
            outcomes.add(outcome);
        }
    }

    private record Bytes(String hex) {
        @Override
        public String toString() {
            return "0x" + hex;
        }
    }

    private record Failure(String text) {
        @Override
        public String toString() {
            return text;
        }
    }

    private static Object comparable(Object product) {
        if (product instanceof ChannelBuffer buffer) {
            return new Bytes(ChannelBuffers.hexDump(buffer));
        }
        if (product instanceof List<?> list) {
            return list.stream().map(DecoderSplitChecker::comparable).toList();
        }
        if (product instanceof Object[] array) {
            return comparable(Arrays.asList(array));
        }
        return product != null && product.getClass().isArray() ? primitives(product) : product;
    }

    private static Object primitives(Object array) {
        String text = Arrays.deepToString(new Object[] {array});
        return text.substring(1, text.length() - 1);
    }

    private static List<Object> joined(List<Object> outcomes) {
        List<Object> joined = new ArrayList<>();
        for (Object outcome : outcomes) {
            int last = joined.size() - 1;
            if (outcome instanceof Bytes bytes && last >= 0 && joined.get(last) instanceof Bytes before) {
                joined.set(last, new Bytes(before.hex() + bytes.hex()));
            } else {
                joined.add(outcome);
            }
        }
        return joined;
    }

    // ---- the report ----

    private static String report(int length, int[] cuts, List<Object> expected, List<Object> actual) {
        int same = 0;
        while (same < Math.min(expected.size(), actual.size())
                && expected.get(same).equals(actual.get(same))) {
            same++;
        }
        String how = cuts.length == length
                ? "fed byte by byte"
                : "cut before byte " + Arrays.toString(Arrays.copyOf(cuts, cuts.length - 1));
        return length + " bytes " + how + " decode differently, starting at outcome " + same + ":\n  whole: "
                + outcome(expected, same) + "\n  cut:   " + outcome(actual, same) + "\nall outcomes\n  whole: "
                + expected + "\n  cut:   " + actual;
    }

    private static Object outcome(List<Object> outcomes, int index) {
        return index < outcomes.size() ? outcomes.get(index) : "nothing";
    }
}
