package org.freshet.channel.socket.nio.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.function.Function;
import org.freshet.channel.ChannelException;
import org.freshet.channel.socket.InternetProtocolFamily;
import org.junit.jupiter.api.Test;

class NonBlockingSocketsTest {
    /** Has no descriptors left. */
    private static final SelectorProvider EXHAUSTED = new SelectorProvider() {
        private IOException none() {
            return new IOException("no descriptors, on purpose");
        }

        @Override
        public DatagramChannel openDatagramChannel() throws IOException {
            throw new IOException("no descriptors for any family");
        }

        @Override
        public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
            throw new IOException("no descriptors for " + family);
        }

        @Override
        public Pipe openPipe() throws IOException {
            throw none();
        }

        @Override
        public AbstractSelector openSelector() throws IOException {
            throw none();
        }

        @Override
        public ServerSocketChannel openServerSocketChannel() throws IOException {
            throw none();
        }

        @Override
        public SocketChannel openSocketChannel() throws IOException {
            throw none();
        }
    };

    private static void shouldNotBlock(Function<SelectorProvider, ? extends SelectableChannel> opening)
            throws IOException {
        try (SelectableChannel socket = opening.apply(SelectorProvider.provider())) {
            assertFalse(socket.isBlocking());
        }
    }

    private static void shouldFail(Function<SelectorProvider, ?> opening, String message) {
        ChannelException thrown = assertThrows(ChannelException.class, () -> opening.apply(EXHAUSTED));
        assertEquals(message, thrown.getMessage());
    }

    @Test
    void shouldOpenSocketsThatDoNotBlock() throws IOException {
        shouldNotBlock(NonBlockingSockets::openServer);
        shouldNotBlock(NonBlockingSockets::openClient);
        shouldNotBlock(NonBlockingSockets::openUnixServer);
        shouldNotBlock(NonBlockingSockets::openUnixClient);
        shouldNotBlock(provider -> NonBlockingSockets.openDatagram(provider, null));
        shouldNotBlock(provider -> NonBlockingSockets.openDatagram(provider, InternetProtocolFamily.IPv4));
        shouldNotBlock(provider -> NonBlockingSockets.openDatagram(provider, InternetProtocolFamily.IPv6));
    }

    @Test
    void shouldSayWhichSocketCouldNotBeOpened() {
        shouldFail(NonBlockingSockets::openServer, "could not open a listening socket");
        shouldFail(NonBlockingSockets::openClient, "could not open a socket for a connection");
        shouldFail(NonBlockingSockets::openUnixServer, "could not open a listening Unix domain socket");
        shouldFail(NonBlockingSockets::openUnixClient, "could not open a Unix domain socket for a connection");
        shouldFail(provider -> NonBlockingSockets.openDatagram(provider, null), "could not open a datagram socket");
        shouldFail(
                provider -> NonBlockingSockets.openDatagram(provider, InternetProtocolFamily.IPv6),
                "could not open a datagram socket of IPv6");
    }

    /** An IPv4 socket cannot have an IPv6 address. */
    @Test
    void shouldOpenADatagramSocketOfTheFamilyAskedFor() throws IOException {
        try (DatagramChannel socket =
                NonBlockingSockets.openDatagram(SelectorProvider.provider(), InternetProtocolFamily.IPv4)) {
            assertThrows(UnsupportedAddressTypeException.class, () -> socket.bind(new InetSocketAddress("::1", 0)));
        }
    }

    private static String failureFor(InternetProtocolFamily family) {
        return assertThrows(ChannelException.class, () -> NonBlockingSockets.openDatagram(EXHAUSTED, family))
                .getCause()
                .getMessage();
    }

    @Test
    void shouldLetTheSystemChooseTheFamilyUnlessOneIsAskedFor() {
        assertEquals("no descriptors for INET", failureFor(InternetProtocolFamily.IPv4));
        assertEquals("no descriptors for INET6", failureFor(InternetProtocolFamily.IPv6));
        assertEquals("no descriptors for any family", failureFor(null));
    }

    /** The socket would otherwise stay open, and nothing would know of it. */
    @Test
    void shouldCloseASocketThatCannotBeMadeNonBlocking() {
        StubbornSocket socket = new StubbornSocket();
        IOException thrown = assertThrows(IOException.class, () -> NonBlockingSockets.nonBlocking(socket));
        assertInstanceOf(IOException.class, thrown);
        assertFalse(socket.isOpen());
    }

    private static final class StubbornSocket extends AbstractSelectableChannel {
        StubbornSocket() {
            super(SelectorProvider.provider());
        }

        @Override
        protected void implCloseSelectableChannel() {}

        @Override
        protected void implConfigureBlocking(boolean isBlocking) throws IOException {
            throw new IOException("thrown on purpose");
        }

        @Override
        public int validOps() {
            return SelectionKey.OP_READ;
        }
    }
}
