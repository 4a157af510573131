package org.freshet.handler.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelScope;
import org.freshet.channel.ChannelScopes;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.helpers.BasicMDCAdapter;
import org.slf4j.spi.MDCAdapter;

class MdcScopeTest {
    private final MDCAdapter mdc = new BasicMDCAdapter();
    private final Map<String, String> seen = new HashMap<>();

    private MemoryChannel channelThatNotes() {
        return MemoryChannel.connected(new InetSocketAddress("127.0.0.1", 4711), new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                seen.putAll(mdc.getCopyOfContextMap());
            }
        });
    }

    @AfterEach
    void uninstall() {
        ChannelScopes.install(null);
    }

    @Test
    void shouldContainTheChannelAsItsToStringAndItsPeer() {
        MemoryChannel channel = channelThatNotes();
        ChannelScopes.install(new MdcScope(mdc));
        channel.receive("x");
        assertEquals(2, seen.size(), seen::toString);
        assertEquals("/127.0.0.1:4711", seen.get("remote"));
        assertEquals("[id: " + seen.get("channel"), channel.toString().split(",")[0]);
        assertNull(mdc.get("channel"));
        assertNull(mdc.get("remote"));
    }

    @Test
    void shouldRestoreThePreviousValues() {
        MemoryChannel channel = channelThatNotes();
        ChannelScopes.install(new MdcScope(mdc));
        mdc.put("channel", "mine");
        mdc.put("user", "ann");
        channel.receive("x");
        assertEquals("ann", seen.get("user"));
        assertEquals("mine", mdc.get("channel"));
        assertNull(mdc.get("remote"));
    }

    @Test
    void shouldOmitAnUnknownPeer() {
        ChannelScope scope = new MdcScope(mdc);
        Object token = scope.enter(MemoryChannel.open());
        assertNull(mdc.get("remote"));
        scope.exit(token);
        assertNull(mdc.get("channel"));
    }
}
