package org.freshet.handler.codec.replay;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.Netty3;
import org.freshet.handler.codec.embedder.DecoderSplitChecker;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

/** Random streams, split at random, through the same replaying decoder on Freshet and on Netty 3. */
class ReplayingDecoderDifferentialTest {
    private static final byte NUMBER = 1;
    private static final byte TEXT = 2;
    private static final byte BLOCK = 3;
    private static final byte LIST = 4;

    /** The next element to read. */
    private enum Part {
        KIND,
        NUMBER,
        TEXT,
        BLOCK,
        LIST
    }

    /**
     * Numbers, text up to a NUL, blocks with a length, lists with a checkpoint per element; one class for both
     * libraries.
     */
    private static final class Ours extends ReplayingDecoder<Part> {
        private int elementsLeft;
        private long sum;

        Ours() {
            super(Part.KIND);
        }

        @Override
        protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, Part part) {
            switch (part) {
                case KIND:
                    checkpoint(Part.values()[buffer.readByte()]);
                    return null;
                case NUMBER:
                    return done(buffer.readUnsignedMedium() + "/" + buffer.readLong() + "/" + buffer.readShort());
                case TEXT:
                    String text = buffer.readBytes(buffer.bytesBefore((byte) 0)).toString(US_ASCII);
                    buffer.skipBytes(1);
                    return done(text);
                case BLOCK:
                    int length = buffer.getUnsignedShort(buffer.readerIndex());
                    buffer.skipBytes(2);
                    byte[] block = new byte[length];
                    buffer.readBytes(block);
                    return done(HexFormat.of().formatHex(block));
                default:
                    if (elementsLeft == 0) {
                        elementsLeft = buffer.readByte();
                        sum = 0;
                        checkpoint();
                    }
                    for (; elementsLeft > 0; checkpoint()) {
                        int element = buffer.readInt();
                        sum += element;
                        elementsLeft--;
                    }
                    return done("sum " + sum);
            }
        }

        private String done(String message) {
            checkpoint(Part.KIND);
            return message;
        }
    }

    private static final class Theirs extends org.jboss.netty.handler.codec.replay.ReplayingDecoder<Part> {
        private int elementsLeft;
        private long sum;

        Theirs() {
            super(Part.KIND);
        }

        @Override
        protected Object decode(
                org.jboss.netty.channel.ChannelHandlerContext ctx,
                org.jboss.netty.channel.Channel channel,
                org.jboss.netty.buffer.ChannelBuffer buffer,
                Part part) {
            switch (part) {
                case KIND:
                    checkpoint(Part.values()[buffer.readByte()]);
                    return null;
                case NUMBER:
                    return done(buffer.readUnsignedMedium() + "/" + buffer.readLong() + "/" + buffer.readShort());
                case TEXT:
                    String text = buffer.readBytes(buffer.bytesBefore((byte) 0)).toString(US_ASCII);
                    buffer.skipBytes(1);
                    return done(text);
                case BLOCK:
                    int length = buffer.getUnsignedShort(buffer.readerIndex());
                    buffer.skipBytes(2);
                    byte[] block = new byte[length];
                    buffer.readBytes(block);
                    return done(HexFormat.of().formatHex(block));
                default:
                    if (elementsLeft == 0) {
                        elementsLeft = buffer.readByte();
                        sum = 0;
                        checkpoint();
                    }
                    for (; elementsLeft > 0; checkpoint()) {
                        int element = buffer.readInt();
                        sum += element;
                        elementsLeft--;
                    }
                    return done("sum " + sum);
            }
        }

        private String done(String message) {
            checkpoint(Part.KIND);
            return message;
        }
    }

    private static byte[] stream(Random random, int messages) {
        ChannelBuffer stream = ChannelBuffers.dynamicBuffer();
        for (int i = 0; i < messages; i++) {
            byte kind = (byte) (1 + random.nextInt(4));
            stream.writeByte(kind);
            switch (kind) {
                case NUMBER -> {
                    stream.writeMedium(random.nextInt());
                    stream.writeLong(random.nextLong());
                    stream.writeShort(random.nextInt());
                }
                case TEXT -> {
                    stream.writeBytes("x".repeat(random.nextInt(20)).getBytes(US_ASCII));
                    stream.writeByte(0);
                }
                case BLOCK -> {
                    byte[] block = new byte[random.nextInt(30)];
                    random.nextBytes(block);
                    stream.writeShort(block.length);
                    stream.writeBytes(block);
                }
                case LIST -> {
                    int elements = 1 + random.nextInt(6);
                    stream.writeByte(elements);
                    for (int element = 0; element < elements; element++) {
                        stream.writeInt(random.nextInt());
                    }
                }
                default -> throw new AssertionError(kind);
            }
        }
        byte[] bytes = new byte[stream.readableBytes()];
        stream.readBytes(bytes);
        return bytes;
    }

    @Test
    void shouldDecodeLikeNetty3() {
        Random random = Seeds.random();
        for (int i = 0; i < 2000; i++) {
            byte[] whole = stream(random, 1 + random.nextInt(8));
            byte[] input = random.nextBoolean() ? whole : Arrays.copyOf(whole, random.nextInt(whole.length));
            int[] cuts = Netty3.randomCuts(random, input.length, random.nextInt(12));
            assertEquals(
                    Netty3.theirs(new Theirs(), input, cuts).frames(),
                    Netty3.ours(new Ours(), input, cuts).frames(),
                    () -> HexFormat.of().formatHex(input) + " cut at " + Arrays.toString(cuts));
        }
    }

    @Test
    void shouldDecodeTheSameHoweverTheInputIsSplit() {
        Random random = Seeds.random();
        for (int i = 0; i < 10; i++) {
            DecoderSplitChecker.of(Ours::new).check(stream(random, 3));
        }
    }
}
