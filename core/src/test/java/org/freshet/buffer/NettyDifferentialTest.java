package org.freshet.buffer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.freshet.testing.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Calls every method of {@link ChannelBuffer}, in long random sequences, on a buffer of each kind and on Netty 3's
 * buffer with the same bytes. Compares results, errors, bytes and indices after each call.
 *
 * <p>Arguments are drawn by parameter name; one in eight is out of range. After an error Freshet's buffer must be
 * unchanged. Netty's buffer is reset to the same state, because Netty 3 may have changed some bytes before it failed.
 */
class NettyDifferentialTest {
    /** Enough to call each method with good and bad arguments many times; a property sets more for a soak test. */
    private static final int CALLS_PER_ORDER = Integer.getInteger("freshet.test.bufferCalls", Seeds.rounds(2_500));

    private static final int CALLS_PER_BUFFER = 150;
    private static final Charset[] CHARSETS = {
        StandardCharsets.UTF_8, StandardCharsets.ISO_8859_1, StandardCharsets.US_ASCII, StandardCharsets.UTF_16
    };

    /** Not comparable: identity of arrays and factories, which only the focused tests check. */
    private static final Set<String> LEFT_OUT =
            Set.of("factory", "array", "arrayOffset", "hasArray", "isDirect", "toString", "equals", "compareTo");

    private static final List<Method> METHODS = Arrays.stream(ChannelBuffer.class.getMethods())
            .filter(method -> !LEFT_OUT.contains(method.getName()) || takesCharset(method))
            .sorted(Comparator.comparing(Method::toString))
            .toList();

    private static final Map<Method, Method> THEIR_METHODS =
            METHODS.stream().collect(Collectors.toMap(Function.identity(), NettyDifferentialTest::theirMethod));

    private int compared;
    private int failedAlike;

    @ParameterizedTest
    @EnumSource
    void shouldBehaveLikeNetty3InRandomSequencesOfCalls(BufferKind kind) throws Exception {
        for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
            Random random = Seeds.random(kind.ordinal());
            for (int calls = 0; calls < CALLS_PER_ORDER; calls += CALLS_PER_BUFFER) {
                new Row(kind, order, random).run();
            }
        }
        assertTrue(compared > CALLS_PER_ORDER, () -> "only " + compared + " calls were compared");
        assertTrue(failedAlike > CALLS_PER_ORDER / 20, () -> "only " + failedAlike + " errors were compared");
    }

    private static boolean takesCharset(Method method) {
        return method.getName().equals("toString") && method.getParameterCount() > 0;
    }

    private static Method theirMethod(Method method) {
        Class<?>[] types = Arrays.stream(method.getParameterTypes())
                .map(NettyDifferentialTest::theirType)
                .toArray(Class<?>[]::new);
        try {
            return org.jboss.netty.buffer.ChannelBuffer.class.getMethod(method.getName(), types);
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }

    private static Class<?> theirType(Class<?> type) {
        if (type == ChannelBuffer.class) {
            return org.jboss.netty.buffer.ChannelBuffer.class;
        }
        return type == ChannelBufferIndexFinder.class ? org.jboss.netty.buffer.ChannelBufferIndexFinder.class : type;
    }

    /** A pair of buffers, and the calls made on both. */
    private final class Row {
        private final BufferKind kind;
        private final ByteOrder order;
        private final Random random;
        private final ChannelBuffer ours;
        private final org.jboss.netty.buffer.ChannelBuffer theirs;
        private final List<Call> log = new ArrayList<>();

        Row(BufferKind kind, ByteOrder order, Random random) {
            this.kind = kind;
            this.order = order;
            this.random = random;
            byte[] bytes = new byte[24 + random.nextInt(40)];
            random.nextBytes(bytes);
            ours = kind.make(order, bytes, random);
            theirs = NettyBuffers.make(kind, order, bytes, random);
        }

        void run() throws Exception {
            for (int i = 0; i < CALLS_PER_BUFFER; i++) {
                if (random.nextInt(6) == 0) {
                    moveIndices();
                }
                Method method = METHODS.get(random.nextInt(METHODS.size()));
                if (!wrongInNetty(method.getName())) {
                    Call call = new Call(method);
                    log.add(call);
                    compare(call);
                }
            }
        }

        /** In a ByteBuffer, Netty 3 mistakes little endian mediums for big endian; in a composite it loses marks. */
        private boolean wrongInNetty(String name) {
            boolean inByteBuffer = kind == BufferKind.TRUNCATED
                    || kind.name().contains("DIRECT")
                    || kind.name().contains("BYTE_BUFFER");
            return name.contains("Medium") && order == ByteOrder.LITTLE_ENDIAN && inByteBuffer
                    || name.startsWith("reset") && kind == BufferKind.COMPOSITE;
        }

        private void moveIndices() {
            int writer = random.nextInt(ours.capacity() + 1);
            int reader = random.nextInt(writer + 1);
            ours.setIndex(reader, writer);
            theirs.setIndex(reader, writer);
        }

        private void compare(Call call) throws Exception {
            byte[] before = bytes(ours);
            int room = theirs.capacity();
            int reader = ours.readerIndex();
            int writer = ours.writerIndex();
            Object ourResult = call.invokeOurs();
            Object theirResult = call.invokeTheirs(ourResult instanceof Failure);
            compared++;
            if (ourResult instanceof Failure) {
                failedAlike += ourResult.equals(theirResult) ? 1 : 0;
                assertArrayEquals(before, Arrays.copyOf(bytes(ours), before.length), () -> "changed by " + story());
                assertEquals(reader + "," + writer, ours.readerIndex() + "," + ours.writerIndex(), this::story);
            }
            if (!ourResult.equals(theirResult) && !call.mayDiffer(ourResult, theirResult)) {
                assertEquals(theirResult, ourResult, this::story);
            }
            boolean grown = theirs.capacity() > room; // then Netty 3 drops the bytes after the writer index
            if (grown || ourResult instanceof Failure || theirResult instanceof Failure) {
                bringTheirsBack();
            }
            assertEquals(ours.readerIndex(), theirs.readerIndex(), this::story);
            assertEquals(ours.writerIndex(), theirs.writerIndex(), this::story);
            assertEquals(ours.capacity(), theirs.capacity(), this::story);
            assertArrayEquals(bytes(theirs), bytes(ours), this::story);
        }

        private void bringTheirsBack() {
            // A call that failed may still have made room.
            theirs.setIndex(0, 0);
            theirs.ensureWritableBytes(ours.capacity());
            ours.ensureWritableBytes(theirs.capacity() - ours.writerIndex());
            theirs.setIndex(ours.readerIndex(), ours.writerIndex());
            if (!kind.readOnly()) {
                theirs.setBytes(0, bytes(ours));
            }
        }

        private byte[] bytes(ChannelBuffer buffer) {
            byte[] bytes = new byte[buffer.capacity()];
            buffer.getBytes(0, bytes);
            return bytes;
        }

        private byte[] bytes(org.jboss.netty.buffer.ChannelBuffer buffer) {
            byte[] bytes = new byte[buffer.capacity()];
            buffer.getBytes(0, bytes);
            return bytes;
        }

        private String story() {
            return "seed " + Seeds.seed() + ", " + kind + " " + order + ", ours " + ours + ", theirs " + theirs
                    + ", last calls " + log.subList(Math.max(0, log.size() - 6), log.size());
        }

        /** A method with arguments. Each side gets its own, equal ones. */
        private final class Call {
            private final Method method;
            private final List<Argument> arguments = new ArrayList<>();
            private final boolean outOfRange = random.nextInt(8) == 0;

            Call(Method method) {
                this.method = method;
                for (Parameter parameter : method.getParameters()) {
                    arguments.add(argument(parameter));
                }
            }

            /**
             * Intended differences: Freshet checks ranges that Netty 3 doesn't, and never exceeds the bounds itself.
             */
            boolean mayDiffer(Object ourResult, Object theirResult) {
                if (ourResult instanceof Failure ourFailure) {
                    boolean bothFail = theirResult instanceof Failure;
                    return bothFail && kind.readOnly() || ourFailure.equals(BAD_RANGE) && breaksContract();
                }
                boolean meetsEnds = method.getName().equals("indexOf") || has(ByteBuffer.class);
                boolean movesNothing = number("length", wholeArgument()) == 0 && !breaksContract();
                return theirResult.equals(BAD_RANGE) && (meetsEnds || movesNothing);
            }

            private boolean breaksContract() {
                String name = method.getName();
                if (name.equals("resetWriterIndex")) {
                    return true; // Netty 3 lets the writer fall behind the reader
                }
                int length = number("length", wholeArgument());
                if (name.startsWith("read") || name.equals("skipBytes")) {
                    return length < 0 || length > ours.readableBytes() || argumentTooShort(length);
                }
                int index = name.startsWith("write") ? ours.writerIndex() : number("index", 0);
                int end = name.startsWith("write") && kind.grows() ? Integer.MAX_VALUE : ours.capacity();
                return index < 0 || length < 0 || (long) index + length > end || argumentTooShort(length);
            }

            /** How many bytes are transferred when a buffer or array is given without a length. */
            private int wholeArgument() {
                for (Argument argument : arguments) {
                    if (argument.ours instanceof ChannelBuffer buffer) {
                        return argument.name.equals("dst") ? buffer.writableBytes() : buffer.readableBytes();
                    }
                    if (argument.ours instanceof ByteBuffer buffer) {
                        return buffer.remaining();
                    }
                    if (argument.ours instanceof byte[] bytes) {
                        return bytes.length;
                    }
                }
                return 0;
            }

            private boolean argumentTooShort(int length) {
                int from = number("dstIndex", number("srcIndex", 0));
                return arguments.stream()
                        .filter(argument -> argument.ours instanceof ChannelBuffer)
                        .anyMatch(argument ->
                                from < 0 || (long) from + length > ((ChannelBuffer) argument.ours).capacity());
            }

            private boolean has(Class<?> type) {
                return Arrays.asList(method.getParameterTypes()).contains(type);
            }

            private int number(String name, int otherwise) {
                return arguments.stream()
                        .filter(argument -> argument.name.equals(name))
                        .mapToInt(argument -> (Integer) argument.ours)
                        .findFirst()
                        .orElse(otherwise);
            }

            Object invokeOurs() throws Exception {
                Object result = invoke(method, ours, argument -> argument.ours);
                return result instanceof Failure ? result : List.of(describe(result), effects(a -> a.ours));
            }

            /** Ignored if Freshet refuses the call: the result may claim any size. */
            Object invokeTheirs(boolean refused) throws Exception {
                Object result = invoke(THEIR_METHODS.get(method), theirs, argument -> argument.theirs);
                if (refused) {
                    return result instanceof Failure ? result : "no failure";
                }
                return result instanceof Failure ? result : List.of(describe(result), effects(a -> a.theirs));
            }

            private Object invoke(Method target, Object receiver, Function<Argument, Object> side) throws Exception {
                try {
                    return target.invoke(receiver, arguments.stream().map(side).toArray());
                } catch (InvocationTargetException e) {
                    return family(e.getCause());
                }
            }

            /** The arguments after the call. */
            private List<Object> effects(Function<Argument, Object> side) {
                return arguments.stream().map(side).map(Row.this::describe).toList();
            }

            private Argument argument(Parameter parameter) {
                Class<?> type = parameter.getType();
                String name = parameter.getName();
                if (type == int.class) {
                    return Argument.same(name, number(parameter));
                }
                if (type == byte.class) {
                    return Argument.same(name, (byte) random.nextInt());
                }
                if (type == byte[].class) {
                    byte[] bytes = randomBytes(12);
                    return new Argument(name, bytes, bytes.clone());
                }
                if (type == long.class) {
                    return Argument.same(name, random.nextLong());
                }
                if (type == float.class) {
                    return Argument.same(name, (float) random.nextGaussian());
                }
                if (type == double.class) {
                    return Argument.same(name, random.nextGaussian());
                }
                return objectArgument(type, name);
            }

            private Argument objectArgument(Class<?> type, String name) {
                if (type == ChannelBuffer.class) {
                    return bufferArgument(name);
                }
                byte[] bytes = randomBytes(12);
                if (type == ByteBuffer.class) {
                    int position = random.nextInt(bytes.length + 1);
                    return new Argument(
                            name,
                            ByteBuffer.wrap(bytes.clone()).position(position),
                            ByteBuffer.wrap(bytes.clone()).position(position));
                }
                if (type == InputStream.class) {
                    // All or nothing: from a short stream, Netty 3 writes zeros after it into direct memory.
                    bytes = new byte[random.nextInt(4) == 0 ? 0 : 2 * ours.capacity() + 64];
                    random.nextBytes(bytes);
                    return new Argument(name, new ByteArrayInputStream(bytes), new ByteArrayInputStream(bytes));
                }
                if (type == OutputStream.class) {
                    return new Argument(name, new ByteArrayOutputStream(), new ByteArrayOutputStream());
                }
                if (type == ScatteringByteChannel.class) {
                    int perCall = 1 + random.nextInt(8);
                    return new Argument(
                            name, ScriptedChannel.giving(perCall, bytes), ScriptedChannel.giving(perCall, bytes));
                }
                if (type == GatheringByteChannel.class) {
                    int perCall = random.nextInt(8);
                    return new Argument(name, ScriptedChannel.taking(perCall), ScriptedChannel.taking(perCall));
                }
                if (type == Charset.class) {
                    return Argument.same(name, CHARSETS[random.nextInt(CHARSETS.length)]);
                }
                byte wanted = (byte) random.nextInt();
                ChannelBufferIndexFinder ourFinder = (buffer, index) -> buffer.getByte(index) >= wanted;
                org.jboss.netty.buffer.ChannelBufferIndexFinder theirFinder =
                        (buffer, index) -> buffer.getByte(index) >= wanted;
                return new Argument(name, ourFinder, theirFinder);
            }

            private Argument bufferArgument(String name) {
                byte[] bytes = randomBytes(16);
                ByteOrder otherOrder = random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
                BufferKind otherKind = random.nextBoolean() ? BufferKind.HEAP : BufferKind.DIRECT;
                ChannelBuffer our = otherKind.make(otherOrder, bytes, random);
                org.jboss.netty.buffer.ChannelBuffer their = NettyBuffers.make(otherKind, otherOrder, bytes, random);
                int writer = random.nextInt(bytes.length + 1);
                int reader = random.nextInt(writer + 1);
                our.setIndex(reader, writer);
                their.setIndex(reader, writer);
                return new Argument(name, our, their);
            }

            private byte[] randomBytes(int lessThan) {
                byte[] bytes = new byte[1 + random.nextInt(lessThan)];
                random.nextBytes(bytes);
                return bytes;
            }

            private int number(Parameter parameter) {
                if (outOfRange) {
                    return strange(parameter);
                }
                return switch (parameter.getName()) {
                    case "value" -> random.nextInt();
                    case "length", "writableBytes" -> 1 + random.nextInt(8);
                    case "dstIndex", "srcIndex" -> random.nextInt(4);
                    default -> random.nextInt(ours.capacity() + 1);
                };
            }

            private int strange(Parameter parameter) {
                int edge = ours.capacity() - random.nextInt(8);
                boolean takesMemory = kind.grows() && !parameter.getName().endsWith("ndex");
                int[] extremes = {edge, edge + 8, -1, -8, Integer.MIN_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE - 2};
                return extremes[random.nextInt(takesMemory ? 4 : extremes.length)];
            }

            @Override
            public String toString() {
                return method.getName()
                        + arguments.stream()
                                .map(a -> a.name + "=" + describe(a.ours))
                                .toList();
            }
        }

        /** A value in a form that can be compared between the two sides. */
        private Object describe(Object value) {
            if (value instanceof ChannelBuffer buffer) {
                return List.of(buffer.readerIndex(), buffer.writerIndex(), buffer.order(), hex(bytes(buffer)));
            }
            if (value instanceof org.jboss.netty.buffer.ChannelBuffer buffer) {
                return List.of(buffer.readerIndex(), buffer.writerIndex(), buffer.order(), hex(bytes(buffer)));
            }
            if (value instanceof ByteBuffer buffer) {
                return hex(remaining(buffer));
            }
            if (value instanceof ByteBuffer[] buffers) {
                ByteArrayOutputStream all = new ByteArrayOutputStream();
                Arrays.stream(buffers).forEach(buffer -> all.writeBytes(remaining(buffer)));
                return hex(all.toByteArray());
            }
            if (value instanceof byte[] bytes) {
                return hex(bytes);
            }
            if (value instanceof ByteArrayInputStream in) {
                return in.available();
            }
            if (value instanceof ByteArrayOutputStream out) {
                return hex(out.toByteArray());
            }
            if (value instanceof ScriptedChannel channel) {
                return hex(channel.taken());
            }
            return value instanceof Number
                            || value instanceof Character
                            || value instanceof Boolean
                            || value instanceof String
                            || value instanceof ByteOrder
                    ? value
                    : "nothing";
        }

        private byte[] remaining(ByteBuffer buffer) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(buffer.position(), bytes);
            return bytes;
        }

        private String hex(byte[] bytes) {
            return HexFormat.of().formatHex(bytes);
        }
    }

    private record Argument(String name, Object ours, Object theirs) {
        static Argument same(String name, Object value) {
            return new Argument(name, value, value);
        }
    }

    private record Failure(String family) {}

    private static final Failure BAD_RANGE = new Failure("bad range");

    /** Netty 3 reports a bad range with whichever exception the kind of memory happens to throw. */
    private static Failure family(Throwable error) {
        if (error instanceof IndexOutOfBoundsException
                || error instanceof IllegalArgumentException
                || error instanceof NegativeArraySizeException
                || error instanceof BufferOverflowException
                || error instanceof BufferUnderflowException) {
            return BAD_RANGE;
        }
        return new Failure(error.getClass().getName());
    }
}
