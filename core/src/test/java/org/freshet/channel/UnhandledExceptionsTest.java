package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.UnresolvedAddressException;
import java.util.List;
import org.freshet.internal.PeerCaused;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How loud the log is about an exception that no handler dealt with. */
class UnhandledExceptionsTest {
    private static final class Malformed extends RuntimeException implements PeerCaused {
        private static final long serialVersionUID = 1L;

        Malformed() {
            super("malformed");
        }
    }

    private final CapturedLog log = CapturedLog.start();
    private final FakeChannel channel = new FakeChannel();

    @AfterEach
    void closeLog() {
        log.close();
    }

    static List<Exception> ofAConnect() {
        return List.of(
                new ConnectException("refused"),
                new ConnectException("Connection timed out"),
                new NoRouteToHostException(),
                new UnresolvedAddressException(),
                new BindException("in use"),
                new AlreadyBoundException());
    }

    /** The caller finds the same exception in the future of its request. */
    @ParameterizedTest
    @MethodSource("ofAConnect")
    void shouldOnlyMentionAFailedConnectOrBind(Exception cause) {
        Channels.fireExceptionCaught(channel, cause);
        CapturedLog.Message line = log.only();
        assertEquals(InternalLogLevel.DEBUG, line.level());
        assertEquals("no handler dealt with an exception on " + channel, line.text());
        assertSame(cause, line.cause());
    }

    @ParameterizedTest
    @MethodSource("ofAConnect")
    void shouldWarnOfTheSameExceptionOnceConnected(Exception cause) {
        channel.connected = true;
        Channels.fireExceptionCaught(channel, cause);
        boolean isOfThisRequest = cause instanceof AlreadyBoundException;
        assertEquals(
                isOfThisRequest ? InternalLogLevel.DEBUG : InternalLogLevel.WARN,
                log.only().level());
    }

    @Test
    void shouldWarnOfAnyOtherExceptionBeforeItIsConnected() {
        Exception cause = new IllegalStateException("for this test");
        Channels.fireExceptionCaught(channel, cause);
        assertEquals(InternalLogLevel.WARN, log.only().level());
        assertSame(cause, log.only().cause());
    }

    @Test
    void shouldWarnOfABindThatFailsOnABoundChannel() {
        channel.localAddress = new InetSocketAddress(0);
        Channels.fireExceptionCaught(channel, new BindException("in use"));
        assertEquals(InternalLogLevel.WARN, log.only().level());
    }

    @Test
    void shouldSpendOneLineOnWhatThePeerAloneCanCause() {
        Channels.fireExceptionCaught(channel, new Malformed());
        CapturedLog.Message line = log.only();
        assertEquals("no handler dealt with an exception on " + channel + ": " + new Malformed(), line.text());
        assertNull(line.cause());
    }

    @Test
    void shouldSpendOneLineOnItEvenIfAHandlerThrewIt() {
        channel.getPipeline().addLast("decoder", new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                throw new Malformed();
            }
        });
        Channels.fireMessageReceived(channel, "m");
        assertNull(log.only().cause());
    }

    /** The handler may have lost a connection of its own, such as one to a database. */
    @Test
    void shouldShowWhereAHandlerThrewThatAConnectionWasReset() {
        IOException reset = new IOException("Connection reset by peer");
        channel.getPipeline().addLast("database", new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws IOException {
                throw reset;
            }
        });
        Channels.fireMessageReceived(channel, "m");
        assertSame(reset, log.only().cause());
    }
}
