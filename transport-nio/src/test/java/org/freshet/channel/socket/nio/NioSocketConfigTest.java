package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.TreeSet;
import org.freshet.channel.AdaptiveReceiveBufferSizePredictorFactory;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.FixedReceiveBufferSizePredictor;
import org.freshet.channel.FixedReceiveBufferSizePredictorFactory;
import org.freshet.channel.ReceiveBufferSizePredictor;
import org.freshet.testing.options.SocketConfigContract;
import org.junit.jupiter.api.Test;

class NioSocketConfigTest extends SocketConfigContract<NioSocketConfig> {
    private SocketChannel socket;

    @Override
    protected NioSocketConfig open() throws IOException {
        socket = SocketChannel.open();
        return new NioSocketConfig(socket);
    }

    @Override
    protected <T> T ask(SocketOption<T> name) throws IOException {
        return socket.getOption(name);
    }

    @Override
    protected void closeSocket() throws IOException {
        socket.close();
    }

    @Override
    protected Set<String> furtherKeys() {
        Set<String> keys = new TreeSet<>(super.furtherKeys());
        keys.addAll(WriteLimitsChecks.KEYS);
        keys.add("receiveBufferSizePredictor");
        keys.add("receiveBufferSizePredictorFactory");
        keys.add("allowHalfClosure");
        keys.add("nameResolver");
        keys.add("writeStallTimeoutMillis");
        return keys;
    }

    @Test
    void shouldStoreItsWriteLimits() {
        WriteLimitsChecks.check(config);
        config.setWriteStallTimeoutMillis(20);
        assertEquals(20, config.getOption(ChannelOption.WRITE_STALL_TIMEOUT_MILLIS));
        assertTrue(config.setOption("writeStallTimeoutMillis", 30));
        assertEquals(30, config.getWriteStallTimeoutMillis());
    }

    @Test
    void shouldShareTheDefaultsUntilSomethingIsSet() throws IOException {
        try (SocketChannel other = SocketChannel.open()) {
            assertSame(new NioSocketConfig(other).writeLimits(), config.writeLimits());
        }
        assertNull(config.explicitReceiveBufferSizePredictor());
        config.setWriteSpinCount(3);
        assertEquals(3, config.writeLimits().spinCount());
    }

    @Test
    void shouldDistinguishAUsersPredictorFromTheDefault() {
        ReceiveBufferSizePredictor byDefault = config.getReceiveBufferSizePredictor();
        assertSame(byDefault, config.getReceiveBufferSizePredictor());
        assertNull(config.explicitReceiveBufferSizePredictor(), "reading is not choosing");
        assertEquals(
                AdaptiveReceiveBufferSizePredictorFactory.class,
                config.getReceiveBufferSizePredictorFactory().getClass());

        config.setReceiveBufferSizePredictorFactory(new FixedReceiveBufferSizePredictorFactory(99));
        ReceiveBufferSizePredictor made = config.explicitReceiveBufferSizePredictor();
        assertNotNull(made, "the user chose the factory");
        assertEquals(99, made.nextReceiveBufferSize());
        assertSame(made, config.getReceiveBufferSizePredictor());

        ReceiveBufferSizePredictor chosen = new FixedReceiveBufferSizePredictor(5);
        assertTrue(config.setOption(ChannelOption.RECEIVE_BUFFER_SIZE_PREDICTOR, chosen));
        assertSame(chosen, config.explicitReceiveBufferSizePredictor());
        assertSame(chosen, config.getOptions().get("receiveBufferSizePredictor"));
        assertThrows(IllegalArgumentException.class, () -> config.setOption("receiveBufferSizePredictor", "adaptive"));
    }
}
