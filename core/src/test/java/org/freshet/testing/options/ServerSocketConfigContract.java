package org.freshet.testing.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.StandardSocketOptions;
import java.util.Set;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.socket.ServerSocketChannelConfig;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.Test;

/** The contract for the options of a listening TCP socket in every transport. */
public abstract class ServerSocketConfigContract<C extends ServerSocketChannelConfig> extends ConfigContract<C> {
    protected ServerSocketConfigContract() {}

    @Override
    protected void describeSettings() {
        setting(
                ChannelOption.RECEIVE_BUFFER_SIZE,
                20_000,
                30_000,
                ServerSocketChannelConfig::getReceiveBufferSize,
                ServerSocketChannelConfig::setReceiveBufferSize,
                StandardSocketOptions.SO_RCVBUF);
        setting(
                ChannelOption.REUSE_ADDRESS,
                false,
                true,
                ServerSocketChannelConfig::isReuseAddress,
                ServerSocketChannelConfig::setReuseAddress,
                StandardSocketOptions.SO_REUSEADDR);
        setting(
                ChannelOption.REUSE_PORT,
                true,
                false,
                config -> config.getOption(ChannelOption.REUSE_PORT),
                (config, isReused) -> config.setOption(ChannelOption.REUSE_PORT, isReused),
                StandardSocketOptions.SO_REUSEPORT);
    }

    @Override
    protected Set<String> furtherKeys() {
        return Set.of("bufferFactory", "pipelineFactory", "backlog", "performancePreferences");
    }

    @Test
    void shouldRememberTheBacklog() {
        assertEquals(0, config.getBacklog());
        assertTrue(config.setOption("backlog", "128"));
        assertEquals(128, config.getBacklog());
        assertTrue(config.setOption(ChannelOption.BACKLOG, 256));
        assertEquals(256, config.getOption(ChannelOption.BACKLOG));
        config.setBacklog(512);
        assertEquals(512, config.getOptions().get("backlog"));
        assertOutOfRange("backlog: -1 (allowed: a whole number, 0 or more)", config -> config.setBacklog(-1));
        assertEquals(512, config.getBacklog());
    }

    @Test
    void shouldAcceptPerformancePreferencesInEveryWay() {
        config.setPerformancePreferences(0, 1, 2);
        assertTrue(config.setOption("performancePreferences", "0,1,2"));
    }

    @Test
    void shouldSuggestChildOptions() {
        try (CapturedLog log = CapturedLog.start()) {
            assertFalse(config.setOption("keepAlive", true));
            assertEquals(
                    1,
                    Warnings.about("\"keepAlive\"; did you mean \"child.keepAlive\"?", log)
                            .size(),
                    () -> Warnings.of(log).toString());
        }
    }
}
