package org.freshet.handler.ipfilter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.MemoryChannel;
import org.freshet.util.NetUtil;
import org.junit.jupiter.api.Test;

class IpFilteringTest {
    private static InetSocketAddress peer(String ip) {
        try {
            return new InetSocketAddress(
                    InetAddress.getByAddress(NetUtil.createByteArrayFromIpAddressString(ip)), 1234);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean letsIn(IpFilterRuleHandler handler, String ip) {
        return MemoryChannel.connected(peer(ip), handler).isOpen();
    }

    /** The states that reached the top, each as its name and whether it began. */
    private static List<String> states(MemoryChannel channel) {
        List<String> states = new ArrayList<>();
        for (ChannelEvent e : channel.takeUpstream()) {
            if (e instanceof ChannelStateEvent change) {
                boolean began = change.getValue() != null && change.getValue() != Boolean.FALSE;
                states.add((began ? "+" : "-") + change.getState());
            }
        }
        return states;
    }

    @Test
    void shouldApplyTheFirstRuleThatMatchesTheAddress() {
        IpFilterRuleHandler handler = new IpFilterRuleHandler(
                new IpFilterRuleList("+i:10.1.2.3, -c:10.0.0.0/8, +c:10.9.0.0/16, -c:2001:db8::/32"));
        assertTrue(letsIn(handler, "10.1.2.3"));
        assertFalse(letsIn(handler, "10.1.2.4"));
        assertFalse(letsIn(handler, "10.9.1.1"));
        assertTrue(letsIn(handler, "11.1.1.1"));
        assertFalse(letsIn(handler, "2001:db8::1"));
        assertTrue(letsIn(handler, "2001:db9::1"));
    }

    @Test
    void shouldAcceptAllWithoutRulesAndNoneWithARuleThatRefusesAll() {
        IpFilterRuleHandler handler = new IpFilterRuleHandler();
        assertTrue(letsIn(handler, "10.1.2.3") && letsIn(handler, "::1"));
        handler.add(new IpSubnetFilterRule(false));
        assertFalse(letsIn(handler, "10.1.2.3") || letsIn(handler, "::1"));
    }

    @Test
    void shouldHideARefusedConnectionFromTheHandlersAbove() {
        IpFilterRuleHandler handler = new IpFilterRuleHandler(List.of(new IpSubnetFilterRule(false)));
        MemoryChannel channel = MemoryChannel.connected(peer("10.1.2.3"), handler);
        assertFalse(channel.isOpen());
        channel.receive("too late");
        assertEquals(List.of("+OPEN", "+BOUND"), states(channel));
        assertEquals(List.of(), channel.takeReceived());
    }

    @Test
    void shouldPassAllEventsOfAnAcceptedConnection() {
        MemoryChannel channel = MemoryChannel.connected(peer("10.1.2.3"), new IpFilterRuleHandler());
        channel.receive("a");
        channel.close();
        assertEquals(List.of("a"), channel.takeReceived());
        assertEquals(List.of("+OPEN", "+BOUND", "+CONNECTED", "-CONNECTED", "-BOUND", "-OPEN"), states(channel));
    }

    @Test
    void shouldRefusePeersWithoutAnIpAddress() {
        for (SocketAddress odd : new SocketAddress[] {
            new SocketAddress() {
                private static final long serialVersionUID = 1L;
            },
            InetSocketAddress.createUnresolved("somewhere", 1)
        }) {
            assertFalse(MemoryChannel.connected(odd, new IpFilterRuleHandler()).isOpen(), odd.toString());
        }
    }

    @Test
    void shouldRefuseWhenItCannotDecide() {
        Exception failure = new Exception("no idea");
        try (CapturedLog log = CapturedLog.start()) {
            MemoryChannel channel = MemoryChannel.connected(peer("10.1.2.3"), new IpFilteringHandlerImpl() {
                @Override
                protected boolean accept(ChannelHandlerContext ctx, ChannelEvent e, InetSocketAddress address)
                        throws Exception {
                    throw failure;
                }
            });
            assertFalse(channel.isOpen());
            assertEquals(List.of("+OPEN", "+BOUND"), states(channel));
            assertSame(failure, log.messages(InternalLogLevel.WARN).get(0).cause());
        }
    }

    @Test
    void shouldRefuseWhenARuleCannotBeLoaded() {
        Error failure = new NoClassDefFoundError("thrown on purpose");
        try (CapturedLog log = CapturedLog.start()) {
            MemoryChannel channel = MemoryChannel.connected(peer("10.1.2.3"), new IpFilteringHandlerImpl() {
                @Override
                protected boolean accept(ChannelHandlerContext ctx, ChannelEvent e, InetSocketAddress address) {
                    throw failure;
                }
            });
            assertFalse(channel.isOpen());
            assertSame(failure, log.messages(InternalLogLevel.WARN).get(0).cause());
        }
    }

    /** Writes a given farewell, and lets events pass as configured. */
    private static final class Listener implements IpFilterListener {
        final List<String> told = new ArrayList<>();
        ChannelFuture farewell;
        ChannelState passes;

        @Override
        public ChannelFuture allowed(ChannelHandlerContext ctx, ChannelEvent e, InetSocketAddress address) {
            told.add("allowed " + address.getAddress().getHostAddress());
            return null;
        }

        @Override
        public ChannelFuture refused(ChannelHandlerContext ctx, ChannelEvent e, InetSocketAddress address) {
            told.add("refused " + address.getAddress().getHostAddress());
            if (farewell != null) {
                Channels.write(ctx, farewell, "go away");
            }
            return farewell;
        }

        @Override
        public boolean continues(ChannelHandlerContext ctx, ChannelEvent e) {
            return e instanceof ChannelStateEvent change && change.getState() == passes;
        }
    }

    @Test
    void shouldNotifyTheListener() {
        IpFilterRuleHandler handler = new IpFilterRuleHandler(new IpFilterRuleList("-c:10.0.0.0/8"));
        Listener listener = new Listener();
        handler.setIpFilterListener(listener);
        letsIn(handler, "10.1.2.3");
        letsIn(handler, "11.1.2.3");
        handler.removeIpFilterListener();
        letsIn(handler, "12.1.2.3");
        assertEquals(List.of("refused 10.1.2.3", "allowed 11.1.2.3"), listener.told);
    }

    @Test
    void shouldAllowAllWithoutAListOfRules() throws Exception {
        assertTrue(new IpFilterRuleHandler(null).isEmpty());
        assertTrue(MemoryChannel.connected(peer("10.1.2.3"), new IpFilterRuleHandler(null))
                .isOpen());
    }

    @Test
    void shouldCloseAfterTheFarewellWasSent() {
        IpFilterRuleHandler handler = new IpFilterRuleHandler(List.of(new IpSubnetFilterRule(false)));
        Listener listener = new Listener();
        handler.setIpFilterListener(listener);
        MemoryChannel channel = MemoryChannel.open(handler).holdWrites();
        listener.farewell = Channels.future(channel);
        channel.connect(peer("10.1.2.3"));
        assertTrue(channel.isOpen());
        channel.receive("unheard");
        assertEquals(List.of("go away"), channel.takeWritten());
        channel.completeWrites();
        assertFalse(channel.isOpen());
        assertEquals(List.of(), channel.takeReceived());
    }

    @Test
    void shouldPassTheEventsThatTheListenerWants() {
        IpFilterRuleHandler handler = new IpFilterRuleHandler(List.of(new IpSubnetFilterRule(false)));
        Listener listener = new Listener();
        listener.passes = ChannelState.OPEN;
        handler.setIpFilterListener(listener);
        MemoryChannel channel = MemoryChannel.connected(peer("10.1.2.3"), handler);
        assertEquals(List.of("+OPEN", "+BOUND", "-OPEN"), states(channel));
    }

    @Test
    void shouldAcceptOneConnectionPerAddressAtATime() {
        OneIpFilterHandler handler = new OneIpFilterHandler();
        MemoryChannel first = MemoryChannel.connected(peer("10.1.2.3"), handler);
        MemoryChannel second = MemoryChannel.connected(peer("10.1.2.3"), handler);
        MemoryChannel other = MemoryChannel.connected(peer("::1"), handler);
        assertTrue(first.isOpen() && other.isOpen());
        assertFalse(second.isOpen());
        assertFalse(
                MemoryChannel.connected(peer("10.1.2.3"), handler).isOpen(),
                "the end of a refused connection must not free the place of the first");
        first.close();
        assertTrue(MemoryChannel.connected(peer("10.1.2.3"), handler).isOpen());
    }

    @Test
    void shouldKeepItsRulesLikeAList() {
        IpFilterRule a = new PatternRule(true, "i:1.*");
        IpFilterRule b = new PatternRule(true, "i:2.*");
        IpFilterRule c = new PatternRule(true, "i:3.*");
        IpFilterRuleHandler handler = new IpFilterRuleHandler(List.of(a));
        handler.add(b);
        handler.add(1, c);
        assertRules(handler, a, c, b);
        assertTrue(handler.contains(c) && handler.containsAll(List.of(a, b)));
        handler.remove(c);
        assertSame(b, handler.remove(1));
        assertRules(handler, a);
        assertFalse(handler.addIfAbsent(new PatternRule(true, "i:1.*")));
        assertTrue(handler.addIfAbsent(b));
        assertEquals(1, handler.addAllAbsent(List.of(a, b, c)));
        assertRules(handler, a, b, c);
        assertSame(a, handler.set(0, c));
        handler.removeAll(List.of(c));
        assertRules(handler, b);
        handler.addAll(List.of(a));
        handler.addAll(0, List.of(c));
        assertRules(handler, c, b, a);
        handler.retainAll(List.of(a, c));
        assertRules(handler, c, a);
        handler.clear();
        assertTrue(handler.isEmpty());
        assertThrows(NullPointerException.class, () -> handler.add(null));
        assertThrows(NullPointerException.class, () -> handler.addAll(Arrays.asList(a, null)));
        assertTrue(handler.isEmpty());
    }

    private static void assertRules(IpFilterRuleHandler handler, IpFilterRule... expected) {
        assertEquals(expected.length, handler.size());
        for (int i = 0; i < expected.length; i++) {
            assertSame(expected[i], handler.get(i));
        }
    }
}
