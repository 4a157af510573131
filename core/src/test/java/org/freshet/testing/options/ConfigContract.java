package org.freshet.testing.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketOption;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.freshet.channel.ChannelConfig;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelOption;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The contract for the options of every kind of socket in every transport: setting by key, by constant and by method
 * has the same effect, and reading returns what the socket reports.
 *
 * @param <C> the config's type
 */
public abstract class ConfigContract<C extends ChannelConfig> {
    /**
     * An option of the socket, two values for it, and the ways to set and get it.
     *
     * @param first a value other than the default
     * @param second another such value
     * @param name the JDK's option
     * @param toJdk converts the user's value to the JDK's
     */
    protected record Setting<C, T, J>(
            ChannelOption<T> option,
            T first,
            T second,
            Function<C, T> getter,
            BiConsumer<C, T> setter,
            SocketOption<J> name,
            Function<T, J> toJdk) {
        void setFirst(C config) {
            setter.accept(config, first);
        }
    }

    private final List<Setting<C, ?, ?>> settings = new ArrayList<>();
    protected C config;

    protected ConfigContract() {}

    /** Opens a socket and creates its config. */
    protected abstract C open() throws IOException;

    /** Reads the value from the socket itself. */
    protected abstract <T> T ask(SocketOption<T> name) throws IOException;

    protected abstract void closeSocket() throws IOException;

    /** The options stored in the socket, each created with {@link #setting}. */
    protected abstract void describeSettings();

    /** Keys of options that are not stored in the socket. */
    protected abstract Set<String> furtherKeys();

    protected final <T> void setting(
            ChannelOption<T> option,
            T first,
            T second,
            Function<C, T> getter,
            BiConsumer<C, T> setter,
            SocketOption<T> name) {
        settings.add(new Setting<>(option, first, second, getter, setter, name, value -> value));
    }

    protected final void setting(Setting<C, ?, ?> setting) {
        settings.add(setting);
    }

    @BeforeEach
    void openSocket() throws IOException {
        config = open();
        describeSettings();
    }

    @AfterEach
    void closeTheSocket() throws IOException {
        closeSocket();
    }

    @Test
    void shouldSetTheSameByKeyByConstantAndByMethod() throws IOException {
        for (Setting<C, ?, ?> setting : settings) {
            checkThreeWays(setting);
        }
    }

    private <T, J> void checkThreeWays(Setting<C, T, J> setting) throws IOException {
        ChannelOption<T> option = setting.option;
        assertTrue(config.setOption(option.key(), setting.first), option.key());
        checkRead(setting, setting.first);
        assertTrue(config.setOption(option, setting.second), option.key());
        checkRead(setting, setting.second);
        setting.setter.accept(config, setting.first);
        checkRead(setting, setting.first);
        if (setting.second instanceof Number || setting.second instanceof Boolean) {
            assertTrue(config.setOption(option.key(), setting.second.toString()), option.key());
            checkRead(setting, setting.second);
        }
    }

    private <T, J> void checkRead(Setting<C, T, J> setting, T value) throws IOException {
        String key = setting.option.key();
        assertEquals(setting.toJdk.apply(value), ask(setting.name), key + " of the socket");
        assertEquals(value, setting.getter.apply(config), key + " by its method");
        assertEquals(value, config.getOption(setting.option), key + " by its constant");
        assertEquals(value, config.getOptions().get(key), key + " in the map");
    }

    @Test
    void shouldShowTheseOptionsAndNoOthers() throws IOException {
        Set<String> expected = new TreeSet<>(furtherKeys());
        for (Setting<C, ?, ?> setting : settings) {
            setting.setFirst(config); // an interface that the system chooses is null, and not shown
            expected.add(setting.option.key());
        }
        expected.removeAll(Set.of("pipelineFactory", "performancePreferences")); // null, and unreadable
        assertEquals(expected, new TreeSet<>(config.getOptions().keySet()));
    }

    @Test
    void shouldRefuseValuesOfTheWrongTypeByNameAndLeaveTheSocketAlone() throws IOException {
        for (Setting<C, ?, ?> setting : settings) {
            Object before = ask(setting.name);
            String key = setting.option.key();
            IllegalArgumentException e =
                    assertThrows(IllegalArgumentException.class, () -> config.setOption(key, new Object()), key);
            assertTrue(e.getMessage().startsWith(key + ": "), e::getMessage);
            assertEquals(before, ask(setting.name));
        }
    }

    @Test
    void shouldFailClearlyWhenTheSocketIsClosed() throws IOException {
        closeSocket();
        for (Setting<C, ?, ?> setting : settings) {
            checkClosed(setting);
        }
        assertThrows(ChannelException.class, config::getOptions);
    }

    private <T> void checkClosed(Setting<C, T, ?> setting) {
        String key = setting.option.key();
        ChannelException set =
                assertThrows(ChannelException.class, () -> config.setOption(setting.option, setting.first), key);
        assertTrue(set.getMessage().startsWith("cannot set "), set::getMessage);
        assertSaysClosed(set);
        ChannelException get = assertThrows(ChannelException.class, () -> setting.getter.apply(config), key);
        assertTrue(get.getMessage().startsWith("cannot read "), get::getMessage);
        assertSaysClosed(get);
    }

    private static void assertSaysClosed(ChannelException e) {
        assertTrue(e.getMessage().endsWith("closed"), e::getMessage);
        assertInstanceOf(IOException.class, e.getCause());
        assertFalse(e.getMessage().contains(ClosedChannelException.class.getName()), e::getMessage);
    }

    @Test
    void shouldWarnOnceAboutATypoAndSuggestTheNearestKey() {
        try (CapturedLog log = CapturedLog.start()) {
            for (int i = 0; i < 3; i++) {
                assertFalse(config.setOption("reuseAdress", true));
            }
            assertEquals(
                    1,
                    Warnings.about("\"reuseAdress\"; did you mean \"reuseAddress\"?", log)
                            .size(),
                    () -> Warnings.of(log).toString());
        }
    }

    /** Checks the message for a value that a method refuses: name, value and range. */
    protected final void assertOutOfRange(String message, Consumer<C> call) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> call.accept(config));
        assertEquals(message, e.getMessage());
    }
}
