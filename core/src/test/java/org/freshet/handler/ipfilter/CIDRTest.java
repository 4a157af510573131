package org.freshet.handler.ipfilter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.freshet.testing.Seeds;
import org.freshet.util.NetUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CIDRTest {
    private static InetAddress ip(String text) throws UnknownHostException {
        return InetAddress.getByAddress(NetUtil.createByteArrayFromIpAddressString(text));
    }

    /** An IPv6 object even for an IPv4-mapped address; the JDK would turn it into an IPv4 object. */
    private static Inet6Address ip6(String text) throws UnknownHostException {
        return Inet6Address.getByAddress(null, NetUtil.createByteArrayFromIpAddressString(text), -1);
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.2.3/8, 10.0.0.0/8, 10.255.255.255",
        "1.2.3.4/0, 0.0.0.0/0, 255.255.255.255",
        "1.2.3.5/31, 1.2.3.4/31, 1.2.3.5",
        "1.2.3.4/32, 1.2.3.4/32, 1.2.3.4",
        "200.1.2.3/1, 128.0.0.0/1, 255.255.255.255",
        "10.1.2.3/255.255.240.0, 10.1.0.0/20, 10.1.15.255",
        "1.2.3.4/0.0.0.0, 0.0.0.0/0, 255.255.255.255",
        "1.2.3.4/255.255.255.255, 1.2.3.4/32, 1.2.3.4",
        "2001:db8::5/32, 2001:db8::/32, 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
        "::1/0, ::/0, ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        "fe80::1/127, fe80::/127, fe80::1",
        "ffff::1/128, ffff::1/128, ffff::1",
        "ffff:8000::/17, ffff:8000::/17, ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        "2001:db8::5/ffff:ffff::, 2001:db8::/32, 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
        "2001:db8::/64, 2001:db8::/64, 2001:db8::ffff:ffff:ffff:ffff",
        "::ffff:1.2.3.4/120, 1.2.3.0/24, 1.2.3.255",
        "::ffff:1.2.3.4/128, 1.2.3.4/32, 1.2.3.4",
    })
    void shouldReadABlock(String text, String canonical, String end) throws Exception {
        CIDR block = CIDR.newCIDR(text);
        assertEquals(canonical, block.toString());
        assertEquals(ip(end), block.getEndAddress());
        assertEquals(canonical.substring(0, canonical.indexOf('/')), NetUtil.toAddressString(block.getBaseAddress()));
        assertEquals(Integer.parseInt(canonical.substring(canonical.indexOf('/') + 1)), block.getMask());
        assertTrue(block.contains(block.getBaseAddress()) && block.contains(block.getEndAddress()));
        assertEquals(block, CIDR.newCIDR(canonical));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "10.0.0.0",
                "10.0.0.0/",
                "/8",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/+8",
                "10.0.0.0/8/8",
                "10.0.0.0/ 8",
                "10.0.0/8",
                "010.0.0.0/8",
                "localhost/8",
                "10.0.0.0/255.0.255.0",
                "10.0.0.0/0.255.255.255",
                "10.0.0.0/ffff::",
                "::1",
                "::1/129",
                "::1/255.0.0.0",
                "::/ffff:0:ffff::",
                "g::/8",
                "1.2.3.4/x",
                "1.2.3.4/4294967304"
            })
    void shouldRefuseTextThatIsNotABlock(String text) {
        assertThrows(UnknownHostException.class, () -> CIDR.newCIDR(text));
    }

    @Test
    void shouldRefusePrefixesOfAnImpossibleLength() throws Exception {
        InetAddress v4 = ip("1.2.3.4");
        assertEquals(
                "prefix not in 0..32: 33",
                assertThrows(UnknownHostException.class, () -> CIDR.newCIDR(v4, 33))
                        .getMessage());
        assertThrows(UnknownHostException.class, () -> CIDR.newCIDR(v4, -1));
        assertThrows(UnknownHostException.class, () -> CIDR.newCIDR(ip("::1"), 129));
        assertThrows(UnknownHostException.class, () -> CIDR.newCIDR(v4, "ffff::"));
        assertEquals("1.2.0.0/16", CIDR.newCIDR(v4, "16").toString());
        assertEquals("1.2.0.0/16", CIDR.newCIDR(v4, "255.255.0.0").toString());
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0/0, 255.255.255.255, true",
        "0.0.0.0/0, ::, false",
        "0.0.0.0/0, ::1.2.3.4, false",
        "::/0, 1.2.3.4, false",
        "::/0, ffff::, true",
        "::/96, 1.2.3.4, false",
        "1.2.3.4/32, 1.2.3.4, true",
        "1.2.3.4/32, 1.2.3.5, false",
        "1.2.3.4/32, 1.2.3.3, false",
        "1.2.3.4/31, 1.2.3.5, true",
        "1.2.3.4/31, 1.2.3.6, false",
        "1.2.3.4/31, 1.2.3.3, false",
        "128.0.0.0/1, 127.255.255.255, false",
        "128.0.0.0/1, 255.0.0.1, true",
        "2001:db8::/64, 2001:db8::1, true",
        "2001:db8::/64, 2001:db8:0:1::, false",
        "2001:db8:0:0:8000::/65, 2001:db8:0:0:7fff:ffff:ffff:ffff, false",
        "2001:db8:0:0:8000::/65, 2001:db8:0:0:ffff::, true",
        "8000::/1, ffff::, true",
        "8000::/1, 7fff::, false",
        "::2/127, ::3, true",
        "::2/127, ::1, false",
        "::2/127, ::4, false",
        "::2/128, ::2, true",
        "::2/128, ::3, false",
    })
    void shouldKnowItsAddresses(String block, String address, boolean expected) throws Exception {
        assertEquals(expected, CIDR.newCIDR(block).contains(ip6OrIp4(address)));
    }

    private static InetAddress ip6OrIp4(String text) throws UnknownHostException {
        return text.indexOf(':') < 0 ? ip(text) : ip6(text);
    }

    @Test
    void shouldTakeAMappedAddressForTheIpV4AddressItIs() throws Exception {
        Inet6Address mapped = ip6("::ffff:1.2.3.4");
        assertInstanceOf(Inet6Address.class, mapped);
        assertTrue(CIDR.newCIDR("1.2.3.0/24").contains(mapped));
        assertFalse(CIDR.newCIDR("::/0").contains(mapped));
    }

    @Test
    void shouldAgreeWithArithmeticOnWholeNumbers() throws Exception {
        Random random = Seeds.random();
        int inside = 0;
        for (int i = 0; i < 50_000; i++) {
            int bytes = random.nextBoolean() ? 4 : 16;
            byte[] base = new byte[bytes];
            random.nextBytes(base);
            int prefix = random.nextInt(8 * bytes + 1);
            byte[] address = near(base, prefix, random);
            int hostBits = 8 * bytes - prefix;
            boolean expected = new BigInteger(1, base)
                    .shiftRight(hostBits)
                    .equals(new BigInteger(1, address).shiftRight(hostBits));
            CIDR block = CIDR.newCIDR(inet(base), prefix);
            inside += expected ? 1 : 0;
            assertEquals(expected, block.contains(inet(address)), () -> block + " and " + inetText(address));
        }
        assertTrue(inside > 5_000 && inside < 45_000, "too few cases on one side: " + inside);
    }

    /** Flips one bit near the end of the prefix, and perhaps everything after it. */
    private static byte[] near(byte[] base, int prefix, Random random) {
        byte[] near = base.clone();
        int flipped = Math.min(8 * base.length - 1, Math.max(0, prefix - 2 + random.nextInt(4)));
        near[flipped / 8] ^= (byte) (0x80 >>> flipped % 8);
        for (int bit = flipped + 1; bit < 8 * base.length; bit++) {
            if (random.nextBoolean()) {
                near[bit / 8] ^= (byte) (0x80 >>> bit % 8);
            }
        }
        return near;
    }

    private static InetAddress inet(byte[] bytes) throws UnknownHostException {
        return bytes.length == 4 ? InetAddress.getByAddress(bytes) : Inet6Address.getByAddress(null, bytes, -1);
    }

    private static String inetText(byte[] bytes) {
        return new BigInteger(1, bytes).toString(16);
    }

    @Test
    void shouldOrderByKindAddressAndSize() throws Exception {
        List<CIDR> expected = new ArrayList<>();
        for (String text : new String[] {
            "10.0.0.0/9", "10.0.0.0/8", "11.0.0.0/8", "200.0.0.0/8", "::/128", "::/0", "2001:db8::/32", "ff00::/8"
        }) {
            expected.add(CIDR.newCIDR(text));
        }
        List<CIDR> sorted = new ArrayList<>(expected);
        Collections.shuffle(sorted, Seeds.random());
        Collections.sort(sorted);
        assertEquals(expected, sorted);
        assertEquals(0, CIDR.newCIDR("10.1.2.3/8").compareTo(CIDR.newCIDR("10.0.0.0/8")));
    }

    @Test
    void shouldBeEqualToABlockOfTheSameAddresses() throws Exception {
        assertEquals(CIDR.newCIDR("10.1.2.3/8"), CIDR.newCIDR("10.9.9.9/8"));
        assertEquals(
                CIDR.newCIDR("10.1.2.3/8").hashCode(),
                CIDR.newCIDR("10.9.9.9/8").hashCode());
        assertNotEquals(CIDR.newCIDR("10.0.0.0/8"), CIDR.newCIDR("10.0.0.0/9"));
        assertNotEquals(CIDR.newCIDR("0.0.0.0/0"), CIDR.newCIDR("::/0"));
    }

    @Test
    void shouldConvertBetweenTheKinds() throws Exception {
        byte[] v4 = {1, 2, 3, 4};
        assertArrayEquals(v4, CIDR.getIpV4FromIpV6(ip6("::1.2.3.4")));
        assertArrayEquals(v4, CIDR.getIpV4FromIpV6(ip6("::ffff:1.2.3.4")));
        assertThrows(IllegalArgumentException.class, () -> CIDR.getIpV4FromIpV6(ip6("2001::1")));
        assertArrayEquals(
                ip6("::1.2.3.4").getAddress(), CIDR.getIpV6FromIpV4((Inet4Address) InetAddress.getByAddress(v4)));
    }
}
