package org.freshet.example.telnet;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.frame.LineBasedFrameDecoder;
import org.freshet.handler.codec.string.StringDecoder;
import org.freshet.handler.codec.string.StringEncoder;
import org.freshet.handler.traffic.BackPressureHandler;

/** Answers lines of text, until it is stopped. Try {@code telnet localhost 8023}. */
public final class TelnetServer {
    static final int MAX_LINE_BYTES = 100;
    private static final int DEFAULT_PORT = 8023;

    private TelnetServer() {}

    public static void main(String[] args) {
        Arguments arguments = new Arguments("telnet-server [PORT]", 0, 1, args);
        ServerBootstrap bootstrap = newBootstrap();
        try {
            Channel server = bootstrap.bind(new InetSocketAddress(arguments.port(0, DEFAULT_PORT)));
            System.out.println("answering lines on " + server.getLocalAddress() + "; stop with Ctrl+C");
        } catch (ChannelException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    static ServerBootstrap newBootstrap() {
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        // These are stateless, so all connections share one. The frame decoder keeps half a line.
        ChannelHandler decoder = new StringDecoder(StandardCharsets.UTF_8);
        ChannelHandler encoder = new StringEncoder(StandardCharsets.UTF_8);
        ChannelHandler handler = new TelnetServerHandler();
        bootstrap.setPipelineFactory(() -> Channels.pipeline(
                new BackPressureHandler(), new LineBasedFrameDecoder(MAX_LINE_BYTES), decoder, encoder, handler));
        bootstrap.setOption("child.tcpNoDelay", true);
        return bootstrap;
    }
}
