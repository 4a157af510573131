package org.freshet.example.portunification;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.traffic.BackPressureHandler;

/** A server with several protocols on one port, and a plain-socket client for each, over loopback. */
public final class PortUnification {
    private static final int READ_TIMEOUT_MILLIS = 10_000;

    private PortUnification() {}

    public static void main(String[] args) {
        new Arguments("portunification", 0, 0, args);
        System.out.println(
                "portunification: lines, frames with a length, and either of them in gzip, on one port; the first");
        System.out.println("bytes of a connection decide which, and its pipeline is changed to match");
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        AnswerHandler handler = new AnswerHandler();
        bootstrap.setPipelineFactory(() -> {
            ChannelPipeline pipeline = Channels.pipeline();
            pipeline.addLast("backPressure", new BackPressureHandler());
            pipeline.addLast("detector", new ProtocolDetector(false));
            pipeline.addLast("handler", handler);
            return pipeline;
        });
        boolean ok;
        try {
            ok = askEach((InetSocketAddress) bootstrap
                    .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .getLocalAddress());
        } catch (IOException e) {
            System.err.println("failed: " + e);
            ok = false;
        } finally {
            bootstrap.releaseExternalResources(); // also ends pending answers
        }
        System.out.println("every protocol is recognized: " + (ok ? "right" : "wrong"));
        System.exit(ok ? 0 : 1);
    }

    private static boolean askEach(InetSocketAddress server) throws IOException {
        return ask(server, false, false)
                & ask(server, false, true)
                & ask(server, true, false)
                & ask(server, true, true)
                & unknownProtocolIsRefused(server);
    }

    private static boolean ask(InetSocketAddress server, boolean gzip, boolean frame) throws IOException {
        String question = (frame ? "a frame" : "a line") + (gzip ? " in gzip" : "");
        try (Socket socket = connect(server);
                OutputStream plain = socket.getOutputStream();
                OutputStream out = gzip ? new GZIPOutputStream(plain, true) : plain) { // true: can be flushed
            send(out, question, frame);
            InputStream in = socket.getInputStream();
            String answer = receive(gzip ? new GZIPInputStream(in) : in, frame);
            System.out.println(answer);
            return answer.startsWith(question) && answer.contains("gunzip") == gzip;
        }
    }

    private static void send(OutputStream stream, String question, boolean frame) throws IOException {
        DataOutputStream out = new DataOutputStream(stream);
        if (frame) {
            out.writeInt(question.length());
        }
        out.writeBytes(frame ? question : question + "\n");
        out.flush();
    }

    private static String receive(InputStream stream, boolean frame) throws IOException {
        DataInputStream in = new DataInputStream(stream);
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        if (frame) {
            answer.write(in.readNBytes(in.readInt()));
        } else {
            // Byte by byte: a reader would try to fill its buffer, because a gzip stream never reports that nothing is
            // available.
            for (int b = in.readByte(); b != '\n'; b = in.readByte()) {
                answer.write(b);
            }
        }
        return answer.toString(StandardCharsets.UTF_8).strip();
    }

    private static boolean unknownProtocolIsRefused(InetSocketAddress server) throws IOException {
        try (Socket socket = connect(server)) {
            socket.getOutputStream().write(new byte[] {5, 1, 0}); // how a SOCKS 5 client begins
            boolean closed = socket.getInputStream().read() == -1;
            System.out.println("an unknown protocol is " + (closed ? "refused" : "answered"));
            return closed;
        }
    }

    private static Socket connect(InetSocketAddress server) throws IOException {
        Socket socket = new Socket(server.getAddress(), server.getPort());
        socket.setSoTimeout(READ_TIMEOUT_MILLIS);
        return socket;
    }
}
