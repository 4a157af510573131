package org.freshet.handler.codec.replay;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.handler.codec.Netty3;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.DecoderSplitChecker;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The input of a replaying decoder when the connection ends, compared with Netty 3. */
class ReplayingDecoderAtEndTest {
    private static final byte LF = '\n';

    /** The buffer of either library, as far as used by the decoders below. */
    private interface Received {
        String take(int length);

        char takeByte();

        int before(byte value);

        boolean isReadable();

        /** The number of bytes that have actually arrived. */
        int count();
    }

    /** A decoder for both libraries; an instance decodes one stream. */
    private interface Decoding {
        Object decode(Received in);

        default Object decodeLast(Received in) {
            return decode(in);
        }

        /** If false, the inherited {@code decodeLast} decodes the end. */
        default boolean hasDecodeLast() {
            return false;
        }
    }

    /** A message that lasts until the end of the connection, as in HTTP/1.0. */
    private static final class UntilTheEnd implements Decoding {
        private final StringBuilder body = new StringBuilder();

        @Override
        public Object decode(Received in) {
            int received = in.count();
            if (received > 0) {
                body.append(in.take(received));
                return null;
            }
            return "body of " + body;
        }
    }

    /** Each message is a byte; the end is a message, too. */
    private static final class EndMarker implements Decoding {
        @Override
        public Object decode(Received in) {
            return in.isReadable() ? in.takeByte() : "end";
        }
    }

    private static String line(Received in) {
        String line = in.take(in.before(LF));
        in.takeByte();
        return line;
    }

    private enum Kind {
        UNTIL_THE_END(UntilTheEnd::new),
        END_MARKER(EndMarker::new),
        LINES(() -> in -> line(in)),
        PAIRS(() -> in -> in.take(2)),
        LAST_PAIR(() -> new Decoding() {
            @Override
            public Object decode(Received in) {
                return in.take(2);
            }

            @Override
            public Object decodeLast(Received in) {
                return "last of " + in.count() + ": " + in.take(1);
            }

            @Override
            public boolean hasDecodeLast() {
                return true;
            }
        });

        private final Supplier<Decoding> decoding;

        Kind(Supplier<Decoding> decoding) {
            this.decoding = decoding;
        }
    }

    private static final class Ours extends ReplayingDecoder<VoidEnum> {
        private final Decoding decoding;

        Ours(Decoding decoding) {
            this.decoding = decoding;
        }

        @Override
        protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, VoidEnum state) {
            return decoding.decode(received(buffer));
        }

        @Override
        protected Object decodeLast(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, VoidEnum state)
                throws Exception {
            return decoding.hasDecodeLast()
                    ? decoding.decodeLast(received(buffer))
                    : super.decodeLast(ctx, channel, buffer, state);
        }

        private Received received(ChannelBuffer buffer) {
            return new Received() {
                @Override
                public String take(int length) {
                    return buffer.readBytes(length).toString(US_ASCII);
                }

                @Override
                public char takeByte() {
                    return (char) buffer.readByte();
                }

                @Override
                public int before(byte value) {
                    return buffer.bytesBefore(value);
                }

                @Override
                public boolean isReadable() {
                    return buffer.readable();
                }

                @Override
                public int count() {
                    return actualReadableBytes();
                }
            };
        }
    }

    private static final class Theirs
            extends org.jboss.netty.handler.codec.replay.ReplayingDecoder<
                    org.jboss.netty.handler.codec.replay.VoidEnum> {
        private final Decoding decoding;

        Theirs(Decoding decoding) {
            this.decoding = decoding;
        }

        @Override
        protected Object decode(
                org.jboss.netty.channel.ChannelHandlerContext ctx,
                org.jboss.netty.channel.Channel channel,
                org.jboss.netty.buffer.ChannelBuffer buffer,
                org.jboss.netty.handler.codec.replay.VoidEnum state) {
            return decoding.decode(received(buffer));
        }

        @Override
        protected Object decodeLast(
                org.jboss.netty.channel.ChannelHandlerContext ctx,
                org.jboss.netty.channel.Channel channel,
                org.jboss.netty.buffer.ChannelBuffer buffer,
                org.jboss.netty.handler.codec.replay.VoidEnum state)
                throws Exception {
            return decoding.hasDecodeLast()
                    ? decoding.decodeLast(received(buffer))
                    : super.decodeLast(ctx, channel, buffer, state);
        }

        private Received received(org.jboss.netty.buffer.ChannelBuffer buffer) {
            return new Received() {
                @Override
                public String take(int length) {
                    return buffer.readBytes(length).toString(US_ASCII);
                }

                @Override
                public char takeByte() {
                    return (char) buffer.readByte();
                }

                @Override
                public int before(byte value) {
                    return buffer.bytesBefore(value);
                }

                @Override
                public boolean isReadable() {
                    return buffer.readable();
                }

                @Override
                public int count() {
                    return actualReadableBytes();
                }
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldDecodeTheEndLikeNetty3(Kind kind) {
        Random random = Seeds.random();
        for (int i = 0; i < 500; i++) {
            byte[] input = new byte[random.nextInt(9)];
            for (int j = 0; j < input.length; j++) {
                input[j] = (byte) "abc\n".charAt(random.nextInt(4));
            }
            int[] cuts = Netty3.randomCuts(random, input.length, random.nextInt(4));
            assertEquals(
                    Netty3.theirs(new Theirs(kind.decoding.get()), input, cuts),
                    Netty3.ours(new Ours(kind.decoding.get()), input, cuts),
                    () -> new String(input, US_ASCII) + " cut at " + Arrays.toString(cuts));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldDecodeTheEndTheSameHoweverTheInputIsSplit(Kind kind) {
        DecoderSplitChecker.of(() -> new Ours(kind.decoding.get())).check("ab\nc\n\nabc".getBytes(US_ASCII));
    }

    @Test
    void shouldSendTheMessageThatTheEndCompletes() {
        assertEquals(
                List.of("body of abc"),
                Netty3.ours(new Ours(new UntilTheEnd()), "abc".getBytes(US_ASCII), 1)
                        .frames());
    }

    @ParameterizedTest
    @EnumSource
    void shouldDecodeTheSameWhenThePeerEndsItsOutputAndNothingMoreAtTheEndOfTheConnection(Kind kind) {
        byte[] input = "ab\nc\n\nabc".getBytes(US_ASCII);
        MemoryChannel channel = MemoryChannel.connected(new Ours(kind.decoding.get()));
        channel.receive(ChannelBuffers.wrappedBuffer(input));
        channel.getPipeline().sendUpstream(new InputShutdownEvent(channel));
        List<String> received =
                channel.takeReceived().stream().map(String::valueOf).toList();
        assertEquals(Netty3.ours(new Ours(kind.decoding.get()), input).frames(), received);
        channel.close();
        assertEquals(List.of(), channel.takeReceived());
    }

    /** Netty 3 replays forever, although a search that ends within the received bytes cannot find more later. */
    @Test
    void shouldReportThatABoundedSearchFoundNothing() {
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new ReplayingDecoder<VoidEnum>() {
            @Override
            protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, VoidEnum state) {
                int before = buffer.bytesBefore(3, LF);
                return before + buffer.readBytes(3).toString(US_ASCII);
            }
        });
        embedder.offer(ChannelBuffers.copiedBuffer("ab", US_ASCII));
        assertEquals(0, embedder.size(), "the third byte could be a match");
        embedder.offer(ChannelBuffers.copiedBuffer("cde", US_ASCII));
        assertEquals("-1abc", embedder.poll());
        embedder.finish();
        assertEquals(0, embedder.size(), "a message with three announced bytes is not complete");
    }
}
