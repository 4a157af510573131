package org.freshet.channel.socket.oio;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Arrays;
import org.freshet.channel.ReceiveBufferSizePredictor;
import org.freshet.internal.transport.Datagrams;

/** Receives datagrams until the channel is closed. Belongs to the channel's I/O thread; any thread may {@link #close}. */
final class DatagramReader {
    /** The maximum size of a UDP datagram. */
    private static final int LARGEST_DATAGRAM_BYTES = 65_535;

    private final OioDatagramChannel channel;
    private final DatagramChannel socket;
    private final Selector selector;

    /** One byte longer than the expected datagram, to detect truncation. Replaced when the expected size changes. */
    private ByteBuffer buffer = ByteBuffer.allocate(0);

    DatagramReader(OioDatagramChannel channel, DatagramChannel socket) throws IOException {
        this.channel = channel;
        this.socket = socket;
        selector = Selector.open();
        try {
            socket.register(selector, SelectionKey.OP_READ);
        } catch (IOException e) {
            selector.close();
            throw e;
        }
    }

    /** Returns when the channel is closed. Called on the I/O thread. */
    void run() throws IOException {
        try {
            while (channel.awaitReadable()) {
                selector.select();
                selector.selectedKeys().clear();
                if (channel.awaitReadable()) {
                    receive();
                }
            }
        } catch (IOException | ClosedSelectorException e) {
            if (channel.mayReceive()) {
                throw e;
            }
        }
    }

    private void receive() throws IOException {
        ReceiveBufferSizePredictor predictor = channel.explicitPredictor();
        int space = predictor == null ? LARGEST_DATAGRAM_BYTES : predictor.nextReceiveBufferSize();
        SocketAddress sender;
        try {
            sender = socket.receive(cleared(space));
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            // Caused by a datagram sent earlier to the connected peer, for example PortUnreachableException.
            channel.runEvent(() -> channel.announceFailure(e));
            return;
        }
        if (sender == null) {
            return;
        }
        int length = buffer.position();
        if (predictor != null) {
            predictor.previousReceiveBufferSize(Math.min(length, space));
        }
        if (length > space) {
            channel.runEvent(() -> channel.announceFailure(Datagrams.truncated(space, sender)));
        } else {
            byte[] bytes = Arrays.copyOf(buffer.array(), length);
            channel.deliver(channel.getConfig().getBufferFactory().getBuffer(bytes, 0, length), sender);
        }
    }

    private ByteBuffer cleared(int space) {
        if (buffer.capacity() != space + 1) {
            buffer = ByteBuffer.allocate(space + 1);
        }
        return buffer.clear();
    }

    void close() throws IOException {
        selector.close();
    }
}
