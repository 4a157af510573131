package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.freshet.testing.Await;

/**
 * A client that never stops sending but still reads its answer. Like most programs, it reads available input, otherwise
 * sends, and gives up when it cannot send.
 */
public final class EndlessClient {
    private EndlessClient() {}

    /**
     * Sends a head and then a piece repeatedly.
     *
     * @return the server's output up to its end, as ISO 8859-1
     * @throws IOException if the server resets the connection before that end was read
     */
    public static String converse(InetSocketAddress server, String head, byte[] piece) throws IOException {
        try (SocketChannel client = SocketChannel.open(server);
                Selector selector = Selector.open()) {
            client.write(ByteBuffer.wrap(head.getBytes(ISO_8859_1)));
            client.configureBlocking(false);
            SelectionKey key = client.register(selector, SelectionKey.OP_READ | SelectionKey.OP_WRITE);
            StringBuilder received = new StringBuilder();
            ByteBuffer in = ByteBuffer.allocate(1024);
            ByteBuffer out = ByteBuffer.wrap(piece);
            while (true) {
                selector.selectedKeys().clear();
                if (selector.select(Await.LIMIT.toMillis()) == 0) {
                    throw new AssertionError("nothing happens; received: " + received);
                }
                if (key.isReadable()) {
                    if (client.read(in.clear()) < 0) {
                        return received.toString();
                    }
                    received.append(ISO_8859_1.decode(in.flip()));
                } else {
                    client.write(out.hasRemaining() ? out : out.clear());
                }
            }
        }
    }
}
