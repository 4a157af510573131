package org.freshet.handler.codec.socks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same bytes decode to the same messages as in Netty 3.10.6, and the same messages encode to the same bytes. Left
 * out are Netty 3's errors: bytes after a message, lengths beyond 127, port 0, invalid names, the address of a
 * response.
 */
class Netty3SocksTest {
    private static final int INPUTS = 400;

    enum Kind {
        INIT_REQUEST(SocksInitRequestDecoder::new, org.jboss.netty.handler.codec.socks.SocksInitRequestDecoder::new),
        INIT_RESPONSE(SocksInitResponseDecoder::new, org.jboss.netty.handler.codec.socks.SocksInitResponseDecoder::new),
        AUTH_REQUEST(SocksAuthRequestDecoder::new, org.jboss.netty.handler.codec.socks.SocksAuthRequestDecoder::new),
        AUTH_RESPONSE(SocksAuthResponseDecoder::new, org.jboss.netty.handler.codec.socks.SocksAuthResponseDecoder::new),
        CMD_REQUEST(SocksCmdRequestDecoder::new, org.jboss.netty.handler.codec.socks.SocksCmdRequestDecoder::new),
        CMD_RESPONSE(SocksCmdResponseDecoder::new, org.jboss.netty.handler.codec.socks.SocksCmdResponseDecoder::new);

        final Supplier<ChannelUpstreamHandler> ours;
        final Supplier<org.jboss.netty.channel.ChannelUpstreamHandler> theirs;

        Kind(Supplier<ChannelUpstreamHandler> ours, Supplier<org.jboss.netty.channel.ChannelUpstreamHandler> theirs) {
            this.ours = ours;
            this.theirs = theirs;
        }

        /** A message whose version is sometimes wrong, and whose other bytes are plausible. */
        byte[] random(Random random) {
            boolean auth = this == AUTH_REQUEST || this == AUTH_RESPONSE;
            if (random.nextInt(8) == 0) {
                return new byte[] {(byte) (2 + random.nextInt(3))};
            }
            Bytes bytes = new Bytes(random).add(auth ? 1 : 5);
            switch (this) {
                case INIT_REQUEST -> bytes.string(random.nextInt(128), -1);
                case INIT_RESPONSE, AUTH_RESPONSE -> bytes.add(small(random));
                case AUTH_REQUEST -> bytes.string(random.nextInt(128), 128).string(random.nextInt(128), 128);
                default -> bytes.add(small(random)).add(random.nextInt(256)).address();
            }
            return bytes.array();
        }

        private static int small(Random random) {
            return random.nextBoolean() ? random.nextInt(11) : random.nextInt(256);
        }
    }

    private static final class Bytes {
        private final List<Byte> bytes = new ArrayList<>();
        private final Random random;

        Bytes(Random random) {
            this.random = random;
        }

        Bytes add(int value) {
            bytes.add((byte) value);
            return this;
        }

        /** @param bound of each byte; -1 for letters */
        Bytes string(int length, int bound) {
            add(length);
            for (int i = 0; i < length; i++) {
                add(random.nextInt(bound < 0 ? 256 : bound));
            }
            return this;
        }

        void address() {
            int type = random.nextInt(6);
            add(type);
            switch (type) {
                case 1 -> some(4);
                case 3 -> name();
                case 4 -> some(16);
                default -> {
                    return;
                }
            }
            add(random.nextInt(256)).add(1 + random.nextInt(254));
        }

        private void some(int count) {
            for (int i = 0; i < count; i++) {
                add(random.nextInt(3) == 0 ? 0 : random.nextInt(256));
            }
        }

        private void name() {
            int length = 1 + random.nextInt(63);
            add(length);
            for (int i = 0; i < length; i++) {
                add("abcxyzABC019-_".charAt(random.nextInt(14)));
            }
        }

        byte[] array() {
            byte[] array = new byte[bytes.size()];
            for (int i = 0; i < array.length; i++) {
                array[i] = bytes.get(i);
            }
            return array;
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldDecodeAndEncodeAsNetty3(Kind kind) throws Exception {
        Random random = Seeds.random();
        for (int i = 0; i < INPUTS; i++) {
            byte[] input = kind.random(random);
            String input16 = java.util.HexFormat.of().formatHex(input);
            Object ours = ours(kind, input);
            Object theirs = theirs(kind, input);
            assertEquals(SocksText.theirs(theirs), SocksText.ours(ours), input16);
            if (!(ours instanceof SocksCmdResponse)) { // Netty 3 loses its address
                assertEquals(encodedTheirs(theirs), encodedOurs(ours), input16);
            }
        }
    }

    private static Object ours(Kind kind, byte[] input) {
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(kind.ours.get());
        embedder.offer(org.freshet.buffer.ChannelBuffers.wrappedBuffer(input));
        return embedder.poll();
    }

    private static Object theirs(Kind kind, byte[] input) {
        org.jboss.netty.handler.codec.embedder.DecoderEmbedder<Object> embedder =
                new org.jboss.netty.handler.codec.embedder.DecoderEmbedder<>(kind.theirs.get());
        embedder.offer(org.jboss.netty.buffer.ChannelBuffers.wrappedBuffer(input));
        return embedder.poll();
    }

    private static String encodedOurs(Object message) throws Exception {
        org.freshet.buffer.ChannelBuffer buffer = org.freshet.buffer.ChannelBuffers.dynamicBuffer();
        ((SocksMessage) message).encodeAsByteBuf(buffer);
        return org.freshet.buffer.ChannelBuffers.hexDump(buffer);
    }

    private static String encodedTheirs(Object message) throws Exception {
        org.jboss.netty.buffer.ChannelBuffer buffer = org.jboss.netty.buffer.ChannelBuffers.dynamicBuffer();
        ((org.jboss.netty.handler.codec.socks.SocksMessage) message).encodeAsByteBuf(buffer);
        return org.jboss.netty.buffer.ChannelBuffers.hexDump(buffer);
    }

    @Test
    void shouldAnswerWithoutAnAddressAsNetty3() throws Exception {
        for (SocksMessage.CmdStatus status : SocksMessage.CmdStatus.values()) {
            for (SocksMessage.AddressType type : SocksMessage.AddressType.values()) {
                assertEquals(
                        encodedTheirs(new org.jboss.netty.handler.codec.socks.SocksCmdResponse(
                                org.jboss.netty.handler.codec.socks.SocksMessage.CmdStatus.valueOf(status.name()),
                                org.jboss.netty.handler.codec.socks.SocksMessage.AddressType.valueOf(type.name()))),
                        encodedOurs(new SocksCmdResponse(status, type)));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                SocksMessage.AddressType.class,
                SocksMessage.AuthScheme.class,
                SocksMessage.AuthStatus.class,
                SocksMessage.CmdStatus.class,
                SocksMessage.CmdType.class,
                SocksMessage.ProtocolVersion.class,
                SocksMessage.SubnegotiationVersion.class
            })
    void shouldNameEveryByteAsNetty3(Class<?> ours) throws Exception {
        Class<?> theirs = Class.forName(ours.getName().replace("org.freshet", "org.jboss.netty"));
        assertEquals(Arrays.toString(theirs.getEnumConstants()), Arrays.toString(ours.getEnumConstants()));
        Method fromByteOurs = ours.getMethod("fromByte", byte.class);
        Method fromByteTheirs = theirs.getMethod("fromByte", byte.class);
        for (int value = Byte.MIN_VALUE; value <= Byte.MAX_VALUE; value++) {
            Object our = fromByteOurs.invoke(null, (byte) value);
            Object their = fromByteTheirs.invoke(null, (byte) value);
            assertEquals(their.toString(), our.toString());
            assertEquals(
                    theirs.getMethod("getByteValue").invoke(their),
                    ours.getMethod("getByteValue").invoke(our));
        }
    }
}
