package org.freshet.docs;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioUnixServerChannelFactory;
import org.freshet.handler.codec.embedder.ChannelEmbedder;
import org.freshet.handler.codec.embedder.DecoderSplitChecker;
import org.freshet.handler.codec.frame.LineBasedFrameDecoder;
import org.freshet.handler.codec.string.StringDecoder;
import org.freshet.handler.codec.string.StringEncoder;
import org.junit.jupiter.api.Test;

/** Code of the guide that does not come from an example. Code that needs a fixed address is compiled but not run. */
class GuideCodeTest {
    private static final class GreetingHandler extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            e.getChannel().write("Hello, " + e.getMessage());
        }
    }

    private static final class MyDecoder extends LineBasedFrameDecoder {
        MyDecoder() {
            super(80);
        }
    }

    @Test
    void shouldGreetInAnEmbedder() {
        ChannelEmbedder<String> embedder = new ChannelEmbedder<>(
                new LineBasedFrameDecoder(80),
                new StringDecoder(US_ASCII),
                new StringEncoder(US_ASCII),
                new GreetingHandler());
        embedder.offer(ChannelBuffers.copiedBuffer("Ada\n", US_ASCII));
        assertEquals("Hello, Ada", ((ChannelBuffer) embedder.pollWritten()).toString(US_ASCII));
    }

    @Test
    void shouldDecodeHoweverTheInputIsSplit() {
        byte[] bytes = "one\ntwo\n".getBytes(US_ASCII);
        DecoderSplitChecker.of(() -> new MyDecoder()).check(bytes);
    }

    static void setOptions(ServerBootstrap bootstrap, Channel channel) {
        bootstrap.setOption("child.tcpNoDelay", true);
        bootstrap.setChildOption(ChannelOption.TCP_NODELAY, true); // the same, checked by the compiler
        bootstrap.setOption(ChannelOption.BACKLOG, 1024);
        channel.getConfig().setOption("writeSpinCount", 8);
    }

    static void sharePort(ServerBootstrap bootstrap) {
        bootstrap.setOption(ChannelOption.REUSE_PORT, true);
        bootstrap.bind(new InetSocketAddress(8080));
        // at the end: close the server, let its connections finish (see Drain in Operations), and exit
    }

    static void bindPath(ChannelPipelineFactory pipelines) {
        ServerBootstrap bootstrap = new ServerBootstrap(new NioUnixServerChannelFactory());
        bootstrap.setOption(ChannelOption.BACKLOG, 1024);
        bootstrap.setPipelineFactory(pipelines);
        bootstrap.bind(UnixDomainSocketAddress.of("/run/my-service/http.sock"));
    }

    static void connectByName(ClientBootstrap bootstrap) {
        bootstrap.connect(InetSocketAddress.createUnresolved("example.com", 443));
    }
}
