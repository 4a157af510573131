package org.freshet.handler.codec.serialization;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.Reference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClassResolversTest {
    @Test
    void shouldResolveClassAndArrayNames() throws Exception {
        int[] loads = new int[1];
        ClassLoader counting = new ClassLoader(getClass().getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                loads[0] += name.equals("java.lang.String") ? 1 : 0;
                return super.loadClass(name, resolve);
            }
        };
        for (ClassResolver resolver : List.of(
                ClassResolvers.weakCachingResolver(counting),
                ClassResolvers.softCachingResolver(counting),
                ClassResolvers.weakCachingConcurrentResolver(counting),
                ClassResolvers.softCachingConcurrentResolver(counting))) {
            assertSame(String.class, resolver.resolve("java.lang.String"));
            assertSame(String.class, resolver.resolve("java.lang.String"));
            assertSame(int[].class, resolver.resolve("[I"));
            assertThrows(ClassNotFoundException.class, () -> resolver.resolve("no.such.Class"));
        }
        assertTrue(loads[0] <= 4, "asked the loader " + loads[0] + " times");
        assertSame(
                getClass(),
                ClassResolvers.cacheDisabled(null).resolve(getClass().getName()));
    }

    @Test
    void shouldKeepValuesBehindReferences() {
        Map<String, Reference<Object>> backing = new HashMap<>();
        Map<String, Object> map = new WeakReferenceMap<>(backing);
        Object value = new Object();
        assertNull(map.put("a", value));
        map.putAll(Map.of("b", "soft"));
        assertSame(value, map.get("a"));
        assertTrue(map.containsKey("a") && map.containsValue(value));
        assertEquals(Set.of("a", "b"), map.keySet());
        assertEquals(2, map.size());
        assertEquals(Map.of("a", value, "b", "soft"), map);
        assertEquals(2, map.values().size());
        assertEquals(2, map.entrySet().size());
        backing.get("a").clear();
        assertNull(map.get("a"));
        assertFalse(map.containsKey("a"));
        assertEquals(Set.of("b"), map.keySet());
        assertEquals("soft", map.remove("b"));
        map.clear();
        assertTrue(map.isEmpty());
        assertThrows(NullPointerException.class, () -> map.put("a", null));
        Map<String, Object> soft = new SoftReferenceMap<>(new HashMap<>());
        soft.put("a", value);
        assertSame(value, soft.get("a"));
    }
}
