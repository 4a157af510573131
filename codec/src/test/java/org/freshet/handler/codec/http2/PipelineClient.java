package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.freshet.handler.codec.http2.PipelineAsk.Answer;
import org.freshet.testing.Await;

/**
 * A blocking client that sends requests and reads answers on demand, and checks strictly what it reads. For one thread.
 */
abstract class PipelineClient implements AutoCloseable {
    private static final int RECEIVE_BUFFER = 32 * 1024;

    /** The connection below TLS. */
    private final Socket plain;

    final Socket socket;
    final DataInputStream in;

    PipelineClient(Socket plain, Socket socket) throws IOException {
        this.plain = plain;
        this.socket = socket;
        in = new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream(), 8 * 1024));
    }

    /** @param preamble sent before everything else, including TLS */
    static PipelineClient connect(PipelineWire wire, InetSocketAddress server, String preamble) throws IOException {
        Socket plain = new Socket();
        plain.setReceiveBufferSize(RECEIVE_BUFFER); // little fits in beyond what the client reads
        plain.setTcpNoDelay(true);
        plain.setSoTimeout((int) Await.LIMIT.toMillis());
        plain.connect(server, (int) Await.LIMIT.toMillis());
        plain.getOutputStream().write(preamble.getBytes(ISO_8859_1));
        Socket socket = wire.isTls ? secured(wire, plain) : plain;
        return wire.isHttp2 ? new PipelineHttp2Client(plain, socket) : new PipelineHttp1Client(plain, socket);
    }

    private static SSLSocket secured(PipelineWire wire, Socket plain) throws IOException {
        SSLSocket secured =
                (SSLSocket) wire.clientTls().getSocketFactory().createSocket(plain, "localhost", plain.getPort(), true);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {wire.isHttp2 ? "h2" : "http/1.1"});
        parameters.setServerNames(List.of(new SNIHostName("localhost"))); // not automatic for a name without a dot
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }

    /** The address by which the server knows this connection. */
    int port() {
        return plain.getLocalPort();
    }

    /** Sends requests in one write. Returns the number of the first; the others follow. */
    abstract int[] send(PipelineAsk... asks) throws IOException;

    /** Reads until the final answer to a request is complete. Earlier answers have been read before. */
    abstract Answer receive(int number) throws IOException;

    /** Sends bytes after a request that has ended HTTP. */
    abstract void sendRaw(int number, byte[] bytes) throws IOException;

    /** Reads this many bytes after the answer to such a request. */
    abstract byte[] receiveRaw(int number, int count) throws IOException;

    Answer ask(PipelineAsk ask) throws IOException {
        return receive(send(ask)[0]);
    }

    /** Reads to the end of the connection; no other answer may precede it. */
    abstract void awaitEnd() throws IOException;

    /** The next byte; -1 at the end, including a reset. */
    int readOrEnd() throws IOException {
        try {
            return in.read();
        } catch (SocketException reset) {
            return -1;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
