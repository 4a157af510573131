package org.freshet.handler.ssl;

import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/**
 * A server's engine that encrypts nothing, for tests of handlers that ask which protocol was agreed on. Its handshake ends
 * when the peer's first record, {@link #hello()}, arrives. What it sends is plain text without records.
 */
public final class AgreedEngine extends FaultyEngine {
    private static final int HANDSHAKE = 22;
    private static final int APPLICATION_DATA = 23;

    private final String protocol;
    private boolean isDone;

    /** @param protocol what both sides agree on */
    public AgreedEngine(String protocol) {
        super(newEngine());
        this.protocol = protocol;
    }

    private static SSLEngine newEngine() {
        try {
            SSLEngine engine = SSLContext.getDefault().createSSLEngine();
            engine.setUseClientMode(false);
            return engine;
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /** The record that ends the handshake. */
    public static ChannelBuffer hello() {
        return record(HANDSHAKE, new byte[1]);
    }

    /** A record with bytes for the handlers. */
    public static ChannelBuffer data(byte... bytes) {
        return record(APPLICATION_DATA, bytes);
    }

    private static ChannelBuffer record(int type, byte... bytes) {
        ChannelBuffer record = ChannelBuffers.dynamicBuffer();
        record.writeByte(type);
        record.writeShort(0x303);
        record.writeShort(bytes.length);
        record.writeBytes(bytes);
        return record;
    }

    @Override
    public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer[] targets, int offset, int length) {
        int before = source.position();
        source.position(before + TlsRecords.HEADER_BYTES);
        int content = source.remaining();
        if (isDone) {
            targets[offset].put(source);
        } else {
            source.position(source.limit());
        }
        HandshakeStatus status = isDone ? HandshakeStatus.NOT_HANDSHAKING : HandshakeStatus.FINISHED;
        int produced = isDone ? content : 0;
        isDone = true;
        return new SSLEngineResult(Status.OK, status, source.position() - before, produced);
    }

    @Override
    public SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer target) {
        int before = target.position();
        for (int i = offset; i < offset + length; i++) {
            target.put(sources[i]);
        }
        int moved = target.position() - before;
        return new SSLEngineResult(Status.OK, getHandshakeStatus(), moved, moved);
    }

    @Override
    public HandshakeStatus getHandshakeStatus() {
        return isDone ? HandshakeStatus.NOT_HANDSHAKING : HandshakeStatus.NEED_UNWRAP;
    }

    @Override
    public void beginHandshake() {}

    @Override
    public String getApplicationProtocol() {
        return protocol;
    }
}
