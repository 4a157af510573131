package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketOption;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.freshet.channel.ChannelOption;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.options.ServerSocketConfigContract;
import org.freshet.testing.options.StrictOptions;
import org.freshet.testing.options.Warnings;
import org.junit.jupiter.api.Test;

class NioServerSocketConfigTest extends ServerSocketConfigContract<NioServerSocketConfig> {
    private ServerSocketChannel socket;

    @Override
    protected NioServerSocketConfig open() throws IOException {
        socket = ServerSocketChannel.open();
        return new NioServerSocketConfig(socket);
    }

    @Override
    protected Set<String> furtherKeys() {
        Set<String> keys = new TreeSet<>(super.furtherKeys());
        keys.addAll(List.of("maxConnections", "maxConnectionsPerAddress"));
        return keys;
    }

    @Override
    protected <T> T ask(SocketOption<T> name) throws IOException {
        return socket.getOption(name);
    }

    @Override
    protected void closeSocket() throws IOException {
        socket.close();
    }

    @Test
    void shouldStoreTheConnectionLimits() {
        for (ChannelOption<Integer> limit :
                List.of(ChannelOption.MAX_CONNECTIONS, ChannelOption.MAX_CONNECTIONS_PER_ADDRESS)) {
            assertEquals(0, config.getOption(limit));
        }
        assertTrue(config.setOption("maxConnections", "7"));
        assertTrue(config.setOption("maxConnectionsPerAddress", 3));
        assertEquals(7, config.getOption(ChannelOption.MAX_CONNECTIONS));
        assertEquals(3, config.getOptions().get("maxConnectionsPerAddress"));
        assertThrows(IllegalArgumentException.class, () -> config.setOption("maxConnections", -1));
        assertEquals(7, config.getOptions().get("maxConnections"));
    }

    @Test
    void shouldWarnOnceAboutAnUnknownChildOptionForTheServerAndItsConnections() throws IOException {
        try (CapturedLog log = CapturedLog.start();
                SocketChannel accepted = SocketChannel.open()) {
            config.checkChildOptions(Map.of("keepalife", true));
            new NioSocketConfig(accepted).setOptions(Map.of("keepalife", true));
            List<String> warnings = Warnings.about("\"keepalife\"", log);
            assertEquals(1, warnings.size(), warnings::toString);
            assertTrue(warnings.get(0).endsWith("did you mean \"keepAlive\"?"), () -> warnings.get(0));
        }
    }

    @Test
    void shouldRefuseChildOptionsThatAConnectionWouldRefuse() {
        assertDoesNotThrow(() -> config.checkChildOptions(Map.of("tcpNoDelay", true, "writeSpinCount", 1)));
        assertThrows(IllegalArgumentException.class, () -> config.checkChildOptions(Map.of("tcpNoDelay", "perhaps")));
        StrictOptions.during(() ->
                assertThrows(IllegalArgumentException.class, () -> config.checkChildOptions(Map.of("backlog", 1))));
    }

    @Test
    void shouldRefuseChildWaterMarksThatCrossEachOtherOrTheDefaults() {
        assertDoesNotThrow(
                () -> config.checkChildOptions(Map.of("writeBufferHighWaterMark", 8, "writeBufferLowWaterMark", 7)));
        for (Map<String, Object> crossed : List.<Map<String, Object>>of(
                Map.of("writeBufferHighWaterMark", 7, "writeBufferLowWaterMark", 8),
                Map.of("writeBufferHighWaterMark", 32_767),
                Map.of("writeBufferLowWaterMark", 65_537))) {
            assertThrows(IllegalArgumentException.class, () -> config.checkChildOptions(crossed), crossed::toString);
        }
    }
}
