package org.freshet.channel.socket.nio.loop;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import org.freshet.channel.ChannelException;
import org.freshet.channel.socket.InternetProtocolFamily;

/** Opens non-blocking sockets. Any thread may call it. */
public final class NonBlockingSockets {
    private NonBlockingSockets() {}

    public static ServerSocketChannel openServer(SelectorProvider provider) {
        try {
            return nonBlocking(provider.openServerSocketChannel());
        } catch (IOException e) {
            throw new ChannelException("could not open a listening socket", e);
        }
    }

    public static SocketChannel openClient(SelectorProvider provider) {
        try {
            return nonBlocking(provider.openSocketChannel());
        } catch (IOException e) {
            throw new ChannelException("could not open a socket for a connection", e);
        }
    }

    public static ServerSocketChannel openUnixServer(SelectorProvider provider) {
        try {
            return nonBlocking(provider.openServerSocketChannel(StandardProtocolFamily.UNIX));
        } catch (IOException | UnsupportedOperationException e) {
            throw new ChannelException("could not open a listening Unix domain socket", e);
        }
    }

    public static SocketChannel openUnixClient(SelectorProvider provider) {
        try {
            return nonBlocking(provider.openSocketChannel(StandardProtocolFamily.UNIX));
        } catch (IOException | UnsupportedOperationException e) {
            throw new ChannelException("could not open a Unix domain socket for a connection", e);
        }
    }

    /** @param family null lets the system choose */
    public static DatagramChannel openDatagram(SelectorProvider provider, InternetProtocolFamily family) {
        try {
            return nonBlocking(
                    family == null
                            ? provider.openDatagramChannel()
                            : provider.openDatagramChannel(protocolFamily(family)));
        } catch (IOException | UnsupportedOperationException e) {
            throw new ChannelException("could not open a datagram socket" + (family == null ? "" : " of " + family), e);
        }
    }

    private static ProtocolFamily protocolFamily(InternetProtocolFamily family) {
        return family == InternetProtocolFamily.IPv4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6;
    }

    public static <S extends SelectableChannel> S nonBlocking(S socket) throws IOException {
        try {
            socket.configureBlocking(false);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }
}
