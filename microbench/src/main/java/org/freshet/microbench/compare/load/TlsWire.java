package org.freshet.microbench.compare.load;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;

/**
 * A client's TLS over a channel. {@link #read} needs a target with space for everything that {@link #RECEIVE_BYTES}
 * decrypt to.
 */
final class TlsWire implements Wire {
    private static final int RECEIVE_BYTES = 64 * 1024;

    private final SocketChannel channel;
    private final SSLEngine engine;

    /** Received but not decrypted, between 0 and the position. */
    private final ByteBuffer received = ByteBuffer.allocate(RECEIVE_BYTES);

    /** Encrypted but not sent, between position and limit. */
    private final ByteBuffer toSend;

    /** Does the handshake on the {@code channel}, which is blocking. */
    TlsWire(SocketChannel channel, SSLEngine engine) throws IOException {
        this.channel = channel;
        this.engine = engine;
        this.toSend =
                ByteBuffer.allocate(engine.getSession().getPacketBufferSize()).limit(0);
        shakeHands();
    }

    private void shakeHands() throws IOException {
        ByteBuffer nothing = ByteBuffer.allocate(0);
        ByteBuffer noMessages = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
        engine.beginHandshake();
        while (true) {
            switch (engine.getHandshakeStatus()) {
                case NEED_WRAP -> {
                    encrypt(nothing);
                    flush();
                }
                case NEED_UNWRAP -> {
                    if (decrypt(noMessages).getStatus() == Status.BUFFER_UNDERFLOW && channel.read(received) < 0) {
                        throw new EOFException("the server closed the connection during the handshake");
                    }
                }
                case NEED_TASK -> engine.getDelegatedTask().run();
                default -> {
                    return;
                }
            }
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        int start = target.position();
        int count = channel.read(received);
        while (decrypt(target).bytesConsumed() > 0 && !engine.isInboundDone()) {
            requireNoHandshake();
        }
        int decrypted = target.position() - start;
        return decrypted == 0 && (count < 0 || engine.isInboundDone()) ? -1 : decrypted;
    }

    private SSLEngineResult decrypt(ByteBuffer target) throws IOException {
        received.flip();
        SSLEngineResult result = engine.unwrap(received, target);
        received.compact();
        return result;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        int start = source.position();
        while (source.hasRemaining() && flush()) {
            encrypt(source);
            requireNoHandshake();
        }
        flush();
        return source.position() - start;
    }

    private void encrypt(ByteBuffer source) throws IOException {
        SSLEngineResult result = engine.wrap(source, toSend.clear());
        toSend.flip();
        if (result.getStatus() != Status.OK) {
            throw new IOException("encryption failed: " + result);
        }
    }

    @Override
    public boolean flush() throws IOException {
        if (toSend.hasRemaining()) {
            channel.write(toSend);
        }
        return !toSend.hasRemaining();
    }

    private void requireNoHandshake() throws IOException {
        if (engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
            throw new IOException("the server wants another handshake: " + engine.getHandshakeStatus());
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
