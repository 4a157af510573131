package org.freshet.example.soak;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandler;
import org.freshet.handler.ssl.SslContext;

/** Sends random bytes in random pieces, and compares each byte that comes back. */
final class EchoVisit implements Visit {
    private static final int MAX_ROUNDS = 5;
    private static final int MAX_BYTES = 100_000;
    private static final int MAX_PIECE_BYTES = 20_000;

    /** Null for an echo without TLS. */
    private final SslContext tls;

    EchoVisit(SslContext tls) {
        this.tls = tls;
    }

    @Override
    public void pay(Guest guest) throws ClosedEarlyException, WrongException, InterruptedException {
        ChannelHandler[] handlers = tls == null ? new ChannelHandler[0] : new ChannelHandler[] {tls.newHandler()};
        Service service = tls == null ? Service.ECHO : Service.TLS_ECHO;
        try (Connection connection = Connection.open(guest, service, handlers)) {
            for (int round = guest.upTo(MAX_ROUNDS); round > 0; round--) {
                byte[] bytes = new byte[guest.upTo(MAX_BYTES)];
                guest.random().nextBytes(bytes);
                send(guest, connection, bytes);
                receive(connection, bytes);
                guest.ledger().onExchange();
            }
        }
    }

    private static void send(Guest guest, Connection connection, byte[] bytes) {
        int max = guest.upTo(MAX_PIECE_BYTES);
        for (int at = 0; at < bytes.length; ) {
            int length = Math.min(bytes.length - at, guest.upTo(max) + max / 10);
            connection.write(ChannelBuffers.wrappedBuffer(bytes, at, length));
            at += length;
        }
    }

    private static void receive(Connection connection, byte[] expected)
            throws ClosedEarlyException, WrongException, InterruptedException {
        for (int at = 0; at < expected.length; ) {
            ChannelBuffer piece = (ChannelBuffer) connection.next();
            int length = piece.readableBytes();
            if (length > expected.length - at || !piece.equals(ChannelBuffers.wrappedBuffer(expected, at, length))) {
                throw new WrongException(
                        "the echo differs in the " + length + " bytes from byte " + at + " of " + expected.length);
            }
            at += length;
        }
    }
}
