package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.freshet.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Values of channels that the map compares by identity and does not keep alive. */
class WeakChannelMapTest {
    private final WeakChannelMap map = new WeakChannelMap();

    /** A channel without any memory of its own, as there must be many to find two with the same hash. */
    private static Channel channel() {
        return (Channel) Proxy.newProxyInstance(
                Channel.class.getClassLoader(), new Class<?>[] {Channel.class}, (self, method, arguments) -> {
                    throw new AssertionError("called: " + method);
                });
    }

    @Test
    void shouldKeepChannelsApartWhoseHashesAreTheSame() {
        Map<Integer, Channel> byHash = new HashMap<>();
        Channel one = channel();
        Channel other = byHash.put(System.identityHashCode(one), one);
        while (other == null) {
            one = channel();
            other = byHash.put(System.identityHashCode(one), one);
        }
        assertNull(map.put(one, "one"));
        assertNull(map.get(other));
        assertNull(map.remove(other));
        assertNull(map.putIfAbsent(other, "other"));
        assertEquals("one", map.get(one));
        assertEquals("other", map.get(other));
        assertEquals("one", map.remove(one));
        assertEquals("other", map.put(other, "changed"));
        assertNull(map.get(one));
    }

    @Test
    void shouldListItsChannels() {
        Channel one = channel();
        Channel other = channel();
        map.put(one, "one");
        map.put(other, "other");
        List<Object> listed = new ArrayList<>();
        map.keys().forEachRemaining(each -> listed.add(map.get(each)));
        assertEquals(2, listed.size());
        assertFalse(listed.contains(null));
    }

    static List<Consumer<WeakChannelMap>> uses() {
        Channel another = channel();
        return List.of(map -> map.put(another, "x"), map -> map.putIfAbsent(another, "x"), WeakChannelMap::keys);
    }

    @ParameterizedTest
    @MethodSource("uses")
    void shouldLetGoOfAValueWhoseChannelHasBeenCollected(Consumer<WeakChannelMap> nextUse) {
        WeakReference<Object> value = putForAChannelThatNothingElseHolds();
        Await.until(
                () -> {
                    System.gc();
                    nextUse.accept(map);
                    return value.get() == null;
                },
                "the collection of a value");
    }

    private WeakReference<Object> putForAChannelThatNothingElseHolds() {
        Object value = new Object();
        map.put(channel(), value);
        return new WeakReference<>(value);
    }
}
