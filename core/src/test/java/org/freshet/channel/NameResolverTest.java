package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;

class NameResolverTest {
    private static final InetSocketAddress TARGET = InetSocketAddress.createUnresolved("nowhere.invalid", 443);

    @Test
    void shouldResolveWithTheSystem() throws Exception {
        assertEquals(List.of(InetAddress.getByName("192.0.2.7")), NameResolver.SYSTEM.resolve("192.0.2.7"));
        assertThrows(UnknownHostException.class, () -> NameResolver.SYSTEM.resolve("[1"));
    }

    @Test
    void shouldNameTheHostThatHasNoAddress() {
        UnknownHostException said = new UnknownHostException("for this test");
        UnresolvedHostException failure = new UnresolvedHostException(TARGET, said);
        assertEquals("unresolved address: nowhere.invalid:443", failure.getMessage());
        assertSame(said, failure.getCause());
        assertNull(new UnresolvedHostException(TARGET, null).getCause());
    }
}
