package org.freshet.handler.ipfilter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.freshet.util.NetUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpRulesTest {
    private static InetAddress ip(String text) throws UnknownHostException {
        return InetAddress.getByAddress(NetUtil.createByteArrayFromIpAddressString(text));
    }

    /** Avoids a name service lookup. */
    private static InetAddress named(String name, String ip) throws UnknownHostException {
        return InetAddress.getByAddress(name, ip(ip).getAddress());
    }

    @Test
    void shouldMakeTheSameSubnetInEveryWay() throws Exception {
        List<IpSubnet> subnets = List.of(
                new IpSubnet("10.1.2.3/16"),
                new IpSubnet("10.1.0.0/255.255.0.0"),
                new IpSubnet(ip("10.1.9.9"), 16),
                new IpSubnet(ip("10.1.9.9"), "255.255.0.0"));
        for (IpSubnet subnet : subnets) {
            assertEquals("10.1.0.0/16", subnet.toString());
            assertEquals(subnets.get(0), subnet);
            assertTrue(subnet.contains("10.1.255.255"));
            assertFalse(subnet.contains("10.2.0.0"));
            assertTrue(subnet.contains("::ffff:10.1.0.1"));
            assertFalse(subnet.contains("::10.1.0.1"));
        }
        assertThrows(UnknownHostException.class, () -> subnets.get(0).contains("localhost"));
        assertThrows(UnknownHostException.class, () -> new IpSubnet("10.1.0.0"));
    }

    @Test
    void shouldMakeTheSameIpV4SubnetInEveryWay() throws Exception {
        List<IpV4Subnet> subnets = List.of(
                new IpV4Subnet("10.1.2.3/16"),
                new IpV4Subnet("10.1.0.0/255.255.0.0"),
                new IpV4Subnet(ip("10.1.9.9"), 16),
                new IpV4Subnet(ip("10.1.9.9"), "255.255.0.0"));
        for (IpV4Subnet subnet : subnets) {
            assertEquals("10.1.0.0/16", subnet.toString());
            assertEquals(subnets.get(0), subnet);
            assertEquals(subnets.get(0).hashCode(), subnet.hashCode());
            assertTrue(subnet.contains("10.1.255.255"));
            assertFalse(subnet.contains("10.2.0.0"));
            assertFalse(subnet.contains("::10.1.0.1"));
        }
        assertThrows(IllegalArgumentException.class, () -> new IpV4Subnet("::/0"));
        assertThrows(IllegalArgumentException.class, () -> new IpV4Subnet(ip("::1"), 8));
        assertThrows(IllegalArgumentException.class, () -> new IpV4Subnet(ip("1.2.3.4"), 33));
        assertThrows(UnknownHostException.class, () -> new IpV4Subnet("1.2.3.4/33"));
    }

    @Test
    void shouldHoldAllAddressesWithoutABlock() throws Exception {
        assertTrue(new IpSubnet().contains("1.2.3.4") && new IpSubnet().contains("::1"));
        assertTrue(new IpV4Subnet().contains("255.2.3.4"));
        assertFalse(new IpV4Subnet().contains("::1"));
        assertEquals("*", new IpSubnet().toString());
        assertEquals("0.0.0.0/0", new IpV4Subnet().toString());
        assertEquals(new IpSubnet(), new IpSubnet());
    }

    /** Netty 3 once treated every address as a member of a /32. */
    @Test
    void shouldHoldOneAddressInABlockOfOne() throws Exception {
        assertTrue(new IpV4Subnet("1.2.3.4/32").contains("1.2.3.4"));
        assertFalse(new IpV4Subnet("1.2.3.4/32").contains("1.2.3.5"));
        assertFalse(new IpSubnet("1.2.3.4/32").contains("4.3.2.1"));
        assertFalse(new IpSubnet("::1/128").contains("::2"));
    }

    @Test
    void shouldDistinguishRulesByTheirEffect() throws Exception {
        IpSubnetFilterRule allow = new IpSubnetFilterRule(true, "10.0.0.0/8");
        assertTrue(allow.isAllowRule());
        assertFalse(allow.isDenyRule());
        assertEquals(allow, new IpSubnetFilterRule(true, ip("10.1.2.3"), 8));
        assertEquals(allow.hashCode(), new IpSubnetFilterRule(true, ip("10.1.2.3"), "255.0.0.0").hashCode());
        assertNotEquals(allow, new IpSubnetFilterRule(false, "10.0.0.0/8"));
        assertNotEquals(allow, new IpSubnet("10.0.0.0/8"));
        assertNotEquals(new IpSubnet("10.0.0.0/8"), allow);
        IpV4SubnetFilterRule deny = new IpV4SubnetFilterRule(false, "10.0.0.0/8");
        assertTrue(deny.isDenyRule());
        assertFalse(deny.isAllowRule());
        assertEquals(deny, new IpV4SubnetFilterRule(false, ip("10.1.2.3"), 8));
        assertEquals(deny.hashCode(), new IpV4SubnetFilterRule(false, ip("10.1.2.3"), "255.0.0.0").hashCode());
        assertNotEquals(deny, new IpV4SubnetFilterRule(true, "10.0.0.0/8"));
        assertTrue(new IpSubnetFilterRule(true).contains(ip("::1")));
        assertFalse(new IpV4SubnetFilterRule(true).contains(ip("::1")));
    }

    @Test
    void shouldOrderSubnets() throws Exception {
        assertEquals(
                "[10.0.0.0/8, 200.0.0.0/8, ::/0, *]",
                new TreeSet<>(List.of(
                                new IpSubnet(),
                                new IpSubnet("::/0"),
                                new IpSubnet("200.0.0.0/8"),
                                new IpSubnet("10.0.0.0/8")))
                        .toString());
        assertTrue(new IpV4Subnet("10.0.0.0/8").compareTo(new IpV4Subnet("200.0.0.0/8")) < 0);
    }

    @ParameterizedTest
    @CsvSource({
        "i:127.0.0.1, 127.0.0.1, true",
        "i:127.0.0.1, 127.0.0.10, false",
        "i:127.0.0.1, 127x0.0.1, false",
        "i:192.168.*, 192.168.3.4, true",
        "i:192.168.*, 192.169.3.4, false",
        "i:192.168.?.4, 192.168.3.4, true",
        "i:192.168.?.4, 192.168.33.4, false",
        "i:*, ::1, true",
        "i:2001:db8:*, 2001:db8::1, true",
        "i:2001:db8::1, 2001:db8::1, true",
        "i:2001:DB8:0:0:0:0:0:1, 2001:db8::1, true",
        "i:::1, 0.0.0.1, false",
        "'i:10.*, i:11.*', 11.2.3.4, true",
        "'i:10.*,i:11.*', 12.2.3.4, false",
        "i:1.2.3.4|5.6.7.8, 1.2.3.4, false",
        "i:[0-9.]+, 1.2.3.4, false",
    })
    void shouldMatchNumericAddresses(String pattern, String address, boolean expected) throws Exception {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(address);
        boolean contains = bytes != null && new PatternRule(true, pattern).contains(InetAddress.getByAddress(bytes));
        assertEquals(expected, contains);
    }

    @Test
    void shouldIgnoreTheZoneOfAnAddress() throws Exception {
        Inet6Address zoned = Inet6Address.getByAddress(null, ip("fe80::1").getAddress(), 1);
        assertTrue(zoned.getHostAddress().contains("%"), zoned.toString());
        assertTrue(new PatternRule(true, "i:fe80:0:0:0:0:0:0:1").contains(zoned));
    }

    @Test
    void shouldMatchNamesInAnyCase() throws Exception {
        PatternRule rule = new PatternRule(false, "n:*.example.org");
        assertTrue(rule.contains(named("www.example.org", "192.0.2.1")));
        assertTrue(rule.contains(named("WWW.Example.ORG", "192.0.2.1")));
        assertFalse(rule.contains(named("www-example.org", "192.0.2.1")));
        assertFalse(rule.contains(named("www.example.org.evil.test", "192.0.2.1")));
    }

    @Test
    void shouldMatchOnlyTheAddressesToWhichLocalhostResolves() throws Exception {
        PatternRule rule = new PatternRule(true, "n:localhost");
        for (InetAddress resolved : InetAddress.getAllByName("localhost")) {
            assertTrue(rule.contains(resolved), resolved.toString());
            assertTrue(rule.contains(InetAddress.getByAddress("other.name", resolved.getAddress())));
        }
        assertFalse(rule.contains(ip("127.8.9.10")), "another loopback address");
        assertFalse(rule.contains(named("localhost", "192.0.2.1")), "trusted a name");
    }

    @Test
    void shouldNotMistakeAnInterfaceForLocalhost() throws Exception {
        PatternRule rule = new PatternRule(true, "n:LocalHost");
        Set<InetAddress> resolved = Set.of(InetAddress.getAllByName("localhost"));
        NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .forEach(address ->
                        assertEquals(resolved.contains(address), rule.contains(address), address.toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*", "x:1", "n:", "i:", "127.0.0.1", "i:1.2.3.4,", "i:1.2.3.4,,n:a", "N:a", "n:a, b"})
    void shouldRefusePatternsThatWouldMatchNothing(String pattern) {
        assertThrows(IllegalArgumentException.class, () -> new PatternRule(false, pattern));
    }

    @Test
    void shouldCompareAndNamePatternRules() {
        PatternRule rule = new PatternRule(true, "i:1.*");
        assertEquals("i:1.*", rule.getPattern());
        assertTrue(rule.isAllowRule());
        assertFalse(rule.isDenyRule());
        assertEquals("+i:1.*", rule.toString());
        assertEquals(rule, new PatternRule(true, "i:1.*"));
        assertEquals(rule.hashCode(), new PatternRule(true, "i:1.*").hashCode());
        assertEquals(0, rule.compareTo(new PatternRule(true, "i:1.*")));
        assertNotEquals(rule, new PatternRule(false, "i:1.*"));
        assertTrue(rule.compareTo(new PatternRule(false, "i:1.*")) > 0);
        assertTrue(rule.compareTo(new PatternRule(true, "i:2.*")) < 0);
        assertTrue(rule.compareTo("anything else") < 0);
    }

    @Test
    void shouldReadAListOfRules() throws Exception {
        IpFilterRuleList rules =
                new IpFilterRuleList("+n:localhost, -c:192.168.0.0/27,,-i:10.*, + c:2001:db8::/32 ,-c:::/0");
        List<IpFilterRule> expected = new ArrayList<>();
        expected.add(new PatternRule(true, "n:localhost"));
        expected.add(new IpSubnetFilterRule(false, "192.168.0.0/27"));
        expected.add(new PatternRule(false, "i:10.*"));
        expected.add(new IpSubnetFilterRule(true, "2001:db8::/32"));
        expected.add(new IpSubnetFilterRule(false, "::/0"));
        assertEquals(expected, rules);
        assertTrue(new IpFilterRuleList(" ").isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"n:x", "+", "-", "+x:y", "+c:abc", "-c:10.0.0.0", "+n:", "+i:1.2.3.4,c:11.0.0.0/8"})
    void shouldRefuseListsWithAnInvalidRule(String rules) {
        assertThrows(IllegalArgumentException.class, () -> new IpFilterRuleList(rules));
    }

    @Test
    void shouldNameTheInvalidRuleOfAList() {
        String message = assertThrows(
                        IllegalArgumentException.class, () -> new IpFilterRuleList("+i:1.2.3.4, -c:10.0.0.0/33"))
                .getMessage();
        assertEquals("not a valid rule: -c:10.0.0.0/33 (prefix not in 0..32: 33)", message);
    }
}
