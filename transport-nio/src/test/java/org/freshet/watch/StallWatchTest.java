package org.freshet.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ChildChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.nio.NioSocketChannel;
import org.freshet.telemetry.LoopStats;
import org.freshet.telemetry.Stall;
import org.freshet.telemetry.StallWatch;
import org.freshet.telemetry.Telemetry;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Code that blocks an I/O thread is identified by name. It blocks until the watch has reported it. The machine may be
 * slow and other loops may stall, too, so each test looks for its own report.
 */
class StallWatchTest {
    private final NioServerSocketChannelFactory serverFactory = new NioServerSocketChannelFactory(1);
    private final Rig rig = new Rig(serverFactory, new NioClientSocketChannelFactory());
    private final LinkedBlockingQueue<Stall> stalls = new LinkedBlockingQueue<>();
    private final CountDownLatch release = new CountDownLatch(1);

    @BeforeEach
    void listen() {
        StallWatch.setListener(stalls::add);
        StallWatch.setLimit(Duration.ofMillis(10));
    }

    @AfterEach
    void close() {
        release.countDown();
        rig.close();
        StallWatch.setListener(null);
        StallWatch.setLimit(Duration.ofSeconds(1));
    }

    private void block() {
        Await.latch(release, "the report of the stall");
    }

    private Stall await(Predicate<Stall> wanted) throws InterruptedException {
        while (true) {
            Stall stall = stalls.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            if (stall == null) {
                throw new AssertionError("timed out waiting for a stall");
            }
            if (wanted.test(stall)) {
                return stall;
            }
        }
    }

    private static boolean isInThisTest(Stall stall) {
        return stall.handlerType() != null && stall.handlerType().startsWith(StallWatchTest.class.getName());
    }

    private final class Blocking extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            block();
        }
    }

    @Test
    void shouldNameTheHandlersClassTheChannelAndTheThreadAndReportTheEnd() throws Exception {
        Channel server = rig.listen(() -> new SimpleChannelUpstreamHandler() {
            @Override
            public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) {
                ctx.getPipeline().addLast("orders", new Blocking());
            }
        });
        Channel client = rig.connect(server.getLocalAddress());
        client.write(ChannelBuffers.wrappedBuffer(new byte[1]));

        Stall stall = await(StallWatchTest::isInThisTest);
        assertEquals(Blocking.class.getName(), stall.handlerType());
        assertTrue(
                stall.location().contains("StallWatchTest$Blocking.messageReceived(StallWatchTest.java:"),
                stall::location);
        assertEquals(client.getLocalAddress(), stall.channel().getRemoteAddress());
        assertSame(stall.thread(), thread(stall.loopName()));
        assertFalse(stall.hasEnded());
        LoopStats loop = Telemetry.loops(serverFactory).stream()
                .filter(each -> each.getName().equals(stall.loopName()))
                .findFirst()
                .orElseThrow();
        assertTrue(loop.isStalled());
        assertTrue(loop.getStalls() > 0);

        release.countDown();
        assertTrue(await(s -> s.hasEnded() && isInThisTest(s)).nanos() > 0);
        Await.until(() -> !loop.isStalled(), "the loop to continue");
    }

    private static Thread thread(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldNameADownstreamHandler() throws Exception {
        Channel server = rig.listen(SimpleChannelUpstreamHandler::new);
        rig.connecting(
                server.getLocalAddress(),
                new SimpleChannelDownstreamHandler() {
                    @Override
                    public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
                        block();
                    }
                },
                new SimpleChannelUpstreamHandler() {
                    @Override
                    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                        e.getChannel().write("x");
                    }
                });
        Stall stall = await(StallWatchTest::isInThisTest);
        assertTrue(stall.location().contains("writeRequested("), stall::location);
    }

    @Test
    void shouldNameAListener() throws Exception {
        Channel server = rig.listen(SimpleChannelUpstreamHandler::new);
        Channel client = rig.connect(server.getLocalAddress());
        client.write(ChannelBuffers.wrappedBuffer(new byte[1])).addListener(new Listener());
        Stall stall = await(StallWatchTest::isInThisTest);
        assertEquals(Listener.class.getName(), stall.handlerType());
    }

    /** Blocks only on an I/O thread: the test itself calls the listener if the future is already complete. */
    private final class Listener implements ChannelFutureListener {
        private final Thread test = Thread.currentThread();

        @Override
        public void operationComplete(ChannelFuture future) {
            if (Thread.currentThread() == test) {
                ((NioSocketChannel) future.getChannel())
                        .getWorker()
                        .executeInIoThread(
                                () -> Channels.succeededFuture(future.getChannel())
                                        .addListener(this),
                                true);
            } else {
                block();
            }
        }
    }

    @Test
    void shouldNameATask() throws Exception {
        Channel server = rig.listen(SimpleChannelUpstreamHandler::new);
        Channel client = rig.connect(server.getLocalAddress());
        ((NioSocketChannel) client).getWorker().executeInIoThread(new Task(), true);
        Stall stall = await(StallWatchTest::isInThisTest);
        assertEquals(Task.class.getName(), stall.handlerType());
        assertNull(stall.channel());
    }

    private final class Task implements Runnable {
        @Override
        public void run() {
            block();
        }
    }

    @Test
    void shouldNameAHandlerOfTheServerOnItsBoss() throws Exception {
        rig.server().setParentHandler(new SimpleChannelUpstreamHandler() {
            @Override
            public void childChannelOpen(ChannelHandlerContext ctx, ChildChannelStateEvent e) {
                block();
            }
        });
        Channel server = rig.listen(SimpleChannelUpstreamHandler::new);
        rig.connecting(server.getLocalAddress());
        Stall stall = await(StallWatchTest::isInThisTest);
        assertSame(server, stall.channel());
        assertTrue(stall.location().contains("childChannelOpen("), stall::location);
    }

    @Test
    void shouldNameAHandlerOfANewConnection() throws Exception {
        Channel server = rig.listen(() -> new SimpleChannelUpstreamHandler() {
            @Override
            public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) {
                block();
            }
        });
        rig.connecting(server.getLocalAddress());
        Stall stall = await(StallWatchTest::isInThisTest);
        assertTrue(stall.location().contains("channelOpen("), stall::location);
    }

    @Test
    void shouldStopWithTheLastLoop() {
        rig.close();
        Await.until(
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("freshet-loop-watch")),
                "the end of the watch");
    }
}
