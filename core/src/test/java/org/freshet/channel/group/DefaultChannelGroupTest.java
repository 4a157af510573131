package org.freshet.channel.group;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.DefaultChannelFuture;
import org.freshet.channel.FakeChannel;
import org.freshet.channel.FakeServerChannel;
import org.freshet.channel.HookedChannel;
import org.freshet.channel.MessageEvent;
import org.junit.jupiter.api.Test;

class DefaultChannelGroupTest {
    private static final SocketAddress REMOTE = InetSocketAddress.createUnresolved("remote", 2);

    private final DefaultChannelGroup group = new DefaultChannelGroup("all");
    private final FakeServerChannel server = new FakeServerChannel();
    private final FakeChannel first = new FakeChannel();
    private final FakeChannel second = new FakeChannel();

    // ---- a set ----

    @Test
    void shouldBeASetOfChannels() {
        assertTrue(group.isEmpty());
        assertTrue(group.add(first));
        assertFalse(group.add(first));
        assertTrue(group.add(server));
        assertFalse(group.add(server));
        assertEquals(2, group.size());
        assertFalse(group.isEmpty());
        assertTrue(group.contains(first));
        assertTrue(group.contains(server));
        assertFalse(group.contains(second));
        assertTrue(group.remove(first));
        assertFalse(group.remove(first));
        assertFalse(group.contains(first));
        assertEquals(1, group.size());
    }

    @Test
    void shouldAlsoFindChannelsById() {
        group.add(first);
        group.add(server);
        assertSame(first, group.find(first.getId()));
        assertSame(server, group.find(server.getId()));
        assertNull(group.find(second.getId()));
        assertTrue(group.contains(server.getId()));
        assertFalse(group.contains(second.getId()));
        assertTrue(group.remove(first.getId()));
        assertTrue(group.remove(server.getId()));
        assertFalse(group.remove(server.getId()));
        assertTrue(group.isEmpty());
    }

    @Test
    void shouldContainNothingElse() {
        group.add(first);
        for (Object other : new Object[] {null, "x", 1L}) {
            assertFalse(group.contains(other));
            assertFalse(group.remove(other));
        }
        assertThrows(NullPointerException.class, () -> group.add(null));
        assertThrows(NullPointerException.class, () -> group.find(null));
        assertEquals(1, group.size());
    }

    @Test
    void shouldDistinguishChannelsWithEqualIds() {
        FakeChannel one = new FakeChannel(7, null);
        FakeChannel other = new FakeChannel(7, null);
        assertTrue(group.add(one));
        assertTrue(group.add(other));
        assertEquals(2, group.size());
        assertEquals(7, group.find(7).getId());
        group.remove(one);
        assertSame(other, group.find(7));
    }

    @Test
    void shouldFindChannelsWhoseHashCodeIsNotTheirId() {
        DefaultChannelFuture closeFuture = new DefaultChannelFuture(null, false);
        Channel foreign = (Channel) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Channel.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "getId" -> 77;
                    case "hashCode" -> 78;
                    case "equals" -> proxy == args[0];
                    case "getCloseFuture" -> closeFuture;
                    case "getParent" -> null;
                    default -> throw new AssertionError("not for a test: " + method);
                });
        group.add(first);
        assertTrue(group.add(foreign));
        assertSame(foreign, group.find(77));
        assertNull(group.find(78));
        assertTrue(group.remove((Object) 77));
        assertNull(group.find(77));
    }

    @Test
    void shouldIterateOverServerChannelsFirst() {
        FakeServerChannel anotherServer = new FakeServerChannel();
        group.add(first);
        group.add(server);
        group.add(second);
        group.add(anotherServer);
        List<Channel> order = new ArrayList<>(group);
        assertEquals(Set.of(server, anotherServer), new HashSet<>(order.subList(0, 2)));
        assertEquals(Set.of(first, second), new HashSet<>(order.subList(2, 4)));
        assertArrayEquals(order.toArray(), group.toArray());
        assertArrayEquals(order.toArray(), group.toArray(new Channel[0]));
    }

    @Test
    void shouldRemoveThroughTheIterator() {
        group.addAll(List.of(first, second, server));
        Iterator<Channel> iterator = group.iterator();
        assertThrows(IllegalStateException.class, iterator::remove);
        assertSame(server, iterator.next());
        iterator.remove();
        assertThrows(IllegalStateException.class, iterator::remove);
        assertFalse(group.contains(server));
        while (iterator.hasNext()) {
            iterator.next();
            iterator.remove();
        }
        assertTrue(group.isEmpty());
    }

    @Test
    void shouldForgetAllChannelsWhenCleared() {
        group.addAll(List.of(first, server));
        group.clear();
        assertTrue(group.isEmpty());
        assertTrue(first.isOpen());
        assertTrue(group.add(first));
    }

    @Test
    void shouldBeEqualOnlyToItselfAndOrderedByName() {
        DefaultChannelGroup namesake = new DefaultChannelGroup("all");
        assertEquals(group, group);
        assertNotEquals(group, namesake);
        assertEquals(0, group.compareTo(group));
        assertTrue(group.compareTo(new DefaultChannelGroup("b")) < 0);
        assertTrue(group.compareTo(new DefaultChannelGroup("a")) > 0);
        assertEquals(2, new TreeSet<>(List.of(group, namesake)).size());
        assertEquals(2, new HashSet<>(List.of(group, namesake)).size());
    }

    @Test
    void shouldHaveAName() {
        assertEquals("all", group.getName());
        assertNotEquals(new DefaultChannelGroup().getName(), new DefaultChannelGroup().getName());
        assertThrows(NullPointerException.class, () -> new DefaultChannelGroup(null));
        group.add(first);
        assertEquals("DefaultChannelGroup(name: all, size: 1)", group.toString());
    }

    // ---- closing ----

    @Test
    void shouldForgetChannelsThatClose() {
        group.addAll(List.of(first, second, server));
        first.close();
        server.close();
        assertEquals(Set.of(second), new HashSet<>(group));
    }

    @Test
    void shouldForgetAClosedChannelImmediately() {
        first.close();
        assertTrue(group.add(first));
        assertTrue(group.isEmpty());
    }

    @Test
    void shouldLeaveNoListenerOnRemovedChannels() {
        for (int i = 0; i < 3; i++) {
            group.add(first);
            group.remove(first);
        }
        WeakReference<DefaultChannelGroup> dropped = new WeakReference<>(new DefaultChannelGroup());
        dropped.get().add(first);
        dropped.get().remove(first);
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!dropped.refersTo(null)) {
            assertTrue(System.nanoTime() < deadlineNanos, "the channel still refers to a group it has left");
            System.gc();
        }
        assertTrue(first.isOpen());
    }

    @Test
    void shouldLeaveNoListenerOnAChannelRemovedInTheMiddleOfAdding() {
        HookedChannel channel = new HookedChannel();
        AtomicInteger removals = new AtomicInteger();
        DefaultChannelGroup spy = new DefaultChannelGroup() {
            @Override
            public boolean remove(Object o) {
                removals.incrementAndGet();
                return super.remove(o);
            }
        };
        channel.meanwhile = () -> spy.remove(channel);
        assertTrue(spy.add(channel));
        assertFalse(spy.contains(channel));
        channel.onClosed();
        assertEquals(1, removals.get());
    }

    @Test
    void shouldForgetAChannelThatClosesInTheMiddleOfAdding() {
        HookedChannel channel = new HookedChannel();
        channel.meanwhile = channel::onClosed;
        assertTrue(group.add(channel));
        assertTrue(group.isEmpty());
    }

    @Test
    void shouldCloseAChildThatIsAddedWhileItsServerCloses() {
        FakeChannel child = new FakeChannel(server);
        group.add(server);
        server.getCloseFuture().addListener(done -> group.add(child));
        assertTrue(group.close().isDone());
        assertFalse(child.isOpen());
    }

    @Test
    void shouldCloseAllAndServersFirst() {
        List<Channel> order = new ArrayList<>();
        for (Channel channel : List.of(first, second, server)) {
            group.add(channel);
            channel.getCloseFuture().addListener(done -> order.add(done.getChannel()));
        }
        ChannelGroupFuture future = group.close();
        assertTrue(future.isCompleteSuccess());
        assertSame(server, order.get(0));
        assertEquals(3, order.size());
        assertTrue(group.isEmpty());
        assertSame(group, future.getGroup());
        assertSame(first.getCloseFuture(), future.find(first));
    }

    @Test
    void shouldCloseChildrenAddedAfterTheirServerWasClosed() {
        group.add(server);
        group.close();
        FakeChannel late = new FakeChannel(server);
        assertTrue(group.add(late));
        assertFalse(late.isOpen());
        assertTrue(group.isEmpty());
    }

    @Test
    void shouldNotCloseOtherChannelsAddedLater() {
        group.add(server);
        group.close();
        FakeServerChannel otherServer = new FakeServerChannel();
        otherServer.close();
        FakeChannel childOfOther = new FakeChannel(otherServer);
        group.add(childOfOther);
        group.add(first);
        assertTrue(childOfOther.isOpen());
        assertTrue(first.isOpen());
        DefaultChannelGroup otherGroup = new DefaultChannelGroup();
        FakeChannel child = new FakeChannel(server);
        otherGroup.add(child);
        assertTrue(child.isOpen());
    }

    // ---- operations on all ----

    private static List<String> statesOf(FakeChannel channel) {
        List<String> states = new ArrayList<>();
        for (ChannelEvent e : channel.sunk()) {
            ChannelStateEvent stateEvent = (ChannelStateEvent) e;
            states.add(stateEvent.getState() + "=" + stateEvent.getValue());
        }
        return states;
    }

    @Test
    void shouldDoTheSameToAll() {
        group.addAll(List.of(first, second));
        group.disconnect();
        group.unbind();
        group.setInterestOps(Channel.OP_READ);
        group.setReadable(false);
        for (FakeChannel channel : List.of(first, second)) {
            assertEquals(
                    List.of("CONNECTED=null", "BOUND=null", "INTEREST_OPS=1", "INTEREST_OPS=0"), statesOf(channel));
        }
    }

    @Test
    void shouldFailUnsupportedOperationsOnServers() {
        group.addAll(List.of(first, server));
        for (ChannelGroupFuture future :
                List.of(group.disconnect(), group.setInterestOps(Channel.OP_READ), group.setReadable(true))) {
            assertInstanceOf(
                    UnsupportedOperationException.class, future.find(server).getCause());
            assertFalse(future.isDone());
            future.find(first).setSuccess();
            assertTrue(future.isPartialFailure());
            assertTrue(future.isPartialSuccess());
        }
    }

    @Test
    void shouldUnbindServersToo() {
        group.add(server);
        ChannelGroupFuture future = group.unbind();
        ChannelStateEvent request = (ChannelStateEvent) server.sunk().get(0);
        assertEquals(ChannelState.BOUND, request.getState());
        assertSame(request.getFuture(), future.find(server));
    }

    @Test
    void shouldWriteOneMessageToAllButServers() {
        group.addAll(List.of(first, second, server));
        Object message = new Object();
        ChannelGroupFuture future = group.write(message);
        ChannelGroupFuture addressed = group.write(message, REMOTE);
        for (FakeChannel channel : List.of(first, second)) {
            MessageEvent plain = (MessageEvent) channel.sunk().get(0);
            assertSame(message, plain.getMessage());
            assertSame(plain.getFuture(), future.find(channel));
            MessageEvent toRemote = (MessageEvent) channel.sunk().get(1);
            assertSame(message, toRemote.getMessage());
            assertEquals(REMOTE, toRemote.getRemoteAddress());
            assertSame(toRemote.getFuture(), addressed.find(channel));
        }
        assertNull(future.find(server));
        assertTrue(server.sunk().isEmpty());
    }

    @Test
    void shouldLetEachChannelReadTheBufferByItself() {
        group.addAll(List.of(first, second));
        ChannelBuffer buffer = ChannelBuffers.copiedBuffer("hello", StandardCharsets.US_ASCII);
        group.write(buffer);
        ChannelBuffer ofFirst = (ChannelBuffer) ((MessageEvent) first.sunk().get(0)).getMessage();
        ChannelBuffer ofSecond = (ChannelBuffer) ((MessageEvent) second.sunk().get(0)).getMessage();
        assertNotSame(ofFirst, ofSecond);
        ofFirst.readByte();
        assertEquals("hello", ofSecond.toString(StandardCharsets.US_ASCII));
        assertEquals("ello", ofFirst.toString(StandardCharsets.US_ASCII));
        assertEquals(5, buffer.readableBytes());
    }

    @Test
    void shouldRefuseNullMessagesEvenWhenEmpty() {
        assertThrows(NullPointerException.class, () -> group.write(null));
        assertThrows(NullPointerException.class, () -> group.write(null, REMOTE));
    }

    @Test
    void shouldBeDoneImmediatelyWhenEmpty() {
        for (ChannelGroupFuture future : List.of(group.close(), group.write("x"), group.unbind())) {
            assertTrue(future.isDone());
            assertTrue(future.isCompleteSuccess());
        }
    }

    @Test
    void shouldReachTheOthersWhenOneChannelThrows() {
        IllegalStateException thrown = new IllegalStateException("thrown on purpose");
        FakeChannel broken = new FakeChannel() {
            @Override
            public ChannelFuture close() {
                throw thrown;
            }
        };
        group.addAll(List.of(first, broken, second));
        ChannelGroupFuture future = group.close();
        assertFalse(first.isOpen());
        assertFalse(second.isOpen());
        assertSame(thrown, future.find(broken).getCause());
        assertTrue(future.isDone());
    }
}
