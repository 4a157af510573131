package org.freshet.transport;

import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.frame.FixedLengthFrameDecoder;
import org.freshet.handler.execution.ExecutionHandler;
import org.freshet.handler.execution.PipelinedExecutionHandler;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.freshet.util.HashedWheelTimer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers that suspend reading on one thread and resume it on another, over every pair of transports. */
class ReadSuspensionMatrixTest {
    private static final int CLIENTS = 3;
    private static final int ROUNDS = 100;
    private static final int ANSWER = 80 * 1024;
    private static final int REQUEST = 16;

    /** Suspends reading on its own thread during an event and resumes it on the I/O thread, or the other way round. */
    private static final class TwoThreads extends SimpleChannelUpstreamHandler {
        private final boolean suspendsOnIoThread;
        private final CountDownLatch done = new CountDownLatch(2);

        TwoThreads(boolean suspendsOnIoThread) {
            this.suspendsOnIoThread = suspendsOnIoThread;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (done.getCount() == 2) {
                ReadSuspension reading = ReadSuspension.at(ctx);
                Runnable first = suspendsOnIoThread ? reading::suspend : reading::resume;
                Runnable second = suspendsOnIoThread ? reading::resume : reading::suspend;
                Thread other = new Thread(second);
                if (suspendsOnIoThread) {
                    first.run();
                    start(other);
                } else {
                    start(other);
                    first.run();
                }
            }
            done.countDown();
        }

        private static void start(Thread thread) {
            thread.start();
            Await.end(thread);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldResumeOnTheIoThreadAfterAnotherThreadSuspended(Pair pair) {
        shouldResume(pair, new TwoThreads(false));
    }

    @ParameterizedTest
    @EnumSource
    void shouldResumeOnAnotherThreadAfterTheIoThreadSuspended(Pair pair) {
        shouldResume(pair, new TwoThreads(true));
    }

    private static void shouldResume(Pair pair, TwoThreads handler) {
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), () -> handler);
            Channel client = rig.connect(server.getLocalAddress());
            client.write(wrappedBuffer(new byte[1]));
            Await.until(() -> handler.done.getCount() == 1, "the first message");
            client.write(wrappedBuffer(new byte[1]));
            Await.latch(handler.done, "the second message");
        }
    }

    // ---- answers that are larger than the write buffer ----

    /** Counts the server's open channels, and answers each request with enough to make its channel unwritable. */
    @Sharable
    private static final class Business extends SimpleChannelUpstreamHandler {
        final Set<Channel> open = ConcurrentHashMap.newKeySet();

        @Override
        public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) {
            open.add(e.getChannel());
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            open.remove(e.getChannel());
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            e.getChannel().write(wrappedBuffer(new byte[ANSWER]));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            e.getChannel().close();
        }
    }

    /** Closes after it has received its answers. */
    private static final class Client extends SimpleChannelUpstreamHandler {
        private final AtomicInteger left;

        Client(int requests) {
            left = new AtomicInteger(requests * ANSWER);
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (left.addAndGet(-((ChannelBuffer) e.getMessage()).readableBytes()) == 0) {
                e.getChannel().close();
            }
        }
    }

    /** A channel that is not read detects neither requests nor that the client has closed. */
    @ParameterizedTest
    @EnumSource
    void shouldResumeAfterLargeAnswers(Pair pair) {
        Business business = new Business();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        HashedWheelTimer timer = new HashedWheelTimer();
        PipelinedExecutionHandler pipelined = new PipelinedExecutionHandler(threads, timer);
        try (Rig rig = pair.rig()) {
            rig.server()
                    .setPipelineFactory(
                            () -> Channels.pipeline(new FixedLengthFrameDecoder(REQUEST), pipelined, business));
            Channel server = rig.server().bind(pair.freeAddress());
            for (int round = 0; round < ROUNDS; round++) {
                int requests = 1 + round % 6;
                List<Channel> clients = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    Channel client = rig.connect(server.getLocalAddress(), new Client(requests));
                    client.write(wrappedBuffer(new byte[requests * REQUEST]));
                    clients.add(client);
                }
                clients.forEach(client -> Await.success(client.getCloseFuture(), "all answers"));
            }
            Await.until(business.open::isEmpty, () -> "the end of " + business.open);
        } finally {
            threads.shutdown();
            timer.stop();
        }
    }

    // ---- an executor that refuses ----

    /** Closes the channel if something fails. */
    private static final class Closing extends SimpleChannelUpstreamHandler {
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            e.getChannel().close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotifyHandlersOfEventsThatTheExecutorRefuses(Pair pair) {
        ExecutionHandler refusing = new ExecutionHandler(task -> {
            throw new RejectedExecutionException("full");
        });
        try (Rig rig = pair.rig()) {
            rig.server().setPipelineFactory(() -> Channels.pipeline(refusing, new Closing()));
            Channel server = rig.server().bind(pair.freeAddress());
            Recorder client = new Recorder();
            rig.connecting(server.getLocalAddress(), client);
            client.awaitClosed();
        }
    }
}
