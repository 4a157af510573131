package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ChannelLocalTest {
    /** The two ways in which values are stored for a channel. */
    enum Kind {
        CARRYING {
            @Override
            Channel newChannel() {
                return new FakeChannel();
            }
        },
        FOREIGN {
            /** A user's channel class: it has only a close future, and all instances are equal. */
            @Override
            Channel newChannel() {
                DefaultChannelFuture[] closeFuture = new DefaultChannelFuture[1];
                InvocationHandler handler = (proxy, method, args) -> switch (method.getName()) {
                    case "getCloseFuture" -> closeFuture[0];
                    case "hashCode" -> 1;
                    case "equals" -> Proxy.isProxyClass(args[0].getClass());
                    case "toString" -> "foreign";
                    default -> throw new AssertionError("not for a test: " + method);
                };
                Channel channel = (Channel) Proxy.newProxyInstance(
                        ChannelLocalTest.class.getClassLoader(), new Class<?>[] {Channel.class}, handler);
                closeFuture[0] = new DefaultChannelFuture(channel, false);
                return channel;
            }
        };

        abstract Channel newChannel();
    }

    private static void close(Channel channel) {
        if (channel instanceof FakeChannel fake) {
            fake.onClosed();
        } else {
            channel.getCloseFuture().setSuccess();
        }
    }

    private static final class Initialised extends ChannelLocal<String> {
        int calls;

        @Override
        protected String initialValue(Channel channel) {
            return "initial " + ++calls;
        }
    }

    // ---- contract ----

    @ParameterizedTest
    @EnumSource
    void shouldInitiallyHaveNoValue(Kind kind) {
        assertNull(new ChannelLocal<String>().get(kind.newChannel()));
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepAValueForEachChannel(Kind kind) {
        ChannelLocal<String> local = new ChannelLocal<>();
        Channel a = kind.newChannel();
        Channel b = kind.newChannel();
        assertNull(local.set(a, "a"));
        assertNull(local.set(b, "b"));
        assertEquals("a", local.get(a));
        assertEquals("b", local.get(b));
        assertEquals("a", local.set(a, "changed"));
        assertEquals("changed", local.get(a));
        assertEquals("b", local.get(b));
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepTheValuesOfSeveralVariablesApart(Kind kind) {
        Channel channel = kind.newChannel();
        List<ChannelLocal<Integer>> locals = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            locals.add(new ChannelLocal<>());
            locals.get(i).set(channel, i);
        }
        for (int i = 0; i < 50; i += 2) {
            assertEquals(i, locals.get(i).remove(channel));
        }
        for (int i = 0; i < 50; i++) {
            assertEquals(i % 2 == 0 ? null : i, locals.get(i).get(channel));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldSetOnlyIfAbsent(Kind kind) {
        ChannelLocal<String> local = new ChannelLocal<>();
        Channel channel = kind.newChannel();
        assertNull(local.setIfAbsent(channel, "first"));
        assertEquals("first", local.setIfAbsent(channel, "second"));
        assertEquals("first", local.get(channel));
    }

    @ParameterizedTest
    @EnumSource
    void shouldCreateAndKeepTheInitialValueOnDemand(Kind kind) {
        Initialised local = new Initialised();
        Channel channel = kind.newChannel();
        assertEquals("initial 1", local.get(channel));
        assertEquals("initial 1", local.get(channel));
        assertEquals(1, local.calls);
        assertEquals("initial 2", local.get(kind.newChannel()));
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotMakeTheInitialValueWhenSet(Kind kind) {
        Initialised local = new Initialised();
        assertNull(local.set(kind.newChannel(), "x"));
        assertNull(local.setIfAbsent(kind.newChannel(), "y"));
        assertEquals(0, local.calls);
    }

    @ParameterizedTest
    @EnumSource
    void shouldMakeTheInitialValueAgainAfterRemoval(Kind kind) {
        Initialised local = new Initialised();
        Channel channel = kind.newChannel();
        local.set(channel, "x");
        assertEquals("x", local.remove(channel));
        assertEquals("initial 1", local.remove(channel));
        assertEquals("initial 2", local.get(channel));
    }

    @ParameterizedTest
    @EnumSource
    void shouldRemoveTheValueWhenSetToNull(Kind kind) {
        Initialised local = new Initialised();
        Channel channel = kind.newChannel();
        assertEquals("initial 1", local.set(channel, null));
        assertEquals("initial 2", local.setIfAbsent(channel, null));
        assertEquals("initial 2", local.set(channel, null));
        assertEquals("initial 3", local.get(channel));
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepValuesOfClosedChannels(Kind kind) {
        ChannelLocal<String> local = new ChannelLocal<>();
        Channel channel = kind.newChannel();
        local.set(channel, "kept");
        close(channel);
        assertEquals("kept", local.get(channel));
    }

    @ParameterizedTest
    @EnumSource
    void shouldRemoveOnCloseIfConfigured(Kind kind) {
        ChannelLocal<String> local = new ChannelLocal<>(true);
        Channel channel = kind.newChannel();
        local.set(channel, "a");
        local.set(channel, "b");
        close(channel);
        assertNull(local.get(channel));
        local.set(channel, "late");
        assertNull(local.get(channel));
        assertFalse(local.iterator().hasNext());
    }

    @Test
    void shouldLeaveNoListenerAfterRemoval() {
        ChannelLocal<String> local = new ChannelLocal<>(true);
        FakeChannel channel = new FakeChannel();
        for (int i = 0; i < 100; i++) {
            local.set(channel, "x");
            local.remove(channel);
        }
        ChannelLocal<String> other = new ChannelLocal<>();
        other.set(channel, "y");
        local.set(channel, "z");
        channel.onClosed();
        assertNull(local.get(channel));
        assertEquals("y", other.get(channel));
    }

    @Test
    void shouldRefuseNullChannels() {
        Initialised local = new Initialised();
        assertThrows(NullPointerException.class, () -> local.get(null));
        assertThrows(NullPointerException.class, () -> local.set(null, "x"));
        assertThrows(NullPointerException.class, () -> local.setIfAbsent(null, "x"));
        assertThrows(NullPointerException.class, () -> local.remove(null));
    }

    @Test
    void shouldKeepAValueSetDuringARemoval() {
        ChannelLocal<String> local = new ChannelLocal<>(true);
        HookedChannel channel = new HookedChannel();
        local.set(channel, "before");
        channel.meanwhile = () -> local.set(channel, "meanwhile");
        assertEquals("before", local.remove(channel));
        assertEquals("meanwhile", local.get(channel));
        assertEquals("meanwhile", local.iterator().next().getValue());
        channel.onClosed();
        assertNull(local.get(channel));
    }

    @Test
    void shouldPreferAValueSetWhileTheInitialOneIsCreated() {
        ChannelLocal<String> local = new ChannelLocal<>() {
            @Override
            protected String initialValue(Channel channel) {
                set(channel, "meanwhile");
                return "initial";
            }
        };
        FakeChannel channel = new FakeChannel();
        assertEquals("meanwhile", local.get(channel));
        assertEquals("meanwhile", local.get(channel));
    }

    // ---- iteration ----

    @ParameterizedTest
    @EnumSource
    void shouldIterateOverChannelsWithValues(Kind kind) {
        ChannelLocal<Integer> local = new ChannelLocal<>();
        List<Channel> channels = new ArrayList<>();
        int expected = 0;
        for (int i = 0; i < 10; i++) {
            channels.add(kind.newChannel());
            local.set(channels.get(i), 1 << i);
            expected |= 1 << i;
        }
        local.remove(channels.get(3));
        expected &= ~(1 << 3);
        int seen = 0;
        for (Map.Entry<Channel, Integer> entry : local) {
            assertEquals(0, seen & entry.getValue());
            assertSame(entry.getKey(), channels.get(Integer.numberOfTrailingZeros(entry.getValue())));
            seen |= entry.getValue();
        }
        assertEquals(expected, seen);
    }

    @ParameterizedTest
    @EnumSource
    void shouldSetThroughEntries(Kind kind) {
        ChannelLocal<String> local = new ChannelLocal<>();
        Channel channel = kind.newChannel();
        local.set(channel, "a");
        Map.Entry<Channel, String> entry = local.iterator().next();
        assertEquals("a", entry.setValue("b"));
        assertEquals("b", entry.getValue());
        assertEquals("b", local.get(channel));
    }

    @Test
    void shouldEndIterationsProperly() {
        ChannelLocal<String> local = new ChannelLocal<>();
        FakeChannel channel = new FakeChannel();
        local.set(channel, "a");
        Iterator<Map.Entry<Channel, String>> iterator = local.iterator();
        iterator.next();
        assertThrows(UnsupportedOperationException.class, iterator::remove);
        assertFalse(iterator.hasNext());
        assertThrows(NoSuchElementException.class, iterator::next);
        assertEquals("a", local.get(channel));
    }

    // ---- against a model, and Netty 3 ----

    /** Random calls on a few variables and channels, with Netty 3's variable as the model. */
    @ParameterizedTest
    @EnumSource
    void shouldBehaveLikeNetty3(Kind kind) {
        Random random = Seeds.random();
        int channelCount = 4;
        List<Channel> ours = new ArrayList<>();
        List<org.jboss.netty.channel.Channel> theirs = new ArrayList<>();
        for (int i = 0; i < channelCount; i++) {
            ours.add(kind.newChannel());
            theirs.add((org.jboss.netty.channel.Channel) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {org.jboss.netty.channel.Channel.class},
                    (proxy, method, args) -> switch (method.getName()) {
                        case "hashCode" -> System.identityHashCode(proxy);
                        case "equals" -> proxy == args[0];
                        default -> throw new AssertionError("not for a test: " + method);
                    }));
        }
        List<ChannelLocal<String>> ourLocals = new ArrayList<>();
        List<org.jboss.netty.channel.ChannelLocal<String>> theirLocals = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            String initial = i % 2 == 0 ? null : "initial " + i;
            ourLocals.add(new ChannelLocal<>() {
                @Override
                protected String initialValue(Channel channel) {
                    return initial;
                }
            });
            theirLocals.add(new org.jboss.netty.channel.ChannelLocal<>() {
                @Override
                protected String initialValue(org.jboss.netty.channel.Channel channel) {
                    return initial;
                }
            });
        }
        for (int i = 0; i < 20_000; i++) {
            ChannelLocal<String> our = ourLocals.get(random.nextInt(ourLocals.size()));
            org.jboss.netty.channel.ChannelLocal<String> their = theirLocals.get(ourLocals.indexOf(our));
            int which = random.nextInt(channelCount);
            String value = random.nextInt(5) == 0 ? null : "value " + random.nextInt(100);
            Channel a = ours.get(which);
            org.jboss.netty.channel.Channel b = theirs.get(which);
            String hint = "call " + i + ", seed " + Seeds.seed();
            switch (random.nextInt(5)) {
                case 0 -> assertEquals(their.get(b), our.get(a), hint);
                case 1 -> assertEquals(their.set(b, value), our.set(a, value), hint);
                case 2 -> assertEquals(their.setIfAbsent(b, value), our.setIfAbsent(a, value), hint);
                case 3 -> assertEquals(their.remove(b), our.remove(a), hint);
                default -> assertEquals(valuesOf(their, theirs), valuesOf(our, ours), hint);
            }
        }
    }

    private static <C> Map<Integer, String> valuesOf(Iterable<Map.Entry<C, String>> local, List<C> channels) {
        Map<Integer, String> values = new HashMap<>();
        for (Map.Entry<C, String> entry : local) {
            for (int i = 0; i < channels.size(); i++) {
                if (channels.get(i) == entry.getKey()) {
                    values.put(i, entry.getValue());
                }
            }
        }
        return values;
    }

    // ---- memory ----

    private static void collectUntil(BooleanSupplier condition, String awaited) {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadlineNanos, "timed out waiting for " + awaited);
            System.gc();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotKeepChannelsAlive(Kind kind) {
        ChannelLocal<String> local = new ChannelLocal<>();
        WeakReference<Channel> channel = new WeakReference<>(kind.newChannel());
        local.set(channel.get(), "x");
        collectUntil(() -> channel.refersTo(null), "the channel to be collected");
        assertFalse(local.iterator().hasNext());
    }

    @Test
    void shouldNotKeepChannelsAliveWhoseValuesReferToThem() {
        ChannelLocal<Object> local = new ChannelLocal<>();
        WeakReference<Channel> channel = new WeakReference<>(new FakeChannel());
        local.set(channel.get(), List.of(channel.get()));
        collectUntil(() -> channel.refersTo(null), "the channel to be collected");
        assertFalse(local.iterator().hasNext());
    }

    @Test
    void shouldNotBeKeptAliveByChannels() {
        FakeChannel channel = new FakeChannel();
        WeakReference<ChannelLocal<String>> local = new WeakReference<>(new ChannelLocal<>());
        local.get().set(channel, "x");
        collectUntil(() -> local.refersTo(null), "the variable to be collected");
        assertTrue(channel.isOpen());
    }

    @Test
    void shouldDropValuesOfCollectedVariablesFromLongLivedChannels() {
        FakeChannel channel = new FakeChannel();
        ChannelLocal<String> lasting = new ChannelLocal<>();
        lasting.set(channel, "lasting");
        WeakReference<Object> value = new WeakReference<>(new Object());
        new ChannelLocal<>().set(channel, value.get());
        List<ChannelLocal<String>> later = new ArrayList<>();
        collectUntil(
                () -> {
                    later.add(new ChannelLocal<>());
                    later.get(later.size() - 1).set(channel, "later");
                    return value.refersTo(null);
                },
                "the value to be collected");
        assertEquals("lasting", lasting.get(channel));
        for (ChannelLocal<String> each : later) {
            assertEquals("later", each.get(channel));
        }
        assertNotNull(channel.locals());
    }

    @Test
    void shouldCostNothingWithoutValues() {
        FakeChannel channel = new FakeChannel();
        ChannelLocal<String> local = new ChannelLocal<>();
        local.get(channel);
        assertNull(channel.locals());
        local.set(channel, "x");
        assertEquals(2, channel.locals().length);
        local.remove(channel);
        assertNull(channel.locals());
    }
}
