package org.freshet.handler.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.local.DefaultLocalClientChannelFactory;
import org.freshet.channel.local.DefaultLocalServerChannelFactory;
import org.freshet.channel.local.LocalAddress;
import org.freshet.testing.Await;
import org.freshet.util.HashedWheelTimer;
import org.junit.jupiter.api.Test;

/** On a transport that reports an exception on a different thread than the one that threw it. */
class PipelinedOverLocalTransportTest {
    private static final int REQUESTS = 500;

    /** Throws on every third request and answers it in {@code exceptionCaught}. */
    private static final class Business extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            int number = (Integer) e.getMessage();
            if (number % 3 == 0) {
                throw new IllegalStateException("" + number);
            }
            e.getChannel().write("ok " + number);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            e.getChannel().write("sorry " + e.getCause().getMessage());
        }
    }

    @Test
    void shouldUseWritesFromExceptionCaughtAsTheAnswerToTheFailedRequest() {
        ExecutorService executor = Executors.newFixedThreadPool(4);
        HashedWheelTimer timer = new HashedWheelTimer();
        PipelinedExecutionHandler pipelined = new PipelinedExecutionHandler(executor, timer);
        Queue<Object> answers = new ConcurrentLinkedQueue<>();
        CountDownLatch answered = new CountDownLatch(REQUESTS);
        LocalAddress address = new LocalAddress(LocalAddress.EPHEMERAL);

        ServerBootstrap server = new ServerBootstrap(new DefaultLocalServerChannelFactory());
        server.setPipelineFactory(() -> Channels.pipeline(pipelined, new Business()));
        Channel listening = server.bind(address);
        ClientBootstrap client = new ClientBootstrap(new DefaultLocalClientChannelFactory());
        client.setPipelineFactory(() -> Channels.pipeline(new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                answers.add(e.getMessage());
                answered.countDown();
            }
        }));
        Channel connection = Await.success(client.connect(listening.getLocalAddress()), "connecting")
                .getChannel();
        try {
            for (int i = 0; i < REQUESTS; i++) {
                connection.write(i);
            }
            Await.latch(answered, "answers");
            int number = 0;
            for (Object answer : List.copyOf(answers)) {
                assertEquals((number % 3 == 0 ? "sorry " : "ok ") + number, answer);
                number++;
            }
        } finally {
            Await.success(connection.close(), "closing");
            Await.success(listening.close(), "closing the server");
            pipelined.releaseExternalResources();
            timer.stop();
            server.releaseExternalResources();
            client.releaseExternalResources();
        }
    }
}
