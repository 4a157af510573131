package org.freshet.example.execution;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.handler.codec.frame.FixedLengthFrameDecoder;

/** Sends requests at a steady rate and checks the answers of one connection. Fields belong to the I/O thread. */
final class Load extends SimpleChannelUpstreamHandler {
    /** The first answers may take this long; counting begins afterwards. */
    private static final int WARMUP_SECONDS = 1;

    /** The number of connections, and the number of requests per second on each. */
    record Size(int connections, int rate) {
        int requestsPerSecond() {
            return connections * rate;
        }
    }

    /** The total of all connections. {@code isInOrderOfCustomers} ignores the order between customers. */
    record Outcome(double answersPerSecond, boolean isInOrder, boolean isInOrderOfCustomers) {
        String order() {
            return isInOrder ? "yes" : isInOrderOfCustomers ? "each customer's" : "no";
        }
    }

    /** Distance between two numbers of this connection: the connections take turns. */
    private final int step;

    private int answers;
    private int lastNumber;
    private boolean inOrder = true;
    private boolean inOrderOfCustomers = true;
    private final Map<Integer, Integer> lastOfCustomer = new HashMap<>();

    private Load(int first, int step) {
        this.step = step;
        lastNumber = first - step;
    }

    /** @param everySecond receives the number of answers in each second */
    static Outcome offer(InetSocketAddress server, Size size, int seconds, IntConsumer everySecond)
            throws InterruptedException {
        ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory(1));
        bootstrap.setOption("tcpNoDelay", true);
        ScheduledExecutorService pace = Executors.newSingleThreadScheduledExecutor();
        List<Channel> channels = new ArrayList<>();
        try {
            for (int i = 0; i < size.connections(); i++) {
                Load load = new Load(i, size.connections());
                bootstrap.setPipelineFactory(() ->
                        Channels.pipeline(new FixedLengthFrameDecoder(Request.BYTES), new RequestDecoder(), load));
                channels.add(bootstrap.connect(server).sync().getChannel());
            }
            int[] next = {0};
            pace.scheduleAtFixedRate(
                    () -> send(channels, next[0]++), 0, 1_000_000 / size.requestsPerSecond(), TimeUnit.MICROSECONDS);
            TimeUnit.SECONDS.sleep(WARMUP_SECONDS);
            int before = answersOf(channels);
            long startNanos = System.nanoTime();
            int counted = 0;
            for (int second = 0; second < seconds; second++) {
                TimeUnit.SECONDS.sleep(1);
                int sum = answersOf(channels) - before;
                everySecond.accept(sum - counted);
                counted = sum;
            }
            double elapsedSeconds = (System.nanoTime() - startNanos) / 1e9;
            return outcome(channels, counted / elapsedSeconds);
        } finally {
            pace.shutdownNow();
            channels.forEach(Channel::close);
            bootstrap.releaseExternalResources();
        }
    }

    private static void send(List<Channel> channels, int number) {
        channels.get(number % channels.size()).write(Request.numbered(number).toBuffer());
    }

    private static Load of(Channel channel) {
        return channel.getPipeline().get(Load.class);
    }

    /** Collects the counts on the I/O threads. */
    private static int answersOf(List<Channel> channels) throws InterruptedException {
        int[] sum = new int[1];
        for (Channel channel : channels) {
            ask(channel, () -> sum[0] += of(channel).answers);
        }
        return sum[0];
    }

    private static Outcome outcome(List<Channel> channels, double answersPerSecond) throws InterruptedException {
        boolean[] inOrder = {true, true};
        for (Channel channel : channels) {
            ask(channel, () -> {
                inOrder[0] &= of(channel).inOrder;
                inOrder[1] &= of(channel).inOrderOfCustomers;
            });
        }
        return new Outcome(answersPerSecond, inOrder[0], inOrder[1]);
    }

    private static void ask(Channel channel, Runnable question) throws InterruptedException {
        ChannelFuture asked = channel.getPipeline().execute(question);
        asked.sync();
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        Request answered = (Request) e.getMessage();
        answers++;
        inOrder &= answered.number() == lastNumber + step;
        lastNumber = answered.number();
        Integer before = lastOfCustomer.put(answered.customer(), answered.number());
        inOrderOfCustomers &= before == null || before < answered.number();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        System.err.println(e.getChannel() + ": " + e.getCause());
        e.getChannel().close();
    }
}
