package org.freshet.example.execution;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.handler.codec.frame.FixedLengthFrameDecoder;

/** Offers requests at a steady rate over one connection and watches the answers. Fields belong to the I/O thread. */
final class Load extends SimpleChannelUpstreamHandler {
    static final int REQUESTS_PER_SECOND = 100;

    /** The first answers may take as long as this; counting begins afterwards. */
    private static final int WARMUP_SECONDS = 1;

    /** What came of it. {@code isInOrderOfCustomers} leaves the order between customers aside. */
    record Outcome(double answersPerSecond, boolean isInOrder, boolean isInOrderOfCustomers) {
        String order() {
            return isInOrder ? "yes" : isInOrderOfCustomers ? "each customer's" : "no";
        }
    }

    private int answers;
    private int lastNumber = -1;
    private boolean inOrder = true;
    private boolean inOrderOfCustomers = true;
    private final Map<Integer, Integer> lastOfCustomer = new HashMap<>();

    private Load() {}

    static Outcome offer(InetSocketAddress server, int seconds) throws InterruptedException {
        ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());
        Load load = new Load();
        bootstrap.setPipelineFactory(
                () -> Channels.pipeline(new FixedLengthFrameDecoder(Request.BYTES), new RequestDecoder(), load));
        bootstrap.setOption("tcpNoDelay", true);
        ScheduledExecutorService pace = Executors.newSingleThreadScheduledExecutor();
        try {
            Channel channel = bootstrap.connect(server).sync().getChannel();
            int[] next = {0};
            pace.scheduleAtFixedRate(
                    () -> channel.write(Request.numbered(next[0]++).toBuffer()),
                    0,
                    1_000_000 / REQUESTS_PER_SECOND,
                    TimeUnit.MICROSECONDS);
            TimeUnit.SECONDS.sleep(WARMUP_SECONDS);
            int before = load.answersSoFar(channel);
            long startNanos = System.nanoTime();
            TimeUnit.SECONDS.sleep(seconds);
            int counted = load.answersSoFar(channel) - before;
            double elapsedSeconds = (System.nanoTime() - startNanos) / 1e9;
            channel.close().sync();
            return new Outcome(counted / elapsedSeconds, load.inOrder, load.inOrderOfCustomers);
        } finally {
            pace.shutdownNow();
            bootstrap.releaseExternalResources();
        }
    }

    /** Asks the I/O thread. */
    private int answersSoFar(Channel channel) throws InterruptedException {
        int[] sum = new int[1];
        channel.getPipeline().execute(() -> sum[0] = answers).sync();
        return sum[0];
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        Request answered = (Request) e.getMessage();
        answers++;
        inOrder &= answered.number() == lastNumber + 1;
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
