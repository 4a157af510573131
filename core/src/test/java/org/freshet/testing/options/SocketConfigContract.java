package org.freshet.testing.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.util.Set;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.PerformancePreferences;
import org.freshet.channel.socket.SocketChannelConfig;
import org.junit.jupiter.api.Test;

/** What holds for the options of a TCP connection in every transport. */
public abstract class SocketConfigContract<C extends SocketChannelConfig> extends ConfigContract<C> {
    protected SocketConfigContract() {}

    @Override
    protected void describeSettings() {
        setting(
                ChannelOption.TCP_NODELAY,
                true,
                false,
                SocketChannelConfig::isTcpNoDelay,
                SocketChannelConfig::setTcpNoDelay,
                StandardSocketOptions.TCP_NODELAY);
        setting(
                ChannelOption.KEEP_ALIVE,
                true,
                false,
                SocketChannelConfig::isKeepAlive,
                SocketChannelConfig::setKeepAlive,
                StandardSocketOptions.SO_KEEPALIVE);
        setting(
                ChannelOption.SO_LINGER,
                7,
                -1,
                SocketChannelConfig::getSoLinger,
                SocketChannelConfig::setSoLinger,
                StandardSocketOptions.SO_LINGER);
        setting(
                ChannelOption.SEND_BUFFER_SIZE,
                20_000,
                30_000,
                SocketChannelConfig::getSendBufferSize,
                SocketChannelConfig::setSendBufferSize,
                StandardSocketOptions.SO_SNDBUF);
        setting(
                ChannelOption.RECEIVE_BUFFER_SIZE,
                20_000,
                30_000,
                SocketChannelConfig::getReceiveBufferSize,
                SocketChannelConfig::setReceiveBufferSize,
                StandardSocketOptions.SO_RCVBUF);
        setting(
                ChannelOption.TRAFFIC_CLASS,
                0x10,
                0x08,
                SocketChannelConfig::getTrafficClass,
                SocketChannelConfig::setTrafficClass,
                StandardSocketOptions.IP_TOS);
        setting(
                ChannelOption.REUSE_ADDRESS,
                true,
                false,
                SocketChannelConfig::isReuseAddress,
                SocketChannelConfig::setReuseAddress,
                StandardSocketOptions.SO_REUSEADDR);
    }

    @Override
    protected Set<String> furtherKeys() {
        return Set.of("bufferFactory", "pipelineFactory", "connectTimeoutMillis", "performancePreferences");
    }

    @Test
    void shouldReadBackWhatTheKernelMadeOfASize() throws IOException {
        config.setReceiveBufferSize(1);
        assertNotEquals(1, config.getReceiveBufferSize(), "no kernel takes a buffer of one byte");
        assertEquals(ask(StandardSocketOptions.SO_RCVBUF), config.getReceiveBufferSize());
        config.setSendBufferSize(1);
        assertNotEquals(1, config.getOption(ChannelOption.SEND_BUFFER_SIZE));
        assertEquals(ask(StandardSocketOptions.SO_SNDBUF), config.getSendBufferSize());
    }

    @Test
    void shouldRefuseValuesOutOfRange() {
        assertOutOfRange("soLinger: -2 (allowed: -1 to 65535)", config -> config.setSoLinger(-2));
        assertOutOfRange("trafficClass: 256 (allowed: 0 to 255)", config -> config.setTrafficClass(256));
        assertOutOfRange(
                "sendBufferSize: 0 (allowed: a whole number, 1 or more)", config -> config.setSendBufferSize(0));
        assertOutOfRange(
                "receiveBufferSize: -1 (allowed: a whole number, 1 or more)",
                config -> config.setReceiveBufferSize(-1));
    }

    @Test
    void shouldTakePerformancePreferencesByAllWays() {
        config.setPerformancePreferences(0, 1, 2);
        assertTrue(config.setOption("performancePreferences", "0,1,2"));
        assertTrue(config.setOption(ChannelOption.PERFORMANCE_PREFERENCES, new PerformancePreferences(0, 1, 2)));
        assertOutOfRange(
                "performancePreferences: \"fast\" (allowed: a PerformancePreferences, or its text as in \"0,1,2\")",
                config -> config.setOption("performancePreferences", "fast"));
    }
}
