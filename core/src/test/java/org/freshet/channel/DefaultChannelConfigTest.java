package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.freshet.buffer.DirectChannelBufferFactory;
import org.freshet.buffer.HeapChannelBufferFactory;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.options.StrictOptions;
import org.freshet.testing.options.Warnings;
import org.junit.jupiter.api.Test;

class DefaultChannelConfigTest {
    /** How users of Netty 3 add an option: they ask the superclass first. */
    static final class UserConfig extends DefaultChannelConfig {
        Object answer;

        @Override
        public boolean setOption(String key, Object value) {
            if (super.setOption(key, value)) {
                return true;
            }
            if (!key.equals("answer")) {
                return false;
            }
            answer = value;
            return true;
        }
    }

    /** A subclass that does not override the options. */
    static final class PlainSubclass extends DefaultChannelConfig {}

    @Test
    void shouldStartWithTheDefaults() {
        DefaultChannelConfig config = new DefaultChannelConfig();
        assertEquals(10_000, config.getConnectTimeoutMillis());
        assertSame(HeapChannelBufferFactory.getInstance(), config.getBufferFactory());
        assertNull(config.getPipelineFactory());
        assertEquals(
                Set.of("bufferFactory", "connectTimeoutMillis"),
                config.getOptions().keySet());
    }

    @Test
    void shouldSetTheSameByKeyByConstantAndByMethod() {
        DefaultChannelConfig config = new DefaultChannelConfig();
        assertTrue(config.setOption("connectTimeoutMillis", "3"));
        assertEquals(3, config.getConnectTimeoutMillis());
        assertTrue(config.setOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, 4));
        assertEquals(4, config.getConnectTimeoutMillis());
        config.setConnectTimeoutMillis(0);
        assertEquals(0, config.getOption(ChannelOption.CONNECT_TIMEOUT_MILLIS));
        assertEquals(0, config.getOptions().get("connectTimeoutMillis"));

        assertTrue(config.setOption("bufferFactory", DirectChannelBufferFactory.getInstance()));
        assertSame(DirectChannelBufferFactory.getInstance(), config.getOption(ChannelOption.BUFFER_FACTORY));

        ChannelPipelineFactory pipelines = Channels::pipeline;
        assertTrue(config.setOption(ChannelOption.PIPELINE_FACTORY, pipelines));
        assertSame(pipelines, config.getPipelineFactory());
        assertTrue(config.setOption("pipelineFactory", null));
        assertNull(config.getPipelineFactory());
    }

    @Test
    void shouldRefuseBadValuesHoweverTheyAreSet() {
        DefaultChannelConfig config = new DefaultChannelConfig();
        for (Throwable refusal : List.of(
                assertThrows(IllegalArgumentException.class, () -> config.setConnectTimeoutMillis(-1)),
                assertThrows(IllegalArgumentException.class, () -> config.setOption("connectTimeoutMillis", -1)),
                assertThrows(
                        IllegalArgumentException.class,
                        () -> config.setOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, -1)))) {
            assertEquals("connectTimeoutMillis: -1 (allowed: a whole number, 0 or more)", refusal.getMessage());
        }
        assertEquals(10_000, config.getConnectTimeoutMillis());
        assertThrows(NullPointerException.class, () -> config.setBufferFactory(null));
        assertThrows(NullPointerException.class, () -> config.setOption((String) null, 1));
        assertThrows(NullPointerException.class, () -> config.setOptions(null));
    }

    @Test
    void shouldServeServerChannelsWithoutAConnectTimeout() {
        try (CapturedLog log = CapturedLog.start()) {
            DefaultServerChannelConfig config = new DefaultServerChannelConfig();
            config.setConnectTimeoutMillis(5);
            assertEquals(0, config.getConnectTimeoutMillis());
            assertFalse(config.setOption("connectTimeoutMillis", 5));
            assertEquals(1, Warnings.about("connectTimeoutMillis", log).size());
            assertNull(config.getOption(ChannelOption.CONNECT_TIMEOUT_MILLIS));
            assertThrows(NullPointerException.class, () -> config.setPipelineFactory(null));
            assertTrue(config.setOption(ChannelOption.BUFFER_FACTORY, DirectChannelBufferFactory.getInstance()));
            assertSame(DirectChannelBufferFactory.getInstance(), config.getBufferFactory());
            assertEquals(Set.of("bufferFactory"), config.getOptions().keySet());
            ChannelPipelineFactory pipelines = Channels::pipeline;
            config.setOptions(Map.of("pipelineFactory", pipelines));
            assertSame(pipelines, config.getPipelineFactory());
        }
    }

    @Test
    void shouldWarnOnceAboutATypoAndSuggestTheNearestKey() {
        try (CapturedLog log = CapturedLog.start()) {
            for (int i = 0; i < 3; i++) {
                assertFalse(new DefaultChannelConfig().setOption("connectTimeoutMilis", 1));
                new DefaultChannelConfig().setOptions(Map.of("connectTimeoutMilis", 1));
            }
            List<String> warnings = Warnings.about("\"connectTimeoutMilis\"", log);
            assertEquals(1, warnings.size(), warnings::toString);
            assertTrue(warnings.get(0).endsWith("did you mean \"connectTimeoutMillis\"?"), () -> warnings.get(0));
            assertTrue(warnings.get(0).contains(DefaultChannelConfig.class.getName()), () -> warnings.get(0));
        }
    }

    @Test
    void shouldNotSuggestFarFetchedKeys() {
        try (CapturedLog log = CapturedLog.start()) {
            new DefaultChannelConfig().setOption("blacklist", 1);
            List<String> warnings = Warnings.about("\"blacklist\"", log);
            assertEquals(
                    "ignored an unknown option for " + DefaultChannelConfig.class.getName()
                            + ": \"blacklist\"; known options:"
                            + " bufferFactory, connectTimeoutMillis, localAddress, pipelineFactory, remoteAddress",
                    warnings.get(0));
        }
    }

    @Test
    void shouldNotWarnAboutOptionsOfOtherChannelsOrOfBootstraps() {
        try (CapturedLog log = CapturedLog.start()) {
            DefaultChannelConfig config = new PlainSubclass();
            Map<String, Object> elsewhere = Map.of("backlog", 1, "keepAlive", true, "localAddress", PaperChannel.PEER);
            elsewhere.forEach((key, value) -> assertFalse(config.setOption(key, value)));
            new DefaultServerChannelConfig().setOption("remoteAddress", PaperChannel.PEER);
            assertEquals(List.of(), Warnings.of(log));
            assertEquals(
                    4,
                    log.messages(InternalLogLevel.DEBUG).size(),
                    () -> log.messages().toString());
            assertTrue(log.messages().stream()
                    .anyMatch(message -> message.text()
                            .equals("ignored an option that " + PlainSubclass.class.getName()
                                    + " does not have: \"backlog\"")));
        }
    }

    @Test
    void shouldNotWarnAboutOptionsThatAServerPassesToItsConnections() {
        try (CapturedLog log = CapturedLog.start()) {
            assertFalse(new PlainSubclass().setOption("child.tcpNoDelay", true));
            assertEquals(List.of(), Warnings.of(log));
            assertEquals(InternalLogLevel.DEBUG, log.only().level());
        }
    }

    @Test
    void shouldRecogniseATypoAfterAPrefix() {
        try (CapturedLog log = CapturedLog.start()) {
            new DefaultChannelConfig().setOption("child.connectTimeoutMilis", 1);
            assertEquals(
                    1,
                    Warnings.about("\"child.connectTimeoutMilis\"; did you mean \"connectTimeoutMillis\"?", log)
                            .size(),
                    () -> Warnings.of(log).toString());
            new DefaultServerChannelConfig().setOption("child.quux", 1);
            assertEquals(
                    1,
                    Warnings.about("\"child.quux\"; known options:", log).size(),
                    () -> Warnings.of(log).toString());
        }
    }

    @Test
    void shouldWarnForEachConfigClass() {
        try (CapturedLog log = CapturedLog.start()) {
            new DefaultChannelConfig().setOption("perClass", 1);
            new PlainSubclass().setOption("perClass", 1);
            new DefaultServerChannelConfig().setOption("perClass", 1);
            assertEquals(3, Warnings.about("\"perClass\"", log).size());
        }
    }

    @Test
    void shouldSuggestChildOptionsOnAServerChannel() {
        try (CapturedLog log = CapturedLog.start()) {
            new DefaultServerChannelConfig().setOption("tcpNoDelay", true);
            assertEquals(
                    1,
                    Warnings.about("did you mean \"child.tcpNoDelay\"?", log).size(),
                    () -> Warnings.of(log).toString());
        }
    }

    @Test
    void shouldNotWarnAboutOptionsOfAUsersSubclass() {
        try (CapturedLog log = CapturedLog.start()) {
            UserConfig config = new UserConfig();
            assertTrue(config.setOption("answer", 42));
            config.setOptions(Map.of("answer", 43, "connectTimeoutMillis", 1));
            assertTrue(config.setOption(ChannelOption.object("answer", Integer.class), 44));
            assertEquals(44, config.answer);
            assertEquals(List.of(), Warnings.of(log));

            config.setOptions(Map.of("anwser", 1));
            assertEquals(1, Warnings.about("\"anwser\"", log).size());
        }
    }

    @Test
    void shouldThrowOnATypoWhenStrict() {
        DefaultChannelConfig config = new DefaultChannelConfig();
        UserConfig user = new UserConfig();
        Map<String, Object> typo = Map.of("bufferfactory", 1);
        try (CapturedLog log = CapturedLog.start()) {
            StrictOptions.during(() -> {
                for (Throwable refusal : List.of(
                        assertThrows(IllegalArgumentException.class, () -> config.setOption("bufferfactory", 1)),
                        assertThrows(IllegalArgumentException.class, () -> config.setOptions(typo)))) {
                    assertEquals(
                            "unknown option for " + DefaultChannelConfig.class.getName()
                                    + ": \"bufferfactory\"; did you mean \"bufferFactory\"?",
                            refusal.getMessage());
                }
                user.setOptions(Map.of("answer", 1));
                assertThrows(IllegalArgumentException.class, () -> user.setOptions(typo));
            });
            assertEquals(1, user.answer);
            assertEquals(List.of(), Warnings.of(log));
        }
    }

    @Test
    void shouldKeepEarlierOptionsWhenALaterOneIsRefused() {
        DefaultChannelConfig config = new DefaultChannelConfig();
        Map<String, Object> options = new LinkedHashMap<>();
        options.put("connectTimeoutMillis", 5);
        options.put("bufferFactory", "none");
        assertThrows(IllegalArgumentException.class, () -> config.setOptions(options));
        assertEquals(5, config.getConnectTimeoutMillis());
    }
}
