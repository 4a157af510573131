package org.freshet.handler.codec.internal;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Slots that each hold one object or are empty. Any thread may call; no thread waits.
 *
 * <p>Recent use is tracked per slot and may be missed in a race. Then an object is kept longer or given up early.
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

    /** Returns null if the slot is empty. */
    T take(int slot) {
        return objects.get(slot) == null ? null : objects.getAndSet(slot, null);
    }

    /** Returns false if the slot is occupied. */
    boolean put(int slot, T object) {
        if (objects.get(slot) != null || !objects.compareAndSet(slot, null, object)) {
            return false;
        }
        used.lazySet(slot, 1);
        return true;
    }

    /** Takes the object from the slot if none was put there since the last call of this method. */
    T takeUnused(int slot) {
        return used.getAndSet(slot, 0) == 0 ? take(slot) : null;
    }
}
