package org.freshet.example.proxy;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32;

/**
 * Reads one connection slowly, with a plain socket: a length (8 bytes), then that many bytes. Answers with their CRC-32
 * (8 bytes). Its kernel buffer is small, so the sender soon notices.
 */
final class SlowTarget implements AutoCloseable {
    private static final int READ_BYTES = 64 * 1024;
    private static final long PAUSE_NANOS = 500_000;

    private final ServerSocket listener = new ServerSocket();

    SlowTarget() throws IOException {
        listener.setReceiveBufferSize(READ_BYTES);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        new Thread(this::serve, "slow target").start();
    }

    SocketAddress address() {
        return listener.getLocalSocketAddress();
    }

    private void serve() {
        try (Socket socket = listener.accept()) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            byte[] bytes = new byte[READ_BYTES];
            CRC32 crc = new CRC32();
            long left = in.readLong();
            while (left > 0) {
                int length = (int) Math.min(bytes.length, left);
                in.readFully(bytes, 0, length);
                crc.update(bytes, 0, length);
                left -= length;
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            new DataOutputStream(socket.getOutputStream()).writeLong(crc.getValue());
        } catch (IOException e) {
            System.err.println("the slow target: " + e);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
