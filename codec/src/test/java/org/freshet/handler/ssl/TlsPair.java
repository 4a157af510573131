package org.freshet.handler.ssl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.IntSupplier;
import javax.net.ssl.SSLException;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.testing.MemoryChannel;

/** A client's and a server's handler, and a wire between them that delivers pieces of any size. */
final class TlsPair {
    static final String TLS_1_2 = "TLSv1.2";
    static final String TLS_1_3 = "TLSv1.3";

    final SslHandler clientHandler;
    final SslHandler serverHandler;
    final MemoryChannel client;
    final MemoryChannel server;

    /** The size of the next piece on the wire; at least 1. */
    private final IntSupplier pieceBytes;

    /** The number of delivered writes, and their bytes. */
    int deliveries;

    int deliveredBytes;

    TlsPair(SslHandler clientHandler, SslHandler serverHandler, IntSupplier pieceBytes) {
        this.clientHandler = clientHandler;
        this.serverHandler = serverHandler;
        this.pieceBytes = pieceBytes;
        server = MemoryChannel.connected(serverHandler);
        client = MemoryChannel.connected(clientHandler);
    }

    /** Uses handlers that are already in pipelines. */
    TlsPair(
            SslHandler clientHandler,
            MemoryChannel client,
            SslHandler serverHandler,
            MemoryChannel server,
            IntSupplier pieceBytes) {
        this.clientHandler = clientHandler;
        this.serverHandler = serverHandler;
        this.pieceBytes = pieceBytes;
        this.server = server;
        this.client = client;
    }

    /** Both with defaults and one TLS version, for localhost. */
    static TlsPair of(String protocol) throws SSLException {
        return of(protocol, () -> Integer.MAX_VALUE);
    }

    static TlsPair of(String protocol, IntSupplier pieceBytes) throws SSLException {
        return of(
                Certificates.client().protocols(protocol), Certificates.server().protocols(protocol), pieceBytes);
    }

    static TlsPair of(SslContextBuilder client, SslContextBuilder server, IntSupplier pieceBytes) throws SSLException {
        return new TlsPair(
                client.build().newHandler("localhost", 443), server.build().newHandler(), pieceBytes);
    }

    /** After the handshake. */
    TlsPair established() {
        pump();
        assertTrue(clientHandler.handshake().isSuccess(), () -> "client: " + clientHandler.handshake());
        assertTrue(serverHandler.handshake().isSuccess(), () -> "server: " + serverHandler.handshake());
        return this;
    }

    /** Delivers until neither side has anything left to send. */
    void pump() {
        while (deliver(client, server) | deliver(server, client)) {
            // each delivery may cause another one
        }
    }

    boolean deliver(MemoryChannel from, MemoryChannel to) {
        List<Object> written = from.takeWritten();
        for (Object message : written) {
            ChannelBuffer bytes = (ChannelBuffer) message;
            deliveries++;
            deliveredBytes += bytes.readableBytes();
            while (bytes.readable() && to.isConnected()) {
                to.receive(bytes.readBytes(Math.min(bytes.readableBytes(), pieceBytes.getAsInt())));
            }
        }
        return !written.isEmpty();
    }

    void assertNothingCaught() {
        assertEquals(List.of(), client.takeCaught());
        assertEquals(List.of(), server.takeCaught());
    }

    /** All bytes that reached the top of a channel. */
    static ChannelBuffer received(MemoryChannel channel) {
        ChannelBuffer all = ChannelBuffers.dynamicBuffer();
        for (Object message : channel.takeReceived()) {
            all.writeBytes((ChannelBuffer) message);
        }
        return all;
    }
}
