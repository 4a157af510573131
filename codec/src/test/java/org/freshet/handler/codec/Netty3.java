package org.freshet.handler.codec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;

/**
 * Runs the same bytes through a Freshet decoder and a Netty 3 decoder. Netty 3 reports failures earlier or later
 * relative to the frames around them, so frames and failures are compared separately.
 */
public final class Netty3 {
    private Netty3() {}

    /** The outcome: frames in order, in hexadecimal or as text, and how often each kind of failure occurred. */
    public record Outcome(List<String> frames, TreeMap<String, Integer> failures) {
        Outcome() {
            this(new ArrayList<>(), new TreeMap<>());
        }

        /**
         * The part of this outcome that a Netty 3 decoder can produce: after a corrupt frame it continues only with the
         * next read.
         */
        public Outcome upTo(Outcome theirs) {
            Outcome part = new Outcome();
            part.frames.addAll(frames.subList(0, Math.min(frames.size(), theirs.frames.size())));
            theirs.failures.forEach(
                    (kind, count) -> part.failures.put(kind, Math.min(count, failures.getOrDefault(kind, 0))));
            return part;
        }

        void failed(Throwable cause) {
            failures.merge(cause.getClass().getSimpleName(), 1, Integer::sum);
        }
    }

    public static Outcome ours(org.freshet.channel.ChannelUpstreamHandler decoder, byte[] input, int... cuts) {
        Outcome outcome = new Outcome();
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(decoder);
        for (byte[] piece : pieces(input, cuts)) {
            attempt(outcome, () -> embedder.offer(org.freshet.buffer.ChannelBuffers.wrappedBuffer(piece)));
        }
        attempt(outcome, embedder::finish);
        for (Object product : embedder.pollAll()) {
            outcome.frames.add(
                    product instanceof org.freshet.buffer.ChannelBuffer buffer
                            ? org.freshet.buffer.ChannelBuffers.hexDump(buffer)
                            : String.valueOf(product));
        }
        return outcome;
    }

    private static void attempt(Outcome outcome, Runnable action) {
        try {
            action.run();
        } catch (CodecEmbedderException e) {
            outcome.failed(e.getCause());
            Arrays.stream(e.getSuppressed()).forEach(outcome::failed);
        }
    }

    public static Outcome theirs(org.jboss.netty.channel.ChannelUpstreamHandler decoder, byte[] input, int... cuts) {
        Outcome outcome = new Outcome();
        org.jboss.netty.handler.codec.embedder.DecoderEmbedder<Object> embedder =
                new org.jboss.netty.handler.codec.embedder.DecoderEmbedder<>(decoder, new TheirCollector(outcome));
        for (byte[] piece : pieces(input, cuts)) {
            attemptTheirs(outcome, () -> embedder.offer(org.jboss.netty.buffer.ChannelBuffers.wrappedBuffer(piece)));
        }
        attemptTheirs(outcome, embedder::finish);
        return outcome;
    }

    /** Netty 3's embedder throws in the middle of an event, which does not happen to decoders on a real channel. */
    private static final class TheirCollector extends org.jboss.netty.channel.SimpleChannelUpstreamHandler {
        private final Outcome outcome;

        TheirCollector(Outcome outcome) {
            this.outcome = outcome;
        }

        @Override
        public void messageReceived(
                org.jboss.netty.channel.ChannelHandlerContext ctx, org.jboss.netty.channel.MessageEvent e) {
            Object product = e.getMessage();
            outcome.frames.add(
                    product instanceof org.jboss.netty.buffer.ChannelBuffer buffer
                            ? org.jboss.netty.buffer.ChannelBuffers.hexDump(buffer)
                            : String.valueOf(product));
        }

        @Override
        public void exceptionCaught(
                org.jboss.netty.channel.ChannelHandlerContext ctx, org.jboss.netty.channel.ExceptionEvent e) {
            outcome.failed(e.getCause());
        }
    }

    private static void attemptTheirs(Outcome outcome, Runnable action) {
        try {
            action.run();
        } catch (org.jboss.netty.handler.codec.embedder.CodecEmbedderException e) {
            outcome.failed(e.getCause());
        }
    }

    private static List<byte[]> pieces(byte[] input, int... cuts) {
        List<byte[]> pieces = new ArrayList<>();
        int start = 0;
        for (int cut : cuts) {
            pieces.add(Arrays.copyOfRange(input, start, cut));
            start = cut;
        }
        pieces.add(Arrays.copyOfRange(input, start, input.length));
        return pieces;
    }

    /** Up to {@code count} split positions, in order, for {@link #ours} and {@link #theirs}. */
    public static int[] randomCuts(java.util.Random random, int length, int count) {
        return random.ints(count, 0, length + 1).sorted().distinct().toArray();
    }
}
