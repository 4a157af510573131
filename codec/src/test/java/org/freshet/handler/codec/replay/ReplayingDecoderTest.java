package org.freshet.handler.codec.replay;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferIndexFinder;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.DecoderSplitChecker;
import org.junit.jupiter.api.Test;

class ReplayingDecoderTest {
    private enum State {
        LENGTH,
        BODY
    }

    /** A 4-byte length and a body. Counts its calls. */
    private static final class Messages extends ReplayingDecoder<State> {
        int calls;
        private int length;

        Messages() {
            super(State.LENGTH);
        }

        @Override
        protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, State state) {
            calls++;
            if (state == State.LENGTH) {
                length = buffer.readInt();
                checkpoint(State.BODY);
            }
            ChannelBuffer body = buffer.readBytes(length);
            checkpoint(State.LENGTH);
            return body.toString(US_ASCII);
        }
    }

    /** A decoder without states, created from a function. */
    private static class Simple extends ReplayingDecoder<VoidEnum> {
        private final Function<ChannelBuffer, Object> decode;

        Simple(Function<ChannelBuffer, Object> decode) {
            this.decode = decode;
        }

        @Override
        protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, VoidEnum state) {
            return decode.apply(buffer);
        }
    }

    private static ChannelBuffer bytes(String text) {
        return ChannelBuffers.copiedBuffer(text, US_ASCII);
    }

    private static byte[] messages() {
        return "\0\0\0\5hello\0\0\0\0\0\0\0\3bye\0\0".getBytes(US_ASCII);
    }

    @Test
    void shouldDecodeTheSameHoweverTheInputIsSplit() {
        DecoderSplitChecker.of(Messages::new).check(messages());
        DecoderEmbedder<String> embedder = new DecoderEmbedder<>(new Messages());
        embedder.offer(ChannelBuffers.wrappedBuffer(messages()));
        assertEquals(List.of("hello", "", "bye"), List.of(embedder.pollAll()));
        assertEquals(2, embedder.undecodedBytes());
    }

    @Test
    void shouldNotReplayBeforeTheBytesHaveArrived() {
        Messages decoder = new Messages();
        DecoderEmbedder<String> embedder = new DecoderEmbedder<>(decoder);
        ChannelBuffer message = ChannelBuffers.buffer(1004);
        message.writeInt(1000);
        message.writeZero(1000);
        while (message.readable()) {
            embedder.offer(message.readBytes(1));
        }
        assertEquals(1, embedder.size());
        assertEquals(3, decoder.calls, "one without the length, one without the body, one with everything");
    }

    /** Lines, searched in the received bytes themselves, each after a mark. Counts its calls. */
    private static final class MarkedLines extends ReplayingDecoder<State> {
        int calls;

        @Override
        protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, State state) {
            calls++;
            buffer.skipBytes(1); // stays unread if there is no line
            ChannelBuffer received = internalBuffer();
            int length = received.bytesBefore((byte) '\n');
            if (length < 0) {
                return replayWhenMoreArrives();
            }
            String line = buffer.toString(buffer.readerIndex(), length, US_ASCII);
            buffer.skipBytes(length + 1);
            return line;
        }
    }

    @Test
    void shouldReplayWithoutASignalWhenTheDecoderDetectsMissingBytes() {
        DecoderSplitChecker.of(MarkedLines::new).check("#one\n#\n#three\n#fo".getBytes(US_ASCII));
        MarkedLines decoder = new MarkedLines();
        DecoderEmbedder<String> embedder = new DecoderEmbedder<>(decoder);
        embedder.offer(bytes("#li"));
        embedder.offer(bytes("n"));
        assertEquals(2, decoder.calls);
        embedder.offer(bytes("e\n"));
        assertEquals("line", embedder.poll());
        assertEquals(3, decoder.calls);
    }

    @Test
    void shouldReplayFromTheCheckpoint() {
        List<Integer> reads = new ArrayList<>();
        ReplayingDecoder<VoidEnum> decoder = new ReplayingDecoder<>() {
            private int pairs;

            @Override
            protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, VoidEnum state) {
                assertNull(state);
                while (pairs < 3) {
                    reads.add((int) buffer.readByte());
                    reads.add((int) buffer.readByte());
                    pairs++;
                    checkpoint();
                }
                return reads.toString();
            }
        };
        DecoderEmbedder<String> embedder = new DecoderEmbedder<>(decoder);
        for (int i = 1; i <= 6; i++) {
            embedder.offer(ChannelBuffers.wrappedBuffer(new byte[] {(byte) i}));
        }
        assertEquals("[1, 1, 2, 3, 3, 4, 5, 5, 6]", embedder.poll());
    }

    @Test
    void shouldUseOneSignalWithoutAStackTrace() {
        List<Throwable> caught = new ArrayList<>();
        Simple decoder = new Simple(buffer -> {
            try {
                return buffer.readInt();
            } catch (Throwable t) {
                caught.add(t);
                throw t;
            }
        });
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(decoder);
        embedder.offer(bytes("a"));
        embedder.finish();
        assertEquals(3, caught.size(), "on the read, and in decode and decodeLast at the end");
        assertSame(caught.get(0), caught.get(1));
        assertEquals(0, caught.get(0).getStackTrace().length);
        assertFalse(caught.get(0) instanceof Exception, "catching exceptions must not stop it");
    }

    @Test
    void shouldLetTheStateChangeWithoutReading() {
        List<String> calls = new ArrayList<>();
        ReplayingDecoder<State> decoder = new ReplayingDecoder<>(State.LENGTH) {
            @Override
            protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, State state) {
                calls.add(state + " " + actualReadableBytes());
                if (state == State.LENGTH) {
                    setState(State.BODY);
                    return calls.size() == 1 ? "began" : null;
                }
                assertEquals(State.BODY, setState(State.LENGTH));
                return buffer.readBytes(2).toString(US_ASCII);
            }
        };
        DecoderEmbedder<String> embedder = new DecoderEmbedder<>(decoder);
        embedder.offer(bytes("abcd"));
        assertEquals(List.of("began", "ab", "cd"), List.of(embedder.pollAll()));
        assertEquals(List.of("LENGTH 4", "BODY 4", "LENGTH 2", "BODY 2"), calls);
    }

    @Test
    void shouldRefuseToMakeNoProgress() {
        for (Object result : new Object[] {null, "again"}) {
            DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new Simple(buffer -> result));
            CodecEmbedderException e = assertThrows(CodecEmbedderException.class, () -> embedder.offer(bytes("a")));
            assertEquals(IllegalStateException.class, e.getCause().getClass());
        }
    }

    @Test
    void shouldHandOverWhenItRemovesItselfWithoutReading() {
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(new ReplayingDecoder<VoidEnum>() {
            @Override
            protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, VoidEnum state) {
                ctx.getPipeline().remove(this);
                return null;
            }
        });
        embedder.offer(bytes("abc"));
        assertEquals("abc", embedder.poll().toString(US_ASCII));
    }

    @Test
    void shouldReportTheEndOfTheBytesOnlyAtTheEnd() {
        List<String> seen = new ArrayList<>();
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(
                new Simple(buffer -> {
                    seen.add(buffer.readable() + " " + buffer.readableBytes() + " " + buffer.writerIndex() + " "
                            + buffer.capacity());
                    return buffer.readInt();
                }) {
                    @Override
                    protected Object decodeLast(
                            ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, VoidEnum state) {
                        seen.add("last " + buffer.readable() + " " + buffer.readableBytes());
                        return buffer.copy().toString(US_ASCII) + buffer.toString(US_ASCII);
                    }
                });
        embedder.offer(bytes("abcdef"));
        embedder.finish();
        assertEquals("true 2147483647 2147483647 2147483647", seen.get(0));
        assertEquals("last true 2", seen.get(seen.size() - 1));
        assertEquals(0x61626364, embedder.poll());
        assertEquals("efef", embedder.poll());
    }

    @Test
    void shouldDecodeAnEmptyEndOnceIfAnythingWasReceived() {
        for (String input : List.of("", "abcd", "abc")) {
            int[] lasts = new int[1];
            DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new Simple(ChannelBuffer::readInt) {
                @Override
                protected Object decodeLast(
                        ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, VoidEnum state) {
                    lasts[0]++;
                    return null;
                }
            });
            embedder.offer(bytes(input));
            embedder.finish();
            assertEquals(input.isEmpty() ? 0 : 1, lasts[0], "input " + input);
        }
    }

    @Test
    void shouldFindBytesThatHaveArrivedAndReplayForOthers() {
        DecoderSplitChecker.of(() -> new Simple(buffer -> {
                    String line =
                            buffer.readBytes(buffer.bytesBefore((byte) '\n')).toString(US_ASCII);
                    buffer.skipBytes(1);
                    return line;
                }))
                .check("one\ntwo\n\nthree".getBytes(US_ASCII));
        List<Function<ChannelBuffer, Object>> searches = List.of(
                buffer -> buffer.bytesBefore(ChannelBufferIndexFinder.LF),
                buffer -> buffer.bytesBefore(5, (byte) '\n'),
                buffer -> buffer.bytesBefore(5, ChannelBufferIndexFinder.LF),
                buffer -> buffer.bytesBefore(0, 5, (byte) '\n'),
                buffer -> buffer.indexOf(0, Integer.MAX_VALUE, (byte) '\n'),
                buffer -> buffer.indexOf(4, 0, (byte) '\n'),
                buffer -> buffer.indexOf(4, 0, ChannelBufferIndexFinder.LF));
        for (Function<ChannelBuffer, Object> search : searches) {
            DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new Simple(buffer -> {
                Object found = search.apply(buffer);
                buffer.skipBytes(5);
                return found;
            }));
            embedder.offer(bytes("abc"));
            assertEquals(0, embedder.size());
            embedder.offer(bytes("\nd"));
            assertEquals(3, embedder.poll());
        }
        DecoderEmbedder<Object> nowhere = new DecoderEmbedder<>(new Simple(buffer -> {
            int before = buffer.bytesBefore(2, (byte) '\n');
            buffer.skipBytes(3);
            return before;
        }));
        nowhere.offer(bytes("abc"));
        assertEquals(-1, nowhere.poll());
    }

    /** Each kind of read is replayed until all bytes have arrived, then returns the same as from a plain buffer. */
    @Test
    void shouldReplayEveryKindOfRead() {
        List<Function<ChannelBuffer, Object>> reads = List.of(
                ChannelBuffer::readByte,
                ChannelBuffer::readUnsignedByte,
                ChannelBuffer::readShort,
                ChannelBuffer::readUnsignedShort,
                ChannelBuffer::readMedium,
                ChannelBuffer::readUnsignedMedium,
                ChannelBuffer::readInt,
                ChannelBuffer::readUnsignedInt,
                ChannelBuffer::readLong,
                ChannelBuffer::readChar,
                ChannelBuffer::readFloat,
                ChannelBuffer::readDouble,
                buffer -> buffer.readBytes(8),
                buffer -> buffer.readSlice(8),
                buffer -> filled(new byte[8], buffer::readBytes),
                buffer -> filled(new byte[8], dst -> buffer.readBytes(dst, 1, 7)),
                buffer -> filled(new byte[8], dst -> buffer.readBytes(ByteBuffer.wrap(dst))),
                buffer -> into(buffer::readBytes),
                buffer -> into(dst -> buffer.readBytes(dst, 3)),
                buffer -> into(dst -> buffer.readBytes(dst, 2, 3)),
                buffer -> skipping(buffer, buffer.getByte(7)),
                buffer -> skipping(buffer, buffer.getUnsignedByte(7)),
                buffer -> skipping(buffer, buffer.getShort(6)),
                buffer -> skipping(buffer, buffer.getUnsignedShort(6)),
                buffer -> skipping(buffer, buffer.getMedium(5)),
                buffer -> skipping(buffer, buffer.getUnsignedMedium(5)),
                buffer -> skipping(buffer, buffer.getInt(4)),
                buffer -> skipping(buffer, buffer.getUnsignedInt(4)),
                buffer -> skipping(buffer, buffer.getLong(0)),
                buffer -> skipping(buffer, buffer.getChar(6)),
                buffer -> skipping(buffer, buffer.getFloat(4)),
                buffer -> skipping(buffer, buffer.getDouble(0)),
                buffer -> skipping(buffer, buffer.copy(2, 6)),
                buffer -> skipping(buffer, buffer.slice(2, 6)),
                buffer -> skipping(buffer, buffer.toByteBuffer(2, 6)),
                buffer -> skipping(buffer, buffer.toByteBuffers(2, 6)[0]),
                buffer -> skipping(buffer, buffer.toString(2, 6, US_ASCII)),
                buffer -> skipping(buffer, filled(new byte[8], dst -> buffer.getBytes(0, dst))),
                buffer -> skipping(buffer, filled(new byte[8], dst -> buffer.getBytes(0, dst, 1, 7))),
                buffer -> skipping(buffer, filled(new byte[8], dst -> buffer.getBytes(0, ByteBuffer.wrap(dst)))),
                buffer -> skipping(buffer, into(dst -> buffer.getBytes(0, dst))),
                buffer -> skipping(buffer, into(dst -> buffer.getBytes(0, dst, 8))),
                buffer -> skipping(buffer, into(dst -> buffer.getBytes(0, dst, 0, 8))),
                buffer -> skipping(buffer, streamed(out -> buffer.getBytes(0, out, 8))),
                buffer -> streamed(out -> buffer.readBytes(out, 8)),
                buffer -> skipping(buffer, buffer.order()),
                buffer -> {
                    buffer.markReaderIndex();
                    buffer.readerIndex(5);
                    buffer.resetReaderIndex();
                    return buffer.readLong();
                });
        for (int i = 0; i < reads.size(); i++) {
            Function<ChannelBuffer, Object> read = reads.get(i);
            ChannelBuffer plain = bytes("12345678");
            Object expected = read.apply(plain);
            int length = plain.readerIndex();
            DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new Simple(buffer -> read.apply(buffer)));
            for (int j = 0; j < 8; j++) {
                embedder.offer(bytes("12345678").slice(j, 1));
                assertEquals(j + 1 < length ? 0 : 1, Math.min(embedder.size(), 1), "read " + i + ", byte " + j);
            }
            assertEquals(expected, embedder.poll(), "read " + i);
        }
    }

    private static Object skipping(ChannelBuffer buffer, Object value) {
        buffer.skipBytes(8 - buffer.readerIndex());
        return value;
    }

    private static Object filled(byte[] array, Consumer<byte[]> read) {
        read.accept(array);
        return ByteBuffer.wrap(array);
    }

    private static Object into(Consumer<ChannelBuffer> read) {
        ChannelBuffer dst = ChannelBuffers.buffer(8);
        read.accept(dst);
        return ByteBuffer.wrap(dst.array());
    }

    private interface StreamRead {
        void to(java.io.OutputStream out) throws java.io.IOException;
    }

    private static Object streamed(StreamRead read) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            read.to(out);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return out.toString(US_ASCII);
    }

    @Test
    void shouldRefuseOperationsThatCannotBeReplayed() {
        List<Consumer<ChannelBuffer>> operations = List.of(
                ChannelBuffer::clear,
                ChannelBuffer::discardReadBytes,
                ChannelBuffer::copy,
                ChannelBuffer::slice,
                ChannelBuffer::duplicate,
                ChannelBuffer::toByteBuffer,
                ChannelBuffer::toByteBuffers,
                buffer -> buffer.toString(US_ASCII),
                buffer -> buffer.writeByte(1),
                buffer -> buffer.writeBytes(new byte[1]),
                buffer -> buffer.setInt(0, 1),
                buffer -> buffer.setIndex(0, 1),
                buffer -> buffer.writerIndex(1),
                buffer -> buffer.markWriterIndex(),
                buffer -> buffer.ensureWritableBytes(1),
                buffer -> buffer.compareTo(ChannelBuffers.EMPTY_BUFFER));
        for (Consumer<ChannelBuffer> operation : operations) {
            DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new Simple(buffer -> {
                operation.accept(buffer);
                return null;
            }));
            CodecEmbedderException e = assertThrows(CodecEmbedderException.class, () -> embedder.offer(bytes("a")));
            assertEquals(UnreplayableOperationException.class, e.getCause().getClass());
        }
        new DecoderEmbedder<Object>(new Simple(buffer -> {
                    assertFalse(buffer.hasArray());
                    assertFalse(buffer.writable());
                    assertEquals(0, buffer.writableBytes());
                    assertEquals(buffer, buffer);
                    assertTrue(buffer.toString().contains("received"));
                    return buffer.readByte();
                }))
                .offer(bytes("a"));
    }

    @Test
    void shouldReadInTheByteOrderOfTheReceivedBuffers() {
        DecoderEmbedder<Integer> embedder = new DecoderEmbedder<>(new Simple(ChannelBuffer::readInt));
        ChannelBuffer little = ChannelBuffers.buffer(ByteOrder.LITTLE_ENDIAN, 4);
        little.writeInt(77);
        embedder.offer(little.readBytes(1));
        embedder.offer(little.readBytes(3));
        assertEquals(77, embedder.poll());
    }

    @Test
    void shouldBeReusableForANewConnection() {
        Simple decoder = new Simple(ChannelBuffer::readInt);
        DecoderEmbedder<Integer> first = new DecoderEmbedder<>(decoder);
        first.offer(bytes("abc"));
        first.finish();
        DecoderEmbedder<Integer> second = new DecoderEmbedder<>(decoder);
        second.offer(bytes("abc"));
        second.offer(bytes("d"));
        assertEquals(0x61626364, second.poll());
    }
}
