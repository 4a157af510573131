package org.freshet.handler.codec.internal;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Places that hold one object each or nothing. Any thread may call; no thread waits.
 *
 * <p>Whether an object was used lately is known per slot and may be missed in a race: then the object is kept for longer,
 * or given up early.
 */
final class AtomicSlots<T> {
    private final AtomicReferenceArray<T> objects;

    /** 1 if an object was put into the slot since the last {@link #takeUnused}. */
    private final AtomicIntegerArray used;

    AtomicSlots(int size) {
        objects = new AtomicReferenceArray<>(size);
        used = new AtomicIntegerArray(size);
    }

    boolean isEmpty(int slot) {
        return objects.get(slot) == null;
    }

    /** Null if there is none. */
    T take(int slot) {
        return objects.get(slot) == null ? null : objects.getAndSet(slot, null);
    }

    /** Returns false if the slot is taken. */
    boolean put(int slot, T object) {
        if (objects.get(slot) != null || !objects.compareAndSet(slot, null, object)) {
            return false;
        }
        used.lazySet(slot, 1);
        return true;
    }

    /** Takes what lies there since the last call of this method at least. */
    T takeUnused(int slot) {
        return used.getAndSet(slot, 0) == 0 ? take(slot) : null;
    }
}
