package org.freshet.testing.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.Set;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.PerformancePreferences;
import org.freshet.channel.socket.SocketChannelConfig;
import org.junit.jupiter.api.Test;

/** The contract for the options of a TCP connection in every transport. */
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
        extended(ChannelOption.KEEP_ALIVE_IDLE_SECONDS, "TCP_KEEPIDLE");
        extended(ChannelOption.KEEP_ALIVE_INTERVAL_SECONDS, "TCP_KEEPINTERVAL");
        extended(ChannelOption.KEEP_ALIVE_COUNT, "TCP_KEEPCOUNT");
    }

    /** By name, because these tests don't read the module that declares its constant. */
    @SuppressWarnings("unchecked")
    private void extended(ChannelOption<Integer> option, String jdkName) {
        try (SocketChannel any = SocketChannel.open()) {
            SocketOption<Integer> name = (SocketOption<Integer>) any.supportedOptions().stream()
                    .filter(known -> known.name().equals(jdkName))
                    .findAny()
                    .orElseThrow();
            setting(
                    option,
                    20,
                    30,
                    config -> config.getOption(option),
                    (config, value) -> config.setOption(option, value),
                    name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected Set<String> furtherKeys() {
        return Set.of("bufferFactory", "pipelineFactory", "connectTimeoutMillis", "performancePreferences");
    }

    @Test
    void shouldReadBackTheSizeThatTheKernelChose() throws IOException {
        config.setReceiveBufferSize(1);
        assertNotEquals(1, config.getReceiveBufferSize(), "no kernel accepts a buffer of one byte");
        assertEquals(ask(StandardSocketOptions.SO_RCVBUF), config.getReceiveBufferSize());
        config.setSendBufferSize(1);
        assertNotEquals(1, config.getOption(ChannelOption.SEND_BUFFER_SIZE));
        assertEquals(ask(StandardSocketOptions.SO_SNDBUF), config.getSendBufferSize());
    }

    @Test
    void shouldRefuseValuesOutOfRange() {
        assertOutOfRange(
                "keepAliveCount: 128 (allowed: 1 to 127)",
                config -> config.setOption(ChannelOption.KEEP_ALIVE_COUNT, 128));
        assertOutOfRange("soLinger: -2 (allowed: -1 to 65535)", config -> config.setSoLinger(-2));
        assertOutOfRange("trafficClass: 256 (allowed: 0 to 255)", config -> config.setTrafficClass(256));
        assertOutOfRange(
                "sendBufferSize: 0 (allowed: a whole number, 1 or more)", config -> config.setSendBufferSize(0));
        assertOutOfRange(
                "receiveBufferSize: -1 (allowed: a whole number, 1 or more)",
                config -> config.setReceiveBufferSize(-1));
    }

    @Test
    void shouldAcceptPerformancePreferencesInEveryWay() {
        config.setPerformancePreferences(0, 1, 2);
        assertTrue(config.setOption("performancePreferences", "0,1,2"));
        assertTrue(config.setOption(ChannelOption.PERFORMANCE_PREFERENCES, new PerformancePreferences(0, 1, 2)));
        assertOutOfRange(
                "performancePreferences: \"fast\" (allowed: a PerformancePreferences, or its text as in \"0,1,2\")",
                config -> config.setOption("performancePreferences", "fast"));
    }
}
