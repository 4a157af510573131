package org.freshet.handler.codec.socks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.handler.codec.socks.SocksMessage.AddressType;
import org.freshet.handler.codec.socks.SocksMessage.AuthScheme;
import org.freshet.handler.codec.socks.SocksMessage.AuthStatus;
import org.freshet.handler.codec.socks.SocksMessage.CmdStatus;
import org.freshet.handler.codec.socks.SocksMessage.CmdType;
import org.freshet.handler.codec.socks.SocksMessage.MessageType;
import org.freshet.handler.codec.socks.SocksMessage.ProtocolVersion;
import org.freshet.handler.codec.socks.SocksRequest.SocksRequestType;
import org.freshet.handler.codec.socks.SocksResponse.SocksResponseType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What SOCKS messages accept, and how they are encoded. */
class SocksMessageTest {
    private static final String LONGEST_NAME = "a.".repeat(127) + "a";

    private static String encoded(SocksMessage message) {
        EncoderEmbedder<ChannelBuffer> embedder = new EncoderEmbedder<>(new SocksMessageEncoder());
        embedder.offer(message);
        ChannelBuffer bytes = embedder.poll();
        return bytes == null ? "" : ChannelBuffers.hexDump(bytes);
    }

    static Stream<Arguments> messages() {
        return Stream.of(
                Arguments.of(new SocksInitRequest(List.of(AuthScheme.NO_AUTH, AuthScheme.UNKNOWN)), "050200ff"),
                Arguments.of(new SocksInitResponse(AuthScheme.AUTH_PASSWORD), "0502"),
                Arguments.of(new SocksAuthRequest("me", ""), "01026d6500"),
                Arguments.of(new SocksAuthResponse(AuthStatus.FAILURE), "01ff"),
                Arguments.of(
                        new SocksCmdRequest(CmdType.CONNECT, AddressType.IPv4, "255.0.0.1", 65535),
                        "05010001ff000001ffff"),
                Arguments.of(new SocksCmdRequest(CmdType.UDP, AddressType.IPv4, "0.0.0.0", 0), "05030001000000000000"),
                Arguments.of(
                        new SocksCmdRequest(CmdType.BIND, AddressType.IPv6, "::1", 1),
                        "05020004000000000000000000000000000000010001"),
                Arguments.of(
                        new SocksCmdRequest(CmdType.CONNECT, AddressType.DOMAIN, "b\u00fccher.example", 80),
                        "0501000315786e2d2d6263686572" + "2d6b7661" + "2e6578616d706c65" + "0050"),
                Arguments.of(
                        new SocksCmdRequest(CmdType.CONNECT, AddressType.DOMAIN, LONGEST_NAME, 80),
                        "05010003ff" + "612e".repeat(127) + "61" + "0050"),
                Arguments.of(new SocksCmdRequest(CmdType.CONNECT, AddressType.UNKNOWN, "a", 80), "050100ff"),
                Arguments.of(new SocksCmdResponse(CmdStatus.REFUSED, AddressType.IPv4), "05050001000000000000"),
                Arguments.of(new SocksCmdResponse(CmdStatus.SUCCESS, AddressType.DOMAIN), "0500000301000000"),
                Arguments.of(
                        new SocksCmdResponse(CmdStatus.SUCCESS, AddressType.IPv4, "10.0.0.1", 8080),
                        "050000010a0000011f90"),
                Arguments.of(
                        new SocksCmdResponse(CmdStatus.SUCCESS, AddressType.DOMAIN, "a.b", 1), "0500000303612e620001"),
                Arguments.of(new Socks4Request(CmdType.CONNECT, "10.0.0.1", 80, "me"), "040100500a0000016d6500"),
                Arguments.of(new Socks4Request(CmdType.CONNECT, "a.b", 80, ""), "040100500000000100612e6200"),
                Arguments.of(new Socks4Response(Socks4Response.Status.GRANTED), "005a000000000000"),
                Arguments.of(new Socks4Response(Socks4Response.Status.REJECTED, "10.0.0.1", 80), "005b00500a000001"),
                Arguments.of(new UnknownSocksRequest(), ""),
                Arguments.of(new UnknownSocksResponse(), ""),
                Arguments.of(new UnknownSocksMessage(), ""));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void shouldBeEncodedAs(SocksMessage message, String hex) {
        assertEquals(hex, encoded(message));
    }

    @Test
    void shouldPassOtherMessages() {
        EncoderEmbedder<Object> embedder = new EncoderEmbedder<>(new SocksMessageEncoder());
        Object other = new Object();
        embedder.offer(other);
        assertSame(other, embedder.poll());
    }

    @Test
    void shouldReturnSideStepAndVersion() {
        SocksRequest four = new Socks4Request(CmdType.CONNECT, "10.0.0.1", 80, "");
        assertEquals(ProtocolVersion.SOCKS4a, four.getProtocolVersion());
        assertEquals(SocksRequestType.CMD, four.getSocksRequestType());
        assertEquals(ProtocolVersion.SOCKS4a, new Socks4Response(Socks4Response.Status.GRANTED).getProtocolVersion());
        SocksResponse five = new SocksInitResponse(AuthScheme.NO_AUTH);
        assertEquals(ProtocolVersion.SOCKS5, five.getProtocolVersion());
        assertEquals(SocksResponseType.INIT, five.getSocksResponseType());
        assertEquals(MessageType.RESPONSE, five.getMessageType());
        assertEquals(MessageType.REQUEST, four.getMessageType());
        assertEquals(MessageType.UNKNOWN, new UnknownSocksMessage().getMessageType());
        assertEquals(SocksRequestType.UNKNOWN, new UnknownSocksRequest().getSocksRequestType());
    }

    @Test
    void shouldKeepItsOwnListOfSchemes() {
        List<AuthScheme> schemes = new ArrayList<>(List.of(AuthScheme.NO_AUTH));
        SocksInitRequest request = new SocksInitRequest(schemes);
        schemes.add(AuthScheme.AUTH_GSSAPI);
        assertEquals(List.of(AuthScheme.NO_AUTH), request.getAuthSchemes());
        assertThrows(
                UnsupportedOperationException.class,
                () -> request.getAuthSchemes().add(AuthScheme.UNKNOWN));
    }

    @Test
    void shouldRefuseWhatDoesNotFitIntoAMessage() {
        assertRefused(
                "authSchemes > 255: 256", () -> new SocksInitRequest(Collections.nCopies(256, AuthScheme.NO_AUTH)));
        assertRefused("username > 255 characters: 256", () -> new SocksAuthRequest("n".repeat(256), "p"));
        assertRefused("password > 255 characters: 300", () -> new SocksAuthRequest("n", "p".repeat(300)));
        assertRefused("password is not ASCII", () -> new SocksAuthRequest("n", "p\u0100"));
        assertRefused(
                "host > 255 characters: 256",
                () -> new SocksCmdRequest(CmdType.CONNECT, AddressType.DOMAIN, "a." + "ab.".repeat(84) + "ab", 1));
        assertRefused("host is not a name: 'a?b'", () -> named("a\0b"));
        assertRefused("host is not a name: 'a?'", () -> named("a\r"));
        assertRefused("host is not a name: ''", () -> named(""));
        assertRefused(
                "host is not an IPv4 address: '::1'",
                () -> new SocksCmdRequest(CmdType.CONNECT, AddressType.IPv4, "::1", 1));
        assertRefused(
                "host is not an IPv6 address: 'a.b'",
                () -> new SocksCmdResponse(CmdStatus.SUCCESS, AddressType.IPv6, "a.b", 1));
        assertRefused(
                "port is not in 0 to 65535: 65536",
                () -> new SocksCmdRequest(CmdType.UDP, AddressType.IPv4, "1.2.3.4", 65536));
        assertRefused("port is not in 1 to 65535: 0", () -> new Socks4Request(CmdType.CONNECT, "1.2.3.4", 0, ""));
        assertRefused("userId has a NUL at index 1", () -> new Socks4Request(CmdType.CONNECT, "1.2.3.4", 1, "a\0b"));
        // U+0100 ends in a zero byte; an encoder that truncates characters would send that
        assertRefused("userId is not ASCII", () -> new Socks4Request(CmdType.CONNECT, "1.2.3.4", 1, "a\u0100"));
        assertRefused(
                "host is 0.0.0.x, which announces a name: 0.0.0.7",
                () -> new Socks4Request(CmdType.CONNECT, "0.0.0.7", 1, ""));
        assertRefused(
                "host is not an IPv4 address: '::1'",
                () -> new Socks4Response(Socks4Response.Status.GRANTED, "::1", 1));
    }

    private static void named(String host) {
        new SocksCmdRequest(CmdType.CONNECT, AddressType.DOMAIN, host, 80);
    }

    private static void assertRefused(String message, Executable making) {
        assertEquals(
                message, assertThrows(IllegalArgumentException.class, making).getMessage());
    }

    @Test
    void shouldNotShowASecretInAFailure() {
        String secret = "s3cret" + "x".repeat(250) + "\u0100";
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> new SocksAuthRequest("n", secret));
        assertFalse(refused.getMessage().contains("s3cret"), refused.getMessage());
    }
}
