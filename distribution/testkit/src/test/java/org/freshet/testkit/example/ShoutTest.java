package org.freshet.testkit.example;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.frame.DelimiterBasedFrameDecoder;
import org.freshet.handler.codec.frame.Delimiters;
import org.freshet.testkit.SimulatedNetwork;
import org.freshet.testkit.SimulationTest;

/** The first example of the guide's page on testing: a small server, and its test. */
class ShoutTest {
    @SimulationTest
    void shouldShoutEveryLineBack(SimulatedNetwork network) {
        network.server(
                7,
                () -> Channels.pipeline(
                        new DelimiterBasedFrameDecoder(80, Delimiters.lineDelimiter()), new ShoutHandler()));
        network.clients(3, 7, client -> client.send("hello\n").expect("HELLO\n").close());
        network.run();
        network.assertNothingLeft();
    }

    private static final class ShoutHandler extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            String line = ((ChannelBuffer) e.getMessage()).toString(StandardCharsets.UTF_8);
            e.getChannel()
                    .write(ChannelBuffers.copiedBuffer(line.toUpperCase(Locale.ROOT) + "\n", StandardCharsets.UTF_8));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            e.getChannel().close();
        }
    }
}
