package org.freshet.util;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetUtilTest {
    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, 00000000",
        "127.0.0.1, 7f000001",
        "255.255.255.255, ffffffff",
        "::, 00000000000000000000000000000000",
        "::1, 00000000000000000000000000000001",
        "1::, 00010000000000000000000000000000",
        "2001:DB8::8:800:200C:417A, 20010db80000000000080800200c417a",
        "1:2:3:4:5:6:7:8, 00010002000300040005000600070008",
        "1:2:3:4:5:6:7::, 00010002000300040005000600070000",
        "::2:3:4:5:6:7:8, 00000002000300040005000600070008",
        "::ffff:129.144.52.38, 00000000000000000000ffff81903426",
        "1:2:3:4:5:6:1.2.3.4, 00010002000300040005000601020304",
        "64:ff9b::192.0.2.33, 0064ff9b0000000000000000c0000221",
        "fe80::1%eth0, fe800000000000000000000000000001",
        "[::1], 00000000000000000000000000000001",
        "[fe80::1%3], fe800000000000000000000000000001",
    })
    void shouldReadAddresses(String text, String hex) {
        byte[] address = HexFormat.of().parseHex(hex);
        assertArrayEquals(address, NetUtil.createByteArrayFromIpAddressString(text));
        assertEquals(address.length == 4, NetUtil.isValidIpV4Address(text));
        assertEquals(address.length == 16, NetUtil.isValidIpV6Address(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                ".",
                "...",
                "1.2.3",
                "1.2.3.4.",
                ".1.2.3.4",
                "1.2.3.4.5",
                "1.2.3.256",
                "1.2.3.-4",
                "+1.2.3.4",
                "1.2.3.4 ",
                " 1.2.3.4",
                "1..2.3",
                "0x1.2.3.4",
                "1.2.3.1000",
                "\u0661.2.3.4",
                ":",
                ":::",
                "1",
                "1:2",
                "1::2::3",
                "::1::",
                ":1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                "1:2:3:4::5:6:7:8",
                "::12345",
                "::g",
                "::-1",
                "::\uff11",
                "1:2:3:4:5:6:7:1.2.3.4",
                "::1.2.3",
                "::1.2.3.4:5",
                "1.2.3.4::",
                "::1.2.3.256",
                " ::1",
                "::1 ",
                "[::1",
                "::1]",
                "[]",
                "[",
                "]",
                "[[::1]]",
                "[1.2.3.4]",
                "::1%",
                "%eth0",
                "%",
                "::1%a%b",
                "::1%a b",
                "[::1]%a"
            })
    void shouldRefuseWhatIsNoAddress(String text) {
        assertNull(NetUtil.createByteArrayFromIpAddressString(text));
        assertFalse(NetUtil.isValidIpV4Address(text));
        assertFalse(NetUtil.isValidIpV6Address(text));
        assertNull(NetUtil.getByName(text));
        assertNull(NetUtil.getByName(text, false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"01.2.3.4", "1.2.3.010", "00.0.0.0", "::ffff:1.2.3.04"})
    void shouldRefuseLeadingZerosThatOtherSoftwareReadsAsOctal(String text) {
        assertNull(NetUtil.createByteArrayFromIpAddressString(text));
    }

    @Test
    void shouldUnderstandTheWordsOfAnIpV4Address() {
        for (int i = 0; i <= 255; i++) {
            assertTrue(NetUtil.isValidIp4Word(Integer.toString(i)), "word " + i);
        }
        for (String text : new String[] {"", "256", "999", "1000", "-1", "00", "01", "a", " 1", "1 ", "1.", "\u0661"}) {
            assertFalse(NetUtil.isValidIp4Word(text), "word \"" + text + '"');
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1.2.3.4, ::ffff:102:304, ::102:304",
        "::1.2.3.4, ::ffff:102:304, ::102:304",
        "::ffff:1.2.3.4, ::ffff:102:304, ::ffff:102:304",
        "::fffe:1.2.3.4, ::fffe:102:304, ::fffe:102:304",
        "::1, ::1, ::1",
        "::102:304, ::102:304, ::102:304",
        "2001:db8::1, 2001:db8::1, 2001:db8::1",
    })
    void shouldConvertIpV4AddressesToIpV6(String text, String mapped, String compatible) {
        assertEquals(mapped, NetUtil.toAddressString(NetUtil.getByName(text)));
        assertEquals(mapped, NetUtil.toAddressString(NetUtil.getByName(text, true)));
        assertEquals(compatible, NetUtil.toAddressString(NetUtil.getByName(new StringBuilder(text), false)));
    }

    @Test
    void shouldAcceptNeitherBracketsNorAZoneInGetByName() {
        assertNull(NetUtil.getByName("[::1]"));
        assertNull(NetUtil.getByName("fe80::1%1"));
    }

    /** The examples of RFC 5952, sections 4 and 5. */
    @ParameterizedTest
    @CsvSource({
        "2001:0db8::0001, 2001:db8::1",
        "2001:db8:0:0:0:0:2:1, 2001:db8::2:1",
        "2001:db8::1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:DB8::AbC, 2001:db8::abc",
        "0:0:0:0:0:0:0:0, ::",
        "0:1:0:0:0:0:0:0, 0:1::",
        "0:0:1:2:3:4:5:6, ::1:2:3:4:5:6",
        "1:2:3:4:5:6:0:0, 1:2:3:4:5:6::",
    })
    void shouldWriteTheRecommendedForm(String text, String expected) throws Exception {
        byte[] address = NetUtil.createByteArrayFromIpAddressString(text);
        assertEquals(expected, NetUtil.toAddressString(Inet6Address.getByAddress(null, address, -1)));
    }

    @Test
    void shouldWriteMappedAddressesInTheRequestedForm() throws Exception {
        Inet6Address mapped = NetUtil.getByName("1.2.3.4");
        assertEquals("::ffff:102:304", NetUtil.toAddressString(mapped));
        assertEquals("::ffff:1.2.3.4", NetUtil.toAddressString(mapped, true));
        InetAddress v4 = InetAddress.getByAddress("named", new byte[] {1, 2, 3, 4});
        assertEquals("1.2.3.4", NetUtil.toAddressString(v4));
        assertEquals("1.2.3.4", NetUtil.toAddressString(v4, true));
        assertEquals("::102:304", NetUtil.toAddressString(NetUtil.getByName("1.2.3.4", false), true));
    }

    @Test
    void shouldReadBackWhatItWrites() throws Exception {
        Random random = Seeds.random();
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = randomAddress(random);
            InetAddress address = Inet6Address.getByAddress(null, bytes, -1);
            for (boolean mapped : new boolean[] {false, true}) {
                String text = NetUtil.toAddressString(address, mapped);
                assertArrayEquals(bytes, NetUtil.createByteArrayFromIpAddressString(text), text);
            }
            assertEquals(org.jboss.netty.util.NetUtil.toAddressString(address), NetUtil.toAddressString(address));
        }
    }

    /**
     * Netty 3 is the oracle for texts that are almost valid. It is wrong to accept leading zeros and empty zones, and
     * to refuse a "::" that stands for a single group; the tests above cover those texts.
     */
    @Test
    void shouldAgreeWithNettyOnMutilatedAddresses() throws Exception {
        Random random = Seeds.random();
        int valid = 0;
        for (int i = 0; i < 50_000; i++) {
            String text = mutilate(randomText(random), random);
            if (isKnownDeviation(text)) {
                continue;
            }
            byte[] ours = NetUtil.createByteArrayFromIpAddressString(text);
            valid += ours != null ? 1 : 0;
            assertArrayEquals(nettyBytes(text), ours, text);
            assertEquals(org.jboss.netty.util.NetUtil.isValidIpV4Address(text), NetUtil.isValidIpV4Address(text), text);
            assertEquals(org.jboss.netty.util.NetUtil.isValidIpV6Address(text), NetUtil.isValidIpV6Address(text), text);
        }
        assertTrue(valid > 1_000, "too few valid texts to mean anything: " + valid);
    }

    /** Netty 3 throws on some texts that it treats as invalid elsewhere. */
    private static byte[] nettyBytes(String text) {
        boolean valid = org.jboss.netty.util.NetUtil.isValidIpV4Address(text)
                || org.jboss.netty.util.NetUtil.isValidIpV6Address(text);
        return valid ? org.jboss.netty.util.NetUtil.createByteArrayFromIpAddressString(text) : null;
    }

    private static boolean isKnownDeviation(String text) {
        boolean leadingZero = text.matches("(.*[.:\\[])?0\\d+\\..*") || text.matches(".*\\.0\\d+([.\\]%].*)?");
        boolean sevenGroups = text.contains("::")
                        && text.replace("::", ":").chars().filter(c -> c == ':').count() >= 7
                || text.contains("::") && text.contains(".");
        return leadingZero || sevenGroups || text.contains("%");
    }

    private static byte[] randomAddress(Random random) {
        byte[] bytes = new byte[16];
        random.nextBytes(bytes);
        for (int group = 0; group < 8; group++) {
            if (random.nextInt(5) < 3) {
                bytes[2 * group] = 0;
                bytes[2 * group + 1] = (byte) (random.nextInt(4) == 0 ? 1 : 0);
            }
        }
        if (random.nextInt(8) == 0) {
            Arrays.fill(bytes, 0, 10, (byte) 0);
            Arrays.fill(bytes, 10, 12, (byte) 0xff);
        }
        return bytes;
    }

    private static String randomText(Random random) throws Exception {
        byte[] bytes = randomAddress(random);
        if (random.nextInt(3) == 0) {
            return InetAddress.getByAddress(Arrays.copyOf(bytes, 4)).getHostAddress();
        }
        String text = NetUtil.toAddressString(Inet6Address.getByAddress(null, bytes, -1), random.nextBoolean());
        assertNotNull(NetUtil.getByName(text));
        return random.nextInt(10) == 0 ? "[" + text + "]" : text;
    }

    private static String mutilate(String text, Random random) {
        StringBuilder mutilated = new StringBuilder(text);
        for (int cuts = random.nextInt(3); cuts > 0; cuts--) {
            char c = "0123456789abcdefg.:[] -".charAt(random.nextInt(23));
            int at = random.nextInt(mutilated.length() + 1);
            switch (random.nextInt(3)) {
                case 0 -> mutilated.insert(at, c);
                case 1 -> mutilated.delete(at, Math.min(at + 1, mutilated.length()));
                default -> mutilated.replace(at, Math.min(at + 1, mutilated.length()), String.valueOf(c));
            }
        }
        return mutilated.toString();
    }
}
