package org.freshet.channel.socket.nio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.freshet.bootstrap.ConnectionlessBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.socket.InternetProtocolFamily;
import org.freshet.testing.Await;

/** A factory of UDP channels and common test operations; closing it ends every thread and channel. */
final class DatagramRig implements AutoCloseable {
    final NioDatagramChannelFactory factory;

    DatagramRig() {
        this(null);
    }

    DatagramRig(InternetProtocolFamily family) {
        factory = new NioDatagramChannelFactory(Executors.newCachedThreadPool(), 2, family);
    }

    NioDatagramChannel open(ChannelHandler handler) {
        return (NioDatagramChannel) factory.newChannel(Channels.pipeline(handler));
    }

    /** On a free loopback port. */
    NioDatagramChannel bind(ChannelHandler handler) {
        return bind(Rig.FREE_PORT, handler, Map.of());
    }

    NioDatagramChannel bind(SocketAddress address, ChannelHandler handler, Map<String, Object> options) {
        ConnectionlessBootstrap bootstrap = new ConnectionlessBootstrap(factory);
        bootstrap.setPipelineFactory(() -> Channels.pipeline(handler));
        bootstrap.setOptions(options);
        return (NioDatagramChannel) bootstrap.bind(address);
    }

    static ChannelBuffer bytes(String latin1) {
        return ChannelBuffers.copiedBuffer(latin1, ISO_8859_1);
    }

    /** An address without a listener. */
    static InetSocketAddress nobody() throws SocketException {
        try (DatagramSocket gone = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            return (InetSocketAddress) gone.getLocalSocketAddress();
        }
    }

    @Override
    public void close() {
        factory.releaseExternalResources();
    }

    /** Records each datagram and its sender. */
    static class Mailbox extends Recorder {
        private final List<String> letters = new CopyOnWriteArrayList<>();
        private final List<SocketAddress> senders = new CopyOnWriteArrayList<>();

        @Override
        void onMessage(MessageEvent e) throws Exception {
            senders.add(e.getRemoteAddress());
            letters.add(((ChannelBuffer) e.getMessage()).toString(ISO_8859_1));
        }

        List<String> letters() {
            return letters;
        }

        List<SocketAddress> senders() {
            return senders;
        }

        List<String> awaitLetters(int count) {
            Await.until(() -> letters.size() >= count, () -> count + " datagrams, got " + letters + failures());
            return letters;
        }

        Throwable awaitFailure() {
            Await.until(() -> !failures().isEmpty(), "exceptionCaught");
            return failures().get(0);
        }
    }
}
