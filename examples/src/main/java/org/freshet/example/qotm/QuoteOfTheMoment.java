package org.freshet.example.qotm;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ConnectionlessBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioDatagramChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.string.StringDecoder;
import org.freshet.handler.codec.string.StringEncoder;

/** Server and client over UDP. Datagrams may be lost, so the client asks again if no answer arrives. */
public final class QuoteOfTheMoment {
    private static final int MAX_QUESTIONS = 1000;
    private static final int TRIES = 5;
    private static final long ANSWER_TIMEOUT_MILLIS = 500;

    private QuoteOfTheMoment() {}

    public static void main(String[] args) throws InterruptedException {
        Arguments arguments = new Arguments("qotm [QUESTIONS]", 0, 1, args);
        int questions = arguments.number(0, "questions", 1, MAX_QUESTIONS, 3);
        System.out.println("qotm: one datagram asks, one answers");
        ConnectionlessBootstrap server = newBootstrap(new QuoteServerHandler());
        Answers answers = new Answers();
        boolean ok = true;
        ConnectionlessBootstrap client = newBootstrap(answers);
        try {
            Channel bound = server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Channel asking = client.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            for (int i = 0; i < questions; i++) {
                String quote = ask(asking, (InetSocketAddress) bound.getLocalAddress(), answers);
                System.out.println(quote != null ? quote : "(no answer to " + TRIES + " datagrams)");
                ok &= quote != null;
            }
        } finally {
            client.releaseExternalResources();
            server.releaseExternalResources();
        }
        System.exit(ok ? 0 : 1);
    }

    private static ConnectionlessBootstrap newBootstrap(ChannelHandler handler) {
        ConnectionlessBootstrap bootstrap = new ConnectionlessBootstrap(new NioDatagramChannelFactory());
        bootstrap.setPipelineFactory(() -> Channels.pipeline(
                new StringEncoder(StandardCharsets.UTF_8), new StringDecoder(StandardCharsets.UTF_8), handler));
        return bootstrap;
    }

    /** Returns null if no answer arrives. */
    private static String ask(Channel asking, InetSocketAddress server, Answers answers) throws InterruptedException {
        for (int i = 0; i < TRIES; i++) {
            asking.write(QuoteServerHandler.QUESTION, server);
            String quote = answers.queue.poll(ANSWER_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
            if (quote != null) {
                return quote;
            }
        }
        return null;
    }

    private static final class Answers extends SimpleChannelUpstreamHandler {
        final BlockingQueue<String> queue = new LinkedBlockingQueue<>();

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            queue.add((String) e.getMessage());
        }
    }
}
