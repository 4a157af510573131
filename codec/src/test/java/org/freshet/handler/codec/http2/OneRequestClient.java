package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.testing.Await;

/** A blocking client for one request of HTTP/1.1 or HTTP/2, in clear or over TLS by ALPN. A POST has three bytes of content. */
final class OneRequestClient implements AutoCloseable {
    private static final String CONTENT = "abc";

    private final Socket socket;
    private final boolean speaksHttp2;

    private OneRequestClient(Socket socket, boolean speaksHttp2) {
        this.socket = socket;
        this.speaksHttp2 = speaksHttp2;
    }

    /** @param trusted the server's certificate; null without TLS */
    static OneRequestClient connect(InetSocketAddress server, X509Certificate trusted, boolean speaksHttp2)
            throws IOException, GeneralSecurityException {
        Socket socket = new Socket(server.getAddress(), server.getPort());
        socket.setSoTimeout((int) Await.LIMIT.toMillis());
        return new OneRequestClient(trusted == null ? socket : secured(socket, trusted, speaksHttp2), speaksHttp2);
    }

    private static SSLSocket secured(Socket socket, X509Certificate trusted, boolean speaksHttp2)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("server", trusted);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        SSLSocket secured =
                (SSLSocket) context.getSocketFactory().createSocket(socket, "localhost", socket.getPort(), true);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {speaksHttp2 ? "h2" : "http/1.1"});
        secured.setSSLParameters(parameters);
        return secured;
    }

    /**
     * Returns the answer as text: the status, the headers and the content.
     *
     * @param request method and path
     * @param headers a line each; empty ones are left out
     */
    String ask(String request, String... headers) throws IOException {
        List<String> lines = new ArrayList<>(List.of(headers));
        lines.removeIf(String::isEmpty);
        boolean hasContent = request.startsWith("POST") && !lines.contains("expect: 100-continue");
        if (request.startsWith("POST")) {
            lines.add("content-length: " + CONTENT.length());
        }
        return speaksHttp2 ? askHttp2(request.split(" "), lines, hasContent) : askHttp1(request, lines, hasContent);
    }

    private void send(byte[]... parts) throws IOException {
        OutputStream out = socket.getOutputStream();
        for (byte[] part : parts) {
            out.write(part);
        }
        out.flush();
    }

    private String askHttp1(String request, List<String> lines, boolean hasContent) throws IOException {
        boolean upgrades = lines.contains("connection: Upgrade");
        String head = request + " HTTP/1.1\r\nhost: localhost\r\n" + (upgrades ? "" : "connection: close\r\n")
                + String.join("\r\n", lines) + (lines.isEmpty() ? "" : "\r\n") + "\r\n";
        send((head + (hasContent ? CONTENT : "")).getBytes(ISO_8859_1));
        return upgrades ? readHead() : new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }

    private String readHead() throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        return head.toString();
    }

    private String askHttp2(String[] request, List<String> lines, boolean hasContent) throws IOException {
        FramePeer frames = new FramePeer();
        List<String> more = new ArrayList<>();
        for (String line : lines) {
            more.addAll(List.of(line.split(": ", 2)));
        }
        boolean endsHere = !request[0].equals("POST");
        send(
                Http2ServerHandler.PREFACE,
                FramePeer.frame(FramePeer.SETTINGS, 0, 0),
                frames.request(1, endsHere, request[0], request[1], more.toArray(new String[0])),
                hasContent ? FramePeer.data(1, true, CONTENT) : new byte[0]);
        return readStream(frames);
    }

    private String readStream(FramePeer frames) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        StringBuilder answer = new StringBuilder();
        while (true) {
            int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            int streamId = in.readInt();
            byte[] payload = in.readNBytes(length);
            if (type == FramePeer.HEADERS) {
                List<String> fields = frames.decoded(ChannelBuffers.wrappedBuffer(payload));
                for (int i = 0; i < fields.size(); i += 2) {
                    answer.append(fields.get(i))
                            .append(": ")
                            .append(fields.get(i + 1))
                            .append("\r\n");
                }
            } else if (type == FramePeer.DATA) {
                answer.append(new String(payload, ISO_8859_1));
            }
            boolean ends = type <= FramePeer.HEADERS && (flags & FramePeer.END_STREAM) != 0;
            if (ends || type == FramePeer.RST_STREAM || type == FramePeer.GOAWAY) {
                return answer + (ends ? "" : " and a frame of type " + type + " of stream " + streamId);
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
