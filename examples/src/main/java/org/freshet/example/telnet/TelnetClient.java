package org.freshet.example.telnet;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.frame.LineBasedFrameDecoder;
import org.freshet.handler.codec.string.StringDecoder;
import org.freshet.handler.codec.string.StringEncoder;

/** Sends lines to a {@link TelnetServer}, each after the answer to the previous one, and prints the answers. */
public final class TelnetClient {
    private static final int MAX_LINE_BYTES = 8192;

    private TelnetClient() {}

    public static void main(String[] args) throws InterruptedException, IOException {
        Arguments arguments = new Arguments("telnet-client HOST PORT", 2, 2, args);
        InetSocketAddress server = new InetSocketAddress(arguments.text(0), arguments.port(1, 0));
        if (server.isUnresolved()) {
            throw arguments.refuse("unknown host: " + arguments.text(0));
        }
        BufferedReader typed = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
        System.exit(converse(server, typed, false) ? 0 : 1);
    }

    /** Returns whether all lines were answered, the last one before the server closed. */
    static boolean converse(InetSocketAddress server, BufferedReader lines, boolean showLines)
            throws InterruptedException, IOException {
        TelnetClientHandler handler = new TelnetClientHandler();
        ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());
        bootstrap.setPipelineFactory(() -> Channels.pipeline(
                new LineBasedFrameDecoder(MAX_LINE_BYTES),
                new StringDecoder(StandardCharsets.UTF_8),
                new StringEncoder(StandardCharsets.UTF_8),
                handler));
        try {
            ChannelFuture connected = bootstrap.connect(server).await();
            if (!connected.isSuccess()) {
                System.err.println("cannot connect: " + connected.getCause().getMessage());
                return false;
            }
            return converse(connected.getChannel(), handler, lines, showLines);
        } finally {
            bootstrap.releaseExternalResources();
        }
    }

    private static boolean converse(
            Channel channel, TelnetClientHandler handler, BufferedReader lines, boolean showLines)
            throws InterruptedException, IOException {
        String answer = handler.nextAnswer();
        while (answer != null) {
            System.out.println("< " + answer);
            String line = lines.readLine();
            if (line == null) {
                channel.close().await();
                return true;
            }
            if (showLines) {
                System.out.println("> " + line);
            }
            channel.write(line + "\r\n"); // if it fails, the channel closes, and there is no next answer
            answer = handler.nextAnswer();
        }
        System.out.println("the server has closed the connection");
        return lines.readLine() == null;
    }
}
