package org.freshet.example.string;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelPipelineException;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.frame.LineBasedFrameDecoder;

/**
 * Connections whose pipelines share the handlers that can be shared, over loopback. The clients use plain sockets, so
 * that they control exactly when each byte is sent.
 */
public final class MyStringServer {
    private static final String[] LINES = {"Größe eins", "μέγεθος δύο", "размер три"};

    /** A position in the middle of a character of each line. */
    private static final int CUT = 3;

    private static final int READ_TIMEOUT_MILLIS = 10_000;

    private MyStringServer() {}

    public static void main(String[] args) throws IOException {
        new Arguments("string", 0, 0, args);
        System.out.println(
                "string: connections share one string codec; each has its own frame decoder, which keeps the start");
        System.out.println("of a line until the rest arrives, and therefore cannot be shared");
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        bootstrap.setPipelineFactory(MyStringServerFactory.create());
        boolean ok;
        try {
            Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            InetSocketAddress address = (InetSocketAddress) server.getLocalAddress();
            ok = sendInTurns(address) && sharingIsRefused(address);
        } catch (IOException e) {
            System.err.println("failed: " + e.getMessage());
            ok = false;
        } finally {
            bootstrap.releaseExternalResources();
        }
        System.exit(ok ? 0 : 1);
    }

    /**
     * Each client sends half a line, cut in the middle of a character; then each sends the rest and reads the answer.
     */
    private static boolean sendInTurns(InetSocketAddress server) throws IOException {
        Socket[] clients = new Socket[LINES.length];
        for (int i = 0; i < clients.length; i++) {
            clients[i] = new Socket(server.getAddress(), server.getPort());
            clients[i].setSoTimeout(READ_TIMEOUT_MILLIS);
            clients[i].getOutputStream().write(bytes(i), 0, CUT);
        }
        boolean ok = true;
        for (int i = 0; i < clients.length; i++) {
            clients[i].getOutputStream().write(bytes(i), CUT, bytes(i).length - CUT);
            ok &= answerIsRight(clients[i], LINES[i]);
            clients[i].close();
        }
        return ok;
    }

    private static byte[] bytes(int line) {
        return (LINES[line] + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private static boolean answerIsRight(Socket client, String line) throws IOException {
        String answer =
                new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8)).readLine();
        System.out.println(line + " -> " + answer);
        return line.toUpperCase(Locale.ROOT).equals(answer);
    }

    /** Shows what happens if two pipelines contain the same frame decoder: the second one is refused. */
    private static boolean sharingIsRefused(InetSocketAddress server) {
        ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());
        LineBasedFrameDecoder framer = new LineBasedFrameDecoder(80);
        bootstrap.setPipelineFactory(() -> Channels.pipeline(framer));
        try {
            bootstrap.connect(server).awaitUninterruptibly();
            bootstrap.connect(server);
            System.err.println("failed: two channels share a frame decoder");
            return false;
        } catch (ChannelPipelineException e) {
            System.out.println("refused: " + e.getCause().getMessage());
            return true;
        } finally {
            bootstrap.releaseExternalResources();
        }
    }
}
