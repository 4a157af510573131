package org.freshet.channel.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ChildChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.Await;
import org.freshet.testing.Echo;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LocalTransportTest {
    private static final LocalAddress NAME = new LocalAddress("local-transport-test");

    private final Rig rig = new Rig(new DefaultLocalServerChannelFactory(), new DefaultLocalClientChannelFactory());

    @AfterEach
    void closeAll() {
        rig.close();
    }

    /** Records messages separately from their events. */
    private static final class Receiver extends SimpleChannelUpstreamHandler {
        final List<Object> messages = new CopyOnWriteArrayList<>();
        final CountDownLatch closed = new CountDownLatch(1);

        volatile Channel channel;

        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            channel = ctx.getChannel();
            super.handleUpstream(ctx, e);
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            messages.add(e.getMessage());
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            closed.countDown();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            messages.add(e.getCause());
        }
    }

    // ---- events -----------------------------------------------------------------------------------------------------

    @Test
    void shouldSendEventsToBothEndsInTheOrderOfASocket() {
        Recorder child = new Recorder();
        Recorder parent = new Recorder();
        rig.server().setParentHandler(parent);
        Channel server = rig.listen(NAME, () -> child);
        Recorder events = new Recorder();
        Channel client = rig.connect(NAME, events);
        Await.success(client.write("x"), "the write");
        Await.success(client.close(), "the close");
        assertEquals(
                List.of("open", "bound", "connected", "message", "disconnected", "unbound", "closed"), child.events());
        assertEquals(
                List.of("open", "bound", "connected", "written", "disconnected", "unbound", "closed"), events.events());
        Await.success(server.close(), "the server's close");
        assertEquals(List.of("open", "bound", "childOpen", "childClosed", "unbound", "closed"), parent.events());
    }

    @Test
    void shouldAnnounceAChildToItsParentBeforeTheChildOpens() {
        List<String> order = new CopyOnWriteArrayList<>();
        rig.server().setParentHandler(new SimpleChannelUpstreamHandler() {
            @Override
            public void childChannelOpen(ChannelHandlerContext ctx, ChildChannelStateEvent e) {
                order.add("childOpen");
            }
        });
        rig.listen(NAME, () -> new SimpleChannelUpstreamHandler() {
            @Override
            public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) {
                order.add("open");
            }
        });
        rig.connect(NAME);
        assertEquals(List.of("childOpen", "open"), order);
    }

    @Test
    void shouldKnowBothAddresses() {
        Receiver child = new Receiver();
        rig.listen(NAME, () -> child);
        Channel client = rig.connect(NAME);
        assertEquals(NAME, client.getRemoteAddress());
        assertEquals(NAME, child.channel.getLocalAddress());
        assertEquals(client.getLocalAddress(), child.channel.getRemoteAddress());
        assertFalse(((LocalAddress) client.getLocalAddress()).isEphemeral());
        Await.success(client.close(), "the close");
        assertEquals(NAME, client.getRemoteAddress());
        assertFalse(client.isConnected());
        assertFalse(client.isBound());
    }

    // ---- messages ---------------------------------------------------------------------------------------------------

    @Test
    void shouldPassMessagesByReference() {
        Receiver child = new Receiver();
        rig.listen(NAME, () -> child);
        Object message = new Object();
        Await.success(rig.connect(NAME).write(message), "the write");
        assertSame(message, child.messages.get(0));
    }

    @Test
    void shouldDeliverWritesMadeBeforeTheOtherEndIsConnected() {
        Receiver child = new Receiver();
        Receiver client = new Receiver();
        rig.listen(NAME, () -> new SimpleChannelUpstreamHandler() {
            @Override
            public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                ctx.getPipeline().addLast("receiver", child);
            }
        });
        rig.connect(
                NAME,
                new SimpleChannelUpstreamHandler() {
                    @Override
                    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                        for (int i = 0; i < 10; i++) {
                            ctx.getChannel().write(i);
                        }
                    }
                },
                client);
        assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), child.messages);
    }

    @Test
    void shouldDeliverWritesMadeBeforeAClose() {
        Receiver child = new Receiver();
        rig.listen(NAME, () -> child);
        Channel client = rig.connect(NAME);
        ChannelFuture write = client.write("last");
        client.close();
        Await.success(write, "the write");
        Await.latch(child.closed, "the close of the other end");
        assertEquals(List.of("last"), child.messages);
    }

    @Test
    void shouldHoldMessagesInOrderWhileReadingIsOff() {
        Receiver child = new Receiver();
        rig.listen(NAME, () -> child);
        Channel client = rig.connect(NAME);
        Await.success(child.channel.setReadable(false), "setReadable");
        List<ChannelFuture> writes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            writes.add(client.write(i));
        }
        assertTrue(child.messages.isEmpty());
        assertFalse(writes.get(0).isDone());
        client.close();
        assertTrue(child.messages.isEmpty());
        assertTrue(child.channel.isOpen());
        child.channel.setReadable(true);
        Await.latch(child.closed, "the close of the other end");
        assertEquals(List.of(0, 1, 2), child.messages);
        writes.forEach(write -> Await.success(write, "the write"));
    }

    @Test
    void shouldStopBetweenTwoMessagesWhenAHandlerStopsReading() {
        AtomicInteger received = new AtomicInteger();
        AtomicReference<Channel> child = new AtomicReference<>();
        rig.listen(NAME, () -> new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                received.incrementAndGet();
                child.set(ctx.getChannel());
                ctx.getChannel().setReadable(false);
            }
        });
        Channel client = rig.connect(NAME);
        client.write(1);
        ChannelFuture second = client.write(2);
        assertEquals(1, received.get());
        assertFalse(second.isDone());
        child.get().setReadable(true);
        Await.success(second, "the second write");
        assertEquals(2, received.get());
    }

    @Test
    void shouldFailHeldMessagesWhenTheReceiverCloses() {
        Receiver child = new Receiver();
        rig.listen(NAME, () -> child);
        Channel client = rig.connect(NAME);
        child.channel.setReadable(false);
        ChannelFuture write = client.write("never read");
        child.channel.close();
        assertInstanceOf(ClosedChannelException.class, Await.failure(write, "the write"));
        Await.success(client.getCloseFuture(), "the close of the client");
    }

    @Test
    void shouldFailWritesBeforeTheConnectionAndAfterIt() {
        rig.listen(NAME, Receiver::new);
        Channel early = new DefaultLocalClientChannelFactory().newChannel(Channels.pipeline(new Receiver()));
        assertInstanceOf(NotYetConnectedException.class, Await.failure(early.write(1), "the early write"));
        early.close();
        assertInstanceOf(ClosedChannelException.class, Await.failure(early.write(1), "the late write"));
    }

    // ---- depth ------------------------------------------------------------------------------------------------------

    @Test
    void shouldNotNestWhenTwoEndsAnswerEachOtherManyTimes() {
        int rounds = 200_000;
        rig.listen(NAME, Echo::new);
        CountDownLatch done = new CountDownLatch(1);
        AtomicInteger deepest = new AtomicInteger();
        Channel client = rig.connect(NAME, new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                int round = (Integer) e.getMessage();
                if (round % 10_000 == 0) {
                    int depth = new Throwable().getStackTrace().length;
                    deepest.accumulateAndGet(depth, Math::max);
                }
                if (round == rounds) {
                    done.countDown();
                } else {
                    ctx.getChannel().write(round + 1);
                }
            }
        });
        client.write(0);
        Await.latch(done, rounds + " rounds");
        assertTrue(deepest.get() < 200, "stack depth " + deepest);
    }

    @Test
    void shouldNotNestThroughAChainOfChannels() {
        int links = 2_000;
        List<Channel> forwarders = new CopyOnWriteArrayList<>();
        Receiver last = new Receiver();
        rig.listen(NAME, () -> last);
        LocalAddress next = NAME;
        for (int i = 0; i < links; i++) {
            Channel onward = rig.connect(next);
            forwarders.add(onward);
            next = new LocalAddress("link-" + i);
            rig.listen(next, () -> new SimpleChannelUpstreamHandler() {
                @Override
                public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                    onward.write(e.getMessage());
                }
            });
        }
        rig.connect(next).write("through");
        Await.until(() -> last.messages.contains("through"), "the end of the chain");
    }

    // ---- threads ----------------------------------------------------------------------------------------------------

    @Test
    void shouldKeepEachWritersOrderAndNeverOverlapEvents() throws InterruptedException {
        int writers = 4;
        int messages = 5_000;
        AtomicReference<Thread> inside = new AtomicReference<>();
        AtomicInteger overlaps = new AtomicInteger();
        AtomicInteger received = new AtomicInteger();
        int[] last = new int[writers];
        rig.listen(NAME, () -> new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                if (!inside.compareAndSet(null, Thread.currentThread())) {
                    overlaps.incrementAndGet();
                }
                int[] message = (int[]) e.getMessage();
                assertEquals(last[message[0]] + 1, message[1]);
                last[message[0]] = message[1];
                received.incrementAndGet();
                inside.set(null);
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                overlaps.incrementAndGet();
            }
        });
        Channel client = rig.connect(NAME);
        List<Thread> threads = new ArrayList<>();
        for (int w = 0; w < writers; w++) {
            int writer = w;
            Thread thread = new Thread(() -> {
                for (int i = 1; i <= messages; i++) {
                    client.write(new int[] {writer, i});
                }
            });
            threads.add(thread);
            thread.start();
        }
        threads.forEach(Await::end);
        Await.until(() -> received.get() == writers * messages, () -> "all messages; received " + received);
        assertEquals(0, overlaps.get());
    }

    @Test
    void shouldCompleteEveryFutureOnceWhenBothEndsCloseAmidWrites() {
        for (int round = 0; round < 200; round++) {
            closeAmidWrites();
        }
    }

    private void closeAmidWrites() {
        LocalAddress name = new LocalAddress(LocalAddress.EPHEMERAL);
        Receiver child = new Receiver();
        Channel server = rig.listen(name, () -> child);
        Channel client = rig.connect(server.getLocalAddress());
        List<ChannelFuture> futures = new CopyOnWriteArrayList<>();
        Thread writer = new Thread(() -> {
            for (int i = 0; i < 100; i++) {
                futures.add(client.write(i));
            }
        });
        Thread closer = new Thread(() -> child.channel.close());
        writer.start();
        closer.start();
        client.close();
        Await.end(writer);
        Await.end(closer);
        int succeeded = 0;
        for (ChannelFuture future : futures) {
            succeeded += Await.done(future, "a write").isSuccess() ? 1 : 0;
        }
        Await.latch(child.closed, "the close of the child");
        // Messages that the client has handed over with its close may be dropped when the child closes.
        assertTrue(child.messages.size() <= succeeded, child.messages.size() + " received, " + succeeded + " sent");
        server.close();
    }

    @Test
    void shouldRefuseToAwaitInAnEventWhatDependsOnTheEndOfThatEvent() {
        Receiver client = new Receiver();
        rig.listen(NAME, Echo::new);
        Channel channel = rig.connect(
                NAME,
                new SimpleChannelUpstreamHandler() {
                    @Override
                    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
                        ctx.getChannel().getCloseFuture().await();
                    }
                },
                client);
        channel.write("x");
        Await.until(() -> !client.messages.isEmpty(), "a refusal");
        assertInstanceOf(IllegalStateException.class, client.messages.get(0));
    }

    @Test
    void shouldRunPipelineTasksImmediatelyWithinAnEventOfTheChannel() {
        List<String> order = new CopyOnWriteArrayList<>();
        rig.listen(NAME, () -> new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                ctx.getPipeline().execute(() -> order.add("task"));
                order.add("message");
            }
        });
        rig.connect(NAME).write("x");
        assertEquals(List.of("task", "message"), order);
    }

    // ---- names ------------------------------------------------------------------------------------------------------

    @Test
    void shouldRefuseANameThatIsTaken() {
        rig.listen(NAME, Receiver::new);
        ChannelException failure = assertThrows(ChannelException.class, () -> rig.listen(NAME, Receiver::new));
        assertInstanceOf(BindException.class, failure.getCause());
        assertTrue(failure.getCause().getMessage().contains(NAME.toString()));
    }

    @Test
    void shouldRefuseAClientANameThatIsTaken() {
        rig.listen(NAME, Receiver::new);
        Channel client = new DefaultLocalClientChannelFactory().newChannel(Channels.pipeline(new Receiver()));
        assertInstanceOf(BindException.class, Await.failure(client.bind(NAME), "the bind"));
        client.close();
    }

    @Test
    void shouldFreeANameWhenItsOwnerCloses() {
        for (int i = 0; i < 3; i++) {
            Await.success(rig.listen(NAME, Receiver::new).close(), "the close");
        }
        Channel client = new DefaultLocalClientChannelFactory().newChannel(Channels.pipeline(new Receiver()));
        Await.success(client.bind(NAME), "the bind of a client");
        Await.success(client.close(), "its close");
        assertNotNull(rig.listen(NAME, Receiver::new));
    }

    @Test
    void shouldChooseAFreshNameForAnEphemeralAddress() {
        LocalAddress any = new LocalAddress(LocalAddress.EPHEMERAL);
        Channel one = rig.listen(any, Receiver::new);
        Channel two = rig.listen(any, Receiver::new);
        assertNotEquals(one.getLocalAddress(), two.getLocalAddress());
        assertTrue(rig.connect(two.getLocalAddress()).isConnected());
    }

    @Test
    void shouldRefuseToConnectWithoutAServer() {
        Receiver client = new Receiver();
        ChannelFuture connect = rig.connecting(NAME, client);
        Throwable cause = Await.failure(connect, "the connection");
        assertInstanceOf(ConnectException.class, cause);
        assertTrue(cause.getMessage().contains(NAME.toString()));
        Await.latch(client.closed, "the close");
        assertEquals(List.of(cause), client.messages);
    }

    @Test
    void shouldRefuseToConnectToAClient() {
        Channel client = new DefaultLocalClientChannelFactory().newChannel(Channels.pipeline(new Receiver()));
        Await.success(client.bind(NAME), "the bind");
        assertInstanceOf(ConnectException.class, Await.failure(rig.connecting(NAME, new Receiver()), "the connection"));
        client.close();
    }

    @Test
    void shouldRefuseAnAddressOfAnotherKind() {
        InetSocketAddress foreign = new InetSocketAddress(1);
        Throwable cause = Await.failure(rig.connecting(foreign, new Receiver()), "the connection");
        assertInstanceOf(IllegalArgumentException.class, cause);
        assertTrue(cause.getMessage().contains(foreign.toString()));
    }

    @Test
    void shouldRefuseASecondConnection() {
        rig.listen(NAME, Receiver::new);
        Channel client = rig.connect(NAME, new Receiver());
        assertInstanceOf(AlreadyConnectedException.class, Await.failure(client.connect(NAME), "the second connection"));
        assertTrue(client.isConnected());
    }

    @Test
    void shouldRefuseConnectionsWhenThePipelineFactoryFails() {
        Recorder parent = new Recorder();
        rig.server().setParentHandler(parent);
        rig.server().setPipelineFactory(() -> {
            throw new IllegalStateException("no pipeline today");
        });
        rig.server().bind(NAME);
        Throwable cause = Await.failure(rig.connecting(NAME, new Receiver()), "the connection");
        assertInstanceOf(ConnectException.class, cause);
        assertEquals("no pipeline today", parent.failures().get(0).getMessage());
    }

    @Test
    void shouldCloseAllChannelsOfAFactory() {
        Receiver child = new Receiver();
        Receiver client = new Receiver();
        Channel server = rig.listen(NAME, () -> child);
        rig.connect(NAME, client);
        server.getFactory().releaseExternalResources();
        assertFalse(server.isOpen());
        Await.latch(child.closed, "the close of the child");
        Await.latch(client.closed, "the close of the client");
    }
}
