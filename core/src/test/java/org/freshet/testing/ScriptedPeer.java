package org.freshet.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The other end of a TCP connection, controlled step by step by a test: it sends in fragments, reads as much as it is
 * asked to or nothing, ends its output, resets. It uses plain blocking sockets, so that testing Freshet does not depend
 * on Freshet. Every read fails after {@link Await#LIMIT}. For one thread at a time.
 */
public final class ScriptedPeer implements AutoCloseable {
    private final Socket socket;

    ScriptedPeer(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true); // otherwise the system joins the fragments again
        socket.setSoTimeout((int) Await.LIMIT.toMillis());
    }

    public static ScriptedPeer connect(SocketAddress address) throws IOException {
        return connect(address, 0);
    }

    /**
     * Connects with a given receive buffer size, so that little fits in beyond what the peer reads.
     *
     * @param receiveBufferBytes 0 leaves the size to the system
     */
    public static ScriptedPeer connect(SocketAddress address, int receiveBufferBytes) throws IOException {
        Socket socket = new Socket();
        if (receiveBufferBytes > 0) {
            socket.setReceiveBufferSize(receiveBufferBytes);
        }
        socket.connect(address, (int) Await.LIMIT.toMillis());
        return new ScriptedPeer(socket);
    }

    public InetSocketAddress localAddress() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    public InetSocketAddress remoteAddress() {
        return (InetSocketAddress) socket.getRemoteSocketAddress();
    }

    /** For anything that the script has no method for. */
    public Socket socket() {
        return socket;
    }

    public ScriptedPeer send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /** Sends text of characters up to U+00FF, one byte each. */
    public ScriptedPeer send(String latin1) throws IOException {
        return send(latin1.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Sends in segments of {@code fragmentBytes}, the last perhaps shorter. */
    public ScriptedPeer sendInFragments(byte[] bytes, int fragmentBytes) throws IOException {
        for (int from = 0; from < bytes.length; from += fragmentBytes) {
            send(Arrays.copyOfRange(bytes, from, Math.min(from + fragmentBytes, bytes.length)));
        }
        return this;
    }

    public ScriptedPeer sendByteByByte(byte[] bytes) throws IOException {
        return sendInFragments(bytes, 1);
    }

    /** Reads exactly this many bytes; fails if the stream ends before that. */
    public byte[] read(int byteCount) throws IOException {
        byte[] bytes = socket.getInputStream().readNBytes(byteCount);
        if (bytes.length < byteCount) {
            throw new AssertionError("the stream ended after " + bytes.length + " of " + byteCount + " bytes");
        }
        return bytes;
    }

    /** Like {@link #read(int)}, as text of one byte per character. */
    public String readText(int byteCount) throws IOException {
        return new String(read(byteCount), StandardCharsets.ISO_8859_1);
    }

    /** Reads one line and strips its end, LF or CR LF. */
    public String readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        InputStream in = socket.getInputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new AssertionError("the stream ended within a line: " + line);
            }
            line.write(b);
        }
        String text = line.toString(StandardCharsets.ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    /** Reads until the other side ends its output. */
    public byte[] readToEnd() throws IOException {
        return socket.getInputStream().readAllBytes();
    }

    /** Waits for the other side to end its output or to reset; fails if bytes come before that. */
    public void awaitEnd() throws IOException {
        int b;
        try {
            b = socket.getInputStream().read();
        } catch (SocketException reset) {
            return;
        }
        if (b >= 0) {
            throw new AssertionError("a byte came instead of the end: " + b);
        }
    }

    /** Ends the output of this side; the other side can still be read. */
    public ScriptedPeer endOutput() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    /** Closes so that the other side sees a reset instead of an end. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
