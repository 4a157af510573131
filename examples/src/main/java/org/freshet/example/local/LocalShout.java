package org.freshet.example.local;

import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.local.DefaultLocalClientChannelFactory;
import org.freshet.channel.local.DefaultLocalServerChannelFactory;
import org.freshet.channel.local.LocalAddress;
import org.freshet.example.Arguments;
import org.freshet.handler.traffic.BackPressureHandler;

/**
 * Sends words to a server in the same JVM, which returns them in capitals. Messages are objects: nothing needs to be
 * encoded.
 */
public final class LocalShout {
    private static final String[] DEFAULT_WORDS = {"no", "socket", "needed"};
    private static final int MAX_WORDS = 1000;
    private static final long ANSWER_TIMEOUT_SECONDS = 10;

    private LocalShout() {}

    public static void main(String[] args) throws InterruptedException {
        new Arguments("local [WORD...]", 0, MAX_WORDS, args);
        System.out.println("local: a server and a client within one JVM, without sockets");
        LocalAddress address = new LocalAddress("shouter");
        ServerBootstrap server = new ServerBootstrap(new DefaultLocalServerChannelFactory());
        Shouter shouter = new Shouter();
        server.setPipelineFactory(() -> Channels.pipeline(new BackPressureHandler(), shouter));
        Channel bound = server.bind(address);

        Listener listener = new Listener();
        ClientBootstrap client = new ClientBootstrap(new DefaultLocalClientChannelFactory());
        client.setPipelineFactory(() -> Channels.pipeline(listener));
        Channel connection = client.connect(address).sync().getChannel();
        boolean ok = true;
        for (String word : args.length == 0 ? DEFAULT_WORDS : args) {
            connection.write(word);
            String answer = listener.answers.poll(ANSWER_TIMEOUT_SECONDS, TimeUnit.SECONDS);
            System.out.println(word + " -> " + answer);
            ok &= answer != null;
        }

        connection.close().await();
        bound.close().await();
        client.releaseExternalResources();
        server.releaseExternalResources();
        System.exit(ok ? 0 : 1);
    }

    @Sharable
    private static final class Shouter extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            e.getChannel().write(((String) e.getMessage()).toUpperCase(Locale.ROOT) + "!");
        }
    }

    private static final class Listener extends SimpleChannelUpstreamHandler {
        final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            answers.add((String) e.getMessage());
        }
    }
}
