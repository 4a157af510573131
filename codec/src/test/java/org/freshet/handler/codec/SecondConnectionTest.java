package org.freshet.handler.codec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Serializable;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.Channels;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.handler.codec.frame.DelimiterBasedFrameDecoder;
import org.freshet.handler.codec.frame.Delimiters;
import org.freshet.handler.codec.frame.FixedLengthFrameDecoder;
import org.freshet.handler.codec.frame.LengthFieldBasedFrameDecoder;
import org.freshet.handler.codec.frame.LineBasedFrameDecoder;
import org.freshet.handler.codec.http.HttpRequestDecoder;
import org.freshet.handler.codec.http.HttpResponseDecoder;
import org.freshet.handler.codec.http.websocketx.WebSocket00FrameDecoder;
import org.freshet.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import org.freshet.handler.codec.marshalling.CompatibleMarshallingDecoder;
import org.freshet.handler.codec.marshalling.CompatibleMarshallingEncoder;
import org.freshet.handler.codec.marshalling.DefaultMarshallerProvider;
import org.freshet.handler.codec.marshalling.DefaultUnmarshallerProvider;
import org.freshet.handler.codec.marshalling.MarshallingDecoder;
import org.freshet.handler.codec.marshalling.MarshallingEncoder;
import org.freshet.handler.codec.protobuf.ProtobufVarint32FrameDecoder;
import org.freshet.handler.codec.rtsp.RtspRequestDecoder;
import org.freshet.handler.codec.rtsp.RtspResponseDecoder;
import org.freshet.handler.codec.serialization.ClassResolvers;
import org.freshet.handler.codec.serialization.CompatibleObjectDecoder;
import org.freshet.handler.codec.serialization.CompatibleObjectEncoder;
import org.freshet.handler.codec.serialization.ObjectDecoder;
import org.freshet.handler.codec.serialization.ObjectEncoder;
import org.freshet.handler.codec.socks.Socks4RequestDecoder;
import org.freshet.handler.codec.socks.Socks4ResponseDecoder;
import org.freshet.handler.codec.socks.SocksAuthRequestDecoder;
import org.freshet.handler.codec.socks.SocksAuthResponseDecoder;
import org.freshet.handler.codec.socks.SocksCmdRequestDecoder;
import org.freshet.handler.codec.socks.SocksCmdResponseDecoder;
import org.freshet.handler.codec.socks.SocksInitRequestDecoder;
import org.freshet.handler.codec.socks.SocksInitResponseDecoder;
import org.freshet.handler.codec.stomp.StompFrameDecoder;
import org.freshet.testing.MemoryChannel;
import org.jboss.marshalling.MarshallerFactory;
import org.jboss.marshalling.Marshalling;
import org.jboss.marshalling.MarshallingConfiguration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A channel whose connection ended inside a frame connects again: the first frame of the second connection arrives whole.
 * SPDY, PROXY, WebSocket's messages and a response that lasts until the end are left out: they have one connection only.
 */
class SecondConnectionTest {
    private static final MarshallerFactory RIVER = Marshalling.getProvidedMarshallerFactory("river");
    private static final String TEXT = "a text that is cut";

    /**
     * @param cut what the first connection receives
     * @param whole a frame
     */
    private record Protocol(String name, Supplier<ChannelHandler> decoder, byte[] cut, byte[] whole) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Protocol text(String name, Supplier<ChannelHandler> decoder, String cut, String whole) {
        return new Protocol(name, decoder, cut.getBytes(ISO_8859_1), whole.getBytes(ISO_8859_1));
    }

    private static Protocol hex(String name, Supplier<ChannelHandler> decoder, String cut, String whole) {
        return new Protocol(
                name, decoder, HexFormat.of().parseHex(cut), HexFormat.of().parseHex(whole));
    }

    /** A frame that an encoder makes, cut in its middle. */
    private static Protocol encoded(String name, Supplier<ChannelHandler> decoder, ChannelHandler encoder) {
        EncoderEmbedder<ChannelBuffer> embedder = new EncoderEmbedder<>((ChannelDownstreamHandler) encoder);
        embedder.offer((Serializable) TEXT);
        ChannelBuffer frame = embedder.poll();
        byte[] whole = new byte[frame.readableBytes()];
        frame.readBytes(whole);
        byte[] cut = new byte[whole.length / 2];
        System.arraycopy(whole, 0, cut, 0, cut.length);
        return new Protocol(name, decoder, cut, whole);
    }

    static Stream<Protocol> protocols() {
        return Stream.of(frames(), objects(), messages(), socks()).flatMap(Function.identity());
    }

    private static Stream<Protocol> frames() {
        return Stream.of(
                hex("length field", () -> new LengthFieldBasedFrameDecoder(8, 0, 4), "000000050101", "0000000107"),
                hex(
                        "too long by its length field",
                        () -> new LengthFieldBasedFrameDecoder(8, 0, 4),
                        "0000006401",
                        "0000000107"),
                text("fixed length", () -> new FixedLengthFrameDecoder(4), "ab", "abcd"),
                text("line", () -> new LineBasedFrameDecoder(80), "ab", "x\n"),
                text("too long line", () -> new LineBasedFrameDecoder(3), "abcdef", "x\n"),
                text("delimiter", () -> new DelimiterBasedFrameDecoder(80, Delimiters.nulDelimiter()), "ab", "x\0"),
                text(
                        "too long before its delimiter",
                        () -> new DelimiterBasedFrameDecoder(3, Delimiters.nulDelimiter()),
                        "abcdef",
                        "x\0"),
                hex("varint length", ProtobufVarint32FrameDecoder::new, "0501", "0107"),
                hex("cut varint", ProtobufVarint32FrameDecoder::new, "80", "0107"),
                hex("too long by its varint", () -> new ProtobufVarint32FrameDecoder(3), "6401", "0107"),
                hex("corrupt varint", ProtobufVarint32FrameDecoder::new, "808080808001", "0107"));
    }

    private static Stream<Protocol> objects() {
        MarshallingConfiguration configuration = new MarshallingConfiguration();
        DefaultMarshallerProvider marshallers = new DefaultMarshallerProvider(RIVER, configuration);
        DefaultUnmarshallerProvider unmarshallers = new DefaultUnmarshallerProvider(RIVER, configuration);
        ClassLoader loader = SecondConnectionTest.class.getClassLoader();
        return Stream.of(
                encoded("object", () -> new ObjectDecoder(ClassResolvers.cacheDisabled(loader)), new ObjectEncoder()),
                encoded(
                        "object stream",
                        () -> new CompatibleObjectDecoder(ClassResolvers.cacheDisabled(loader)),
                        new CompatibleObjectEncoder()),
                encoded("marshalled", () -> new MarshallingDecoder(unmarshallers), new MarshallingEncoder(marshallers)),
                encoded(
                        "marshalled stream",
                        () -> new CompatibleMarshallingDecoder(unmarshallers, 1000),
                        new CompatibleMarshallingEncoder(marshallers)));
    }

    private static Stream<Protocol> messages() {
        String stomp = "SEND\ndestination:/a\n\nx\0";
        String request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
        String response = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx";
        return Stream.of(
                text("STOMP command", StompFrameDecoder::new, "SE", stomp),
                text("STOMP headers", StompFrameDecoder::new, "SEND\nfoo", stomp),
                text("STOMP content", StompFrameDecoder::new, "SEND\na:b\n\ncontent", stomp),
                text("STOMP content of known length", StompFrameDecoder::new, "SEND\ncontent-length:9\n\ncont", stomp),
                text("STOMP chunks", () -> new StompFrameDecoder(80, 9, 2, 99), "SEND\na:b\n\ncontent", stomp),
                text("request line", HttpRequestDecoder::new, "GET / HT", request),
                text("request headers", HttpRequestDecoder::new, "GET / HTTP/1.1\r\nHo", request),
                text(
                        "request content",
                        HttpRequestDecoder::new,
                        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab",
                        request),
                text(
                        "request chunk",
                        HttpRequestDecoder::new,
                        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
                        request),
                text("response headers", HttpResponseDecoder::new, "HTTP/1.1 200 OK\r\nCo", response),
                text(
                        "response content",
                        HttpResponseDecoder::new,
                        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab",
                        response),
                text(
                        "RTSP request",
                        RtspRequestDecoder::new,
                        "OPTIONS * RTSP/1.0\r\nContent-Length: 5\r\n\r\nab",
                        "OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n"),
                text(
                        "RTSP response",
                        RtspResponseDecoder::new,
                        "RTSP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nab",
                        "RTSP/1.0 200 OK\r\nCSeq: 1\r\nContent-Length: 0\r\n\r\n"),
                hex("WebSocket head", () -> new WebSocket13FrameDecoder(false, true, 99), "82", "820107"),
                hex("WebSocket 00 text", () -> new WebSocket00FrameDecoder(99), "0061", "0062ff"),
                hex("WebSocket 00 length", () -> new WebSocket00FrameDecoder(99), "80", "0062ff"));
    }

    private static Stream<Protocol> socks() {
        return Stream.of(
                hex("SOCKS init request", SocksInitRequestDecoder::new, "05", "050100"),
                hex("SOCKS init response", SocksInitResponseDecoder::new, "05", "0500"),
                hex("SOCKS auth request", SocksAuthRequestDecoder::new, "010161", "010161" + "0162"),
                hex("SOCKS auth response", SocksAuthResponseDecoder::new, "01", "0100"),
                hex("SOCKS command", SocksCmdRequestDecoder::new, "0501000103", "050100017f0000010050"),
                hex("SOCKS command response", SocksCmdResponseDecoder::new, "0500000103", "050000017f0000010050"),
                hex("SOCKS4 request", Socks4RequestDecoder::new, "040100", "040100507f00000100"),
                hex("SOCKS4 response", Socks4ResponseDecoder::new, "005a00", "005a00507f000001"));
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void shouldNotContinueAFrameOfTheFirstConnection(Protocol protocol) {
        MemoryChannel channel = MemoryChannel.connected(protocol.decoder.get());
        channel.receive(ChannelBuffers.wrappedBuffer(protocol.cut));
        Channels.fireChannelDisconnected(channel);
        assertTrue(channel.isOpen());
        channel.takeReceived();
        channel.takeCaught();

        Channels.fireChannelConnected(channel, new InetSocketAddress(1));
        channel.receive(ChannelBuffers.wrappedBuffer(protocol.whole));

        MemoryChannel fresh = MemoryChannel.connected(protocol.decoder.get());
        fresh.receive(ChannelBuffers.wrappedBuffer(protocol.whole));
        List<String> expected = messages(fresh);
        assertFalse(expected.isEmpty());
        assertEquals(List.of(), channel.takeCaught());
        assertEquals(expected, messages(channel));
    }

    private static List<String> messages(MemoryChannel channel) {
        return channel.takeReceived().stream()
                .map(message -> message instanceof ChannelBuffer buffer
                        ? buffer.toString(ISO_8859_1)
                        : message.getClass().getSimpleName())
                .toList();
    }
}
