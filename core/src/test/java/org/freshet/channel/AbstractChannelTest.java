package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.freshet.internal.AddressCounter;
import org.freshet.testing.MemoryChannelFactory;
import org.junit.jupiter.api.Test;

class AbstractChannelTest {
    private static final SocketAddress LOCAL = InetSocketAddress.createUnresolved("local", 1);
    private static final SocketAddress REMOTE = InetSocketAddress.createUnresolved("remote", 2);

    private final FakeChannel channel = new FakeChannel();

    // ---- identity ----

    @Test
    void shouldAttachItsPipeline() {
        assertSame(channel, channel.getPipeline().getChannel());
        assertTrue(channel.getPipeline().isAttached());
    }

    @Test
    void shouldHaveUniqueIds() {
        assertNotEquals(channel.getId(), new FakeChannel().getId());
        assertEquals(channel.getId(), channel.hashCode());
        assertEquals(42, new FakeChannel(42, null).getId());
    }

    @Test
    void shouldBeEqualOnlyToItself() {
        assertEquals(channel, channel);
        assertNotEquals(new FakeChannel(7, null), new FakeChannel(7, null));
    }

    @Test
    void shouldBeOrderedByIdConsistentlyWithEquals() {
        FakeChannel lowest = new FakeChannel(Integer.MIN_VALUE, null);
        FakeChannel highest = new FakeChannel(Integer.MAX_VALUE, null);
        assertTrue(lowest.compareTo(highest) < 0);
        assertTrue(highest.compareTo(lowest) > 0);
        assertEquals(0, lowest.compareTo(lowest));
        FakeChannel twin = new FakeChannel(Integer.MIN_VALUE, null);
        assertEquals(Integer.signum(twin.compareTo(lowest)), -Integer.signum(lowest.compareTo(twin)));
        assertEquals(3, new TreeSet<>(List.of(highest, twin, lowest)).size());
    }

    @Test
    void shouldKeepAttachment() {
        assertNull(channel.getAttachment());
        channel.setAttachment("kept");
        assertEquals("kept", channel.getAttachment());
        channel.setAttachment(null);
        assertNull(channel.getAttachment());
    }

    @Test
    void shouldKnowItsParent() {
        assertSame(channel, new FakeChannel(channel).getParent());
        assertNull(channel.getParent());
    }

    @Test
    void shouldKnowItsFactoryWhetherTheParentHasTheSameOneOrNot() {
        ChannelFactory first = new MemoryChannelFactory();
        ChannelFactory second = new MemoryChannelFactory();
        FakeChannel parent = new FakeChannel(null, first);
        assertSame(first, parent.getFactory());
        assertNull(parent.getParent());
        for (ChannelFactory factory : Arrays.asList(first, second, null)) {
            FakeChannel child = new FakeChannel(parent, factory);
            assertSame(factory, child.getFactory());
            assertSame(parent, child.getParent());
        }
    }

    /** A class may be both a channel and a factory. */
    @Test
    void shouldNotMistakeAFactoryThatIsAChannelForAParent() {
        FactoryChannel factory = new FactoryChannel();
        FakeChannel made = new FakeChannel(null, factory);
        assertSame(factory, made.getFactory());
        assertNull(made.getParent());
    }

    private static final class FactoryChannel extends FakeChannel implements ChannelFactory {
        @Override
        public Channel newChannel(ChannelPipeline pipeline) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void shutdown() {}

        @Override
        public void releaseExternalResources() {}
    }

    // ---- closing ----

    @Test
    void shouldCloseOnce() {
        List<ChannelFuture> closed = new ArrayList<>();
        channel.getCloseFuture().addListener(closed::add);
        assertTrue(channel.isOpen());
        assertTrue(channel.onClosed());
        assertFalse(channel.onClosed());
        assertFalse(channel.isOpen());
        assertTrue(channel.getCloseFuture().isSuccess());
        assertEquals(List.of(channel.getCloseFuture()), closed);
    }

    @Test
    void shouldLeaveTheCloseFutureToTheChannel() {
        ChannelFuture closeFuture = channel.getCloseFuture();
        assertFalse(closeFuture.setSuccess());
        assertFalse(closeFuture.setFailure(new IOException()));
        assertFalse(closeFuture.cancel());
        assertFalse(closeFuture.isDone());
        assertTrue(channel.isOpen());
        assertTrue(channel.onClosed());
        assertFalse(closeFuture.setSuccess());
    }

    @Test
    void shouldReturnTheCloseFutureFromClose() {
        assertSame(channel.getCloseFuture(), channel.close());
        assertTrue(channel.getCloseFuture().isDone());
    }

    @Test
    void shouldKeepTheReasonOfTheFirstRequestToClose() {
        channel.closesAtOnce = false;
        assertSame(channel.getCloseFuture(), channel.close());
        assertTrue(channel.isOpen());
        assertNull(channel.getCloseReason(), "not closed yet");
        assertEquals(CloseReason.LOCAL, channel.notedCloseReason());
        channel.setClosing(CloseReason.of(CloseReason.Kind.PEER_CLOSED));
        assertFalse(channel.isOpen());
        assertEquals(CloseReason.LOCAL, channel.getCloseReason());

        CloseReason own = CloseReason.of(CloseReason.Kind.REFUSED);
        FakeChannel other = new FakeChannel();
        assertSame(other.getCloseFuture(), other.close(own));
        assertSame(own, other.getCloseReason());
    }

    /** A proxy may name the client's address while another thread closes the connection. */
    @Test
    void shouldNotReplaceTheCounterOfAClosedConnection() throws Exception {
        class Counter implements AddressCounter, ChannelFutureListener {
            @Override
            public boolean countFor(InetAddress address, Predicate<AddressCounter> replacement) {
                return replacement.test(new Counter());
            }

            @Override
            public void operationComplete(ChannelFuture closed) {}
        }
        assertTrue(channel.countFor(InetAddress.getLoopbackAddress()), "nothing counts it");
        channel.getCloseFuture().addListener(new Counter() {
            @Override
            public boolean countFor(InetAddress address, Predicate<AddressCounter> replacement) {
                channel.close();
                return super.countFor(address, replacement);
            }
        });
        assertFalse(channel.countFor(InetAddress.getLoopbackAddress()));
        FakeChannel open = new FakeChannel();
        open.getCloseFuture().addListener(new Counter());
        assertTrue(open.countFor(InetAddress.getLoopbackAddress()));
    }

    @Test
    void shouldReplaceLocalsOnlyIfNoOtherThreadHas() {
        Object[] before = channel.locals();
        Object[] first = {"key", "value"};
        assertTrue(channel.replaceLocals(before, first));
        assertFalse(channel.replaceLocals(before, new Object[0]));
        assertSame(first, channel.locals());
    }

    // ---- operations ----

    @Test
    void shouldSendOperationsDownThePipeline() {
        List<ChannelFuture> futures = List.of(
                channel.bind(LOCAL),
                channel.unbind(),
                channel.connect(REMOTE),
                channel.disconnect(),
                channel.setInterestOps(Channel.OP_NONE));
        assertEquals(
                futures, channel.sunk().stream().map(ChannelEvent::getFuture).toList());
        List<Object> states = new ArrayList<>();
        for (ChannelEvent e : channel.sunk()) {
            ChannelStateEvent stateEvent = assertInstanceOf(ChannelStateEvent.class, e);
            states.add(stateEvent.getState() + "=" + stateEvent.getValue());
        }
        assertEquals(
                List.of(
                        "BOUND=" + LOCAL,
                        "BOUND=null",
                        "CONNECTED=" + REMOTE,
                        "CONNECTED=null",
                        "INTEREST_OPS=" + Channel.OP_NONE),
                states);
    }

    @Test
    void shouldSendWritesDownThePipeline() {
        ChannelFuture first = channel.write("first");
        ChannelFuture second = channel.write("second", REMOTE);
        MessageEvent firstSunk =
                assertInstanceOf(MessageEvent.class, channel.sunk().get(0));
        MessageEvent secondSunk =
                assertInstanceOf(MessageEvent.class, channel.sunk().get(1));
        assertEquals("first", firstSunk.getMessage());
        assertSame(first, firstSunk.getFuture());
        assertEquals("second", secondSunk.getMessage());
        assertEquals(REMOTE, secondSunk.getRemoteAddress());
        assertSame(second, secondSunk.getFuture());
        assertFalse(first.isDone());
    }

    @Test
    void shouldMakeCompleteFutures() {
        assertTrue(channel.getSucceededFuture().isSuccess());
        assertSame(channel, channel.getSucceededFuture().getChannel());
        assertInstanceOf(
                UnsupportedOperationException.class,
                channel.getUnsupportedOperationFuture().getCause());
    }

    // ---- interest and writability ----

    @Test
    void shouldInitiallyBeReadableAndWritable() {
        assertEquals(Channel.OP_READ, channel.getInterestOps());
        assertTrue(channel.isReadable());
        assertTrue(channel.isWritable());
    }

    @Test
    void shouldReportOpWriteWhileNotWritable() {
        channel.setUnwritable();
        assertEquals(Channel.OP_READ_WRITE, channel.getInterestOps());
        channel.setInternalInterestOps(Channel.OP_NONE);
        assertEquals(Channel.OP_WRITE, channel.getInterestOps());
        assertFalse(channel.isReadable());
        channel.setWritable();
        assertEquals(Channel.OP_NONE, channel.getInterestOps());
    }

    @Test
    void shouldNotDeriveWritabilityFromTheInterest() {
        channel.setInternalInterestOps(Channel.OP_READ_WRITE);
        assertEquals(Channel.OP_READ, channel.getInterestOps());
        assertTrue(channel.isWritable());
    }

    @Test
    void shouldReportOpWriteWhenClosed() {
        channel.onClosed();
        assertEquals(Channel.OP_WRITE, channel.getInterestOps());
    }

    @Test
    void shouldReturnWhetherTheTransportChangedTheWritability() {
        assertFalse(channel.setWritable());
        assertTrue(channel.setUnwritable());
        assertFalse(channel.setUnwritable());
        assertTrue(channel.setWritable());
        assertFalse(channel.setWritable());
        channel.setUserDefinedWritability(5, false);
        assertFalse(channel.setUnwritable());
        assertFalse(channel.setWritable());
        assertFalse(channel.isWritable());
    }

    @Test
    void shouldBeWritableOnlyWithoutAnyReasonAgainstIt() {
        channel.setUserDefinedWritability(1, false);
        channel.setUserDefinedWritability(31, false);
        channel.setUnwritable();
        assertFalse(channel.getUserDefinedWritability(1));
        assertTrue(channel.getUserDefinedWritability(2));
        assertFalse(channel.getUserDefinedWritability(31));
        channel.setUserDefinedWritability(1, true);
        assertFalse(channel.isWritable());
        channel.setWritable();
        assertFalse(channel.isWritable());
        channel.setUserDefinedWritability(31, true);
        assertTrue(channel.isWritable());
    }

    @Test
    void shouldNotifyHandlersWhenTheUserChangesTheWritability() {
        List<Boolean> answers = new ArrayList<>();
        channel.getPipeline().addLast("spy", new SimpleChannelUpstreamHandler() {
            @Override
            public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
                answers.add(ctx.getChannel().isWritable());
            }
        });
        channel.setUserDefinedWritability(1, true);
        channel.setUserDefinedWritability(1, false);
        channel.setUserDefinedWritability(2, false);
        channel.setUserDefinedWritability(1, false);
        channel.setUserDefinedWritability(1, true);
        channel.setUserDefinedWritability(2, true);
        channel.setUnwritable();
        channel.setUserDefinedWritability(1, false);
        channel.setUserDefinedWritability(1, true);
        assertEquals(List.of(false, true), answers);
    }

    @Test
    void shouldRefuseWritabilityIndexesOutOfRange() {
        for (int index : new int[] {Integer.MIN_VALUE, -1, 0, 32, Integer.MAX_VALUE}) {
            IllegalArgumentException refusal =
                    assertThrows(IllegalArgumentException.class, () -> channel.setUserDefinedWritability(index, false));
            assertTrue(refusal.getMessage().contains(": " + index), refusal.getMessage());
            assertThrows(IllegalArgumentException.class, () -> channel.getUserDefinedWritability(index));
        }
        assertTrue(channel.isWritable());
    }

    @Test
    void shouldSwitchReadingAlone() {
        channel.setUnwritable();
        channel.setReadable(false);
        channel.setReadable(true);
        List<Object> values = new ArrayList<>();
        channel.sunk().forEach(e -> values.add(((ChannelStateEvent) e).getValue()));
        assertEquals(List.of(Channel.OP_NONE, Channel.OP_READ), values);
        channel.setInternalInterestOps(Channel.OP_NONE);
        channel.setReadable(true);
        assertEquals(Channel.OP_READ, ((ChannelStateEvent) channel.sunk().get(2)).getValue());
    }

    // ---- server channels ----

    @Test
    void shouldRefuseOperationsServerChannelsDoNotSupport() {
        FakeServerChannel server = new FakeServerChannel();
        for (ChannelFuture refused : List.of(
                server.connect(REMOTE),
                server.disconnect(),
                server.setInterestOps(Channel.OP_READ),
                server.setReadable(false),
                server.write("x"),
                server.write("x", REMOTE))) {
            assertInstanceOf(UnsupportedOperationException.class, refused.getCause());
            assertSame(server, refused.getChannel());
        }
        server.setInternalInterestOps(Channel.OP_READ_WRITE);
        assertEquals(Channel.OP_NONE, server.getInterestOps());
        assertFalse(server.isConnected());
        assertNull(server.getParent());
        assertTrue(server.sunk().isEmpty());
    }

    @Test
    void shouldCloseServerChannels() {
        FakeServerChannel server = new FakeServerChannel();
        assertTrue(server.close().isSuccess());
        assertFalse(server.isOpen());
    }

    // ---- text ----

    /** The same channel in Netty 3, because people's log filters depend on its texts. */
    private static final class PeerChannel extends org.jboss.netty.channel.AbstractChannel {
        private final FakeChannel twin;

        PeerChannel(FakeChannel twin) {
            super(
                    twin.getId(),
                    twin.getParent() == null ? null : new PeerChannel((FakeChannel) twin.getParent()),
                    null,
                    org.jboss.netty.channel.Channels.pipeline(),
                    new org.jboss.netty.channel.AbstractChannelSink() {
                        @Override
                        public void eventSunk(
                                org.jboss.netty.channel.ChannelPipeline pipeline,
                                org.jboss.netty.channel.ChannelEvent e) {
                            throw new AssertionError("not for events: " + e);
                        }
                    });
            this.twin = twin;
        }

        @Override
        public org.jboss.netty.channel.ChannelConfig getConfig() {
            return null;
        }

        @Override
        public boolean isBound() {
            return twin.isBound();
        }

        @Override
        public boolean isConnected() {
            return twin.isConnected();
        }

        @Override
        public SocketAddress getLocalAddress() {
            return twin.getLocalAddress();
        }

        @Override
        public SocketAddress getRemoteAddress() {
            return twin.getRemoteAddress();
        }
    }

    @Test
    void shouldLookLikeNetty3InLogs() {
        for (int id : new int[] {0, 42, 0x1234567, -3, Integer.MIN_VALUE}) {
            for (int bits = 0; bits < 16; bits++) {
                FakeChannel each = new FakeChannel(id, (bits & 1) != 0 ? channel : null);
                each.localAddress = (bits & 2) != 0 ? LOCAL : null;
                each.remoteAddress = (bits & 4) != 0 ? REMOTE : null;
                each.connected = (bits & 8) != 0;
                assertEquals(new PeerChannel(each).toString(), each.toString());
            }
        }
    }

    @Test
    void shouldShowTheDirectionOfTheConnection() {
        FakeChannel client = new FakeChannel(42, null);
        client.localAddress = LOCAL;
        assertEquals("[id: 0x0000002a, " + LOCAL + "]", client.toString());
        client.remoteAddress = REMOTE;
        client.connected = true;
        assertEquals("[id: 0x0000002a, " + LOCAL + " => " + REMOTE + "]", client.toString());
        client.connected = false;
        assertEquals("[id: 0x0000002a, " + LOCAL + " :> " + REMOTE + "]", client.toString());
        FakeChannel accepted = new FakeChannel(-1, client);
        accepted.localAddress = LOCAL;
        accepted.remoteAddress = REMOTE;
        accepted.connected = true;
        assertEquals("[id: 0xffffffff, " + REMOTE + " => " + LOCAL + "]", accepted.toString());
        assertNotNull(new FakeServerChannel().toString());
    }
}
