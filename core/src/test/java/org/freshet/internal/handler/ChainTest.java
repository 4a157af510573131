package org.freshet.internal.handler;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import org.freshet.testing.Await;
import org.junit.jupiter.api.Test;

class ChainTest {
    private static final class Element extends Chain.Link {}

    @Test
    void shouldReturnElementsInOrder() {
        Chain<Element> chain = new Chain<>();
        Element first = new Element();
        Element second = new Element();
        chain.add(first);
        chain.add(second);
        assertSame(first, chain.poll());
        assertSame(second, chain.poll());
        assertNull(chain.poll());
        assertTrue(chain.isEmpty());
    }

    @Test
    void shouldTakeOverAllElementsOfAnother() {
        Chain<Element> from = new Chain<>();
        Chain<Element> to = new Chain<>();
        Element first = new Element();
        Element second = new Element();
        Element third = new Element();
        to.add(first);
        from.add(second);
        to.addAll(from);
        from.add(third);
        assertSame(first, to.poll());
        assertSame(second, to.poll());
        assertNull(to.poll());
        assertSame(third, from.poll());
    }

    @Test
    void shouldRetainNothingThatWasTaken() {
        Chain<Element> chain = new Chain<>();
        Chain<Element> other = new Chain<>();
        chain.add(new Element());
        WeakReference<Element> taken = new WeakReference<>(chain.poll());
        other.add(new Element());
        chain.addAll(other);
        WeakReference<Element> moved = new WeakReference<>(chain.poll());
        Await.until(
                () -> {
                    System.gc();
                    return taken.refersTo(null) && moved.refersTo(null);
                },
                "the collection of both");
        assertTrue(chain.isEmpty() && other.isEmpty());
    }
}
