package org.freshet.channel.socket.nio;

import static org.freshet.channel.socket.nio.DatagramRig.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.socket.InternetProtocolFamily;
import org.freshet.channel.socket.nio.DatagramRig.Mailbox;
import org.freshet.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Groups on the loopback interface, where Linux has a whole IPv4 network of addresses to send from. */
class NioMulticastTest {
    private static final String ONE = "127.0.0.1";
    private static final String TWO = "127.0.0.2";

    private final DatagramRig datagrams = new DatagramRig(InternetProtocolFamily.IPv4);
    private final Mailbox mailbox = new Mailbox();
    private final InetAddress group = address("239.255.17.43");
    private NetworkInterface loopback;

    @BeforeEach
    void findLoopback() throws SocketException {
        loopback = NetworkInterface.getByInetAddress(address(ONE));
        assumeTrue(
                loopback != null && canSendFrom(TWO), "a loopback interface with IPv4 addresses " + ONE + ", " + TWO);
    }

    private static boolean canSendFrom(String host) {
        try (DatagramRig probe = new DatagramRig(InternetProtocolFamily.IPv4)) {
            return Await.done(probe.open(new Mailbox()).bind(new InetSocketAddress(host, 0)), "the bind")
                    .isSuccess();
        }
    }

    @AfterEach
    void release() {
        datagrams.close();
    }

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private NioDatagramChannel member() {
        return datagrams.bind(new InetSocketAddress(0), mailbox, Map.of("networkInterface", loopback));
    }

    /** Sends to the group from both addresses, and then to the member alone, so that the last message ends the wait. */
    private List<String> heard(NioDatagramChannel member, String last) {
        int port = member.getLocalAddress().getPort();
        for (String host : List.of(ONE, TWO)) {
            NioDatagramChannel sender = datagrams.bind(
                    new InetSocketAddress(host, 0),
                    new Mailbox(),
                    Map.of("networkInterface", loopback, "loopbackModeDisabled", false));
            Await.success(
                    sender.write(bytes("from " + host), new InetSocketAddress(group, port)), "a write to the group");
            if (host.equals(TWO)) {
                Await.success(sender.write(bytes(last), new InetSocketAddress(ONE, port)), "a write to the member");
            }
        }
        Await.until(() -> mailbox.letters().contains(last), () -> last + ", got " + mailbox.letters());
        List<String> heard = List.copyOf(mailbox.letters());
        mailbox.letters().clear();
        return heard;
    }

    @Test
    void shouldReceiveFromAGroupFromTheJoinUntilTheLeave() {
        NioDatagramChannel member = member();
        assertEquals(List.of("before"), heard(member, "before"));
        Await.success(member.joinGroup(group), "the join");
        assertEquals(List.of("from " + ONE, "from " + TWO, "joined"), heard(member, "joined"));
        Await.success(member.leaveGroup(group), "the leave");
        assertEquals(List.of("left"), heard(member, "left"));
        assertRefused(member.leaveGroup(group), "not a member of " + group + " on " + loopback.getName());
    }

    @Test
    void shouldJoinByInterface() {
        NioDatagramChannel member = member();
        InetSocketAddress socketAddress = new InetSocketAddress(group, 0);
        Await.success(member.joinGroup(socketAddress, loopback), "the join");
        assertEquals(List.of("from " + ONE, "from " + TWO, "joined"), heard(member, "joined"));
        Await.success(member.leaveGroup(socketAddress, loopback), "the leave");
        assertEquals(List.of("left"), heard(member, "left"));
    }

    @Test
    void shouldReceiveOnlyFromTheSourceItJoinedFor() {
        NioDatagramChannel member = member();
        Await.success(member.joinGroup(group, loopback, address(TWO)), "the join");
        assertEquals(List.of("from " + TWO, "joined"), heard(member, "joined"));
        String anySource = "not a member of " + group + " on " + loopback.getName();
        assertRefused(member.leaveGroup(group, loopback, null), anySource);
        assertRefused(member.leaveGroup(group, loopback, address(ONE)), anySource + " from " + address(ONE));
        Await.success(member.leaveGroup(group, loopback, address(TWO)), "the leave");
        assertEquals(List.of("left"), heard(member, "left"));
    }

    @Test
    void shouldNotReceiveFromABlockedSource() {
        NioDatagramChannel member = member();
        assertRefused(member.block(group, address(ONE)), "not a member of " + group + " on " + loopback.getName());
        Await.success(member.joinGroup(group), "the join");
        Await.success(member.block(group, address(ONE)), "the block");
        assertEquals(List.of("from " + TWO, "blocked"), heard(member, "blocked"));
        Await.success(member.block(group, loopback, address(TWO)), "the second block");
        assertEquals(List.of("blocked both"), heard(member, "blocked both"));
    }

    @Test
    void shouldFailToJoinAnAddressThatIsNotAGroup() {
        NioDatagramChannel member = member();
        assertInstanceOf(IllegalArgumentException.class, Await.failure(member.joinGroup(address(ONE)), "not a group"));
        assertThrows(NullPointerException.class, () -> member.joinGroup((InetAddress) null));
        assertThrows(NullPointerException.class, () -> member.joinGroup(group, null, null));
        assertThrows(NullPointerException.class, () -> member.block(group, null));
        Await.success(member.close(), "the close");
        assertInstanceOf(ClosedChannelException.class, Await.failure(member.joinGroup(group), "a late join"));
    }

    @Test
    void shouldReceiveFromAGroupOfTheOtherProtocol() throws Exception {
        Optional<NetworkInterface> found = NetworkInterface.networkInterfaces()
                .filter(NioMulticastTest::hasIpv6Multicast)
                .findFirst();
        assumeTrue(found.isPresent(), "an interface with IPv6 and multicast");
        InetAddress group6 = address("ff12::1743");
        try (DatagramRig ipv6 = new DatagramRig(InternetProtocolFamily.IPv6)) {
            Map<String, Object> options = Map.of("networkInterface", found.get(), "loopbackModeDisabled", false);
            NioDatagramChannel member = ipv6.bind(new InetSocketAddress("::", 0), mailbox, options);
            NioDatagramChannel sender = ipv6.bind(new InetSocketAddress("::", 0), new Mailbox(), options);
            Await.success(member.joinGroup(group6), "the join");
            InetSocketAddress to =
                    new InetSocketAddress(group6, member.getLocalAddress().getPort());
            Await.success(sender.write(bytes("to all"), to), "the write");
            assertEquals(List.of("to all"), mailbox.awaitLetters(1));
            assertInstanceOf(
                    IllegalArgumentException.class, Await.failure(member.leaveGroup(group), "a group never joined"));
        }
    }

    private static boolean hasIpv6Multicast(NetworkInterface candidate) {
        try {
            return candidate.isUp()
                    && !candidate.isLoopback()
                    && candidate.supportsMulticast()
                    && candidate.inetAddresses().anyMatch(Inet6Address.class::isInstance);
        } catch (SocketException e) {
            throw new AssertionError(e);
        }
    }

    private static void assertRefused(ChannelFuture future, String message) {
        Throwable cause = Await.failure(future, "the refused join");
        assertInstanceOf(IllegalArgumentException.class, cause);
        assertEquals(message, cause.getMessage());
    }
}
