package org.freshet.example.proxy;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Random;
import java.util.zip.CRC32;
import org.freshet.example.Arguments;

/** A fast sender, the proxy and a slow reader in one program, over loopback. */
public final class TcpProxy {
    private static final int MIN_MEBIBYTES = 16;
    private static final int DEFAULT_MEBIBYTES = 64;
    private static final int MAX_MEBIBYTES = 100_000;
    private static final int MEBIBYTE = 1024 * 1024;
    private static final int ANSWER_TIMEOUT_MILLIS = 60_000;

    private TcpProxy() {}

    public static void main(String[] args) throws IOException {
        Arguments arguments = new Arguments("tcp-proxy [MEBIBYTES]", 0, 1, args);
        int mebibytes = arguments.number(0, "mebibytes", MIN_MEBIBYTES, MAX_MEBIBYTES, DEFAULT_MEBIBYTES);
        System.out.println(
                "tcp-proxy: a fast sender, a TCP proxy, a slow reader; while the reader lags behind, the proxy stops");
        System.out.println("reading from the sender, instead of buffering up to " + mebibytes + " MiB");
        ProxyLoad load = new ProxyLoad();
        boolean ok;
        try (SlowTarget target = new SlowTarget()) {
            TcpProxyServer proxy = new TcpProxyServer(target.address(), load);
            try {
                ok = send(
                        (InetSocketAddress) proxy.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                        mebibytes);
            } finally {
                proxy.close();
            }
        } catch (IOException e) {
            System.err.println("failed: " + e);
            ok = false;
        }
        ok &= load.suspensions() > 0 && load.mostHeldBytes() < MEBIBYTE;
        System.out.println("the proxy held at most " + load.mostHeldBytes() / 1024 + " KiB and stopped reading "
                + load.suspensions() + " times: " + (ok ? "right" : "wrong"));
        System.exit(ok ? 0 : 1);
    }

    /** Returns whether the target answers with the checksum of the data sent. */
    private static boolean send(InetSocketAddress proxy, int mebibytes) throws IOException {
        byte[] bytes = new byte[MEBIBYTE];
        new Random(mebibytes).nextBytes(bytes);
        CRC32 crc = new CRC32();
        long startNanos = System.nanoTime();
        try (Socket socket = new Socket(proxy.getAddress(), proxy.getPort())) {
            socket.setSoTimeout(ANSWER_TIMEOUT_MILLIS);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeLong((long) mebibytes * MEBIBYTE);
            for (int sent = 1; sent <= mebibytes; sent++) {
                bytes[sent % MEBIBYTE]++; // no two pieces are the same
                out.write(bytes);
                crc.update(bytes);
                if (sent % (mebibytes / 4) == 0) {
                    System.out.printf("%d MiB sent after %.2f s%n", sent, (System.nanoTime() - startNanos) / 1e9);
                }
            }
            boolean same = new DataInputStream(socket.getInputStream()).readLong() == crc.getValue();
            System.out.println(same ? "the reader has it all" : "the reader got something else");
            return same;
        }
    }
}
