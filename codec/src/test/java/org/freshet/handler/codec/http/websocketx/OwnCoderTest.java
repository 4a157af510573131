package org.freshet.handler.codec.http.websocketx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.freshet.testing.Await;
import org.junit.jupiter.api.Test;

class OwnCoderTest {
    private final List<Object> ended = new CopyOnWriteArrayList<>();
    private final OwnCoder<Object> own = new OwnCoder<>(ended::add);
    private final Object coder = new Object();

    @Test
    void shouldKeepAReturnedCoder() {
        assertNull(own.take());
        own.put(coder);
        assertSame(coder, own.take());
        own.put(coder);
        assertEquals(List.of(), ended);
    }

    @Test
    void shouldEndTheKeptCoderWhenReleased() {
        own.take();
        own.put(coder);
        own.release();
        own.release();
        assertEquals(List.of(coder), ended);
    }

    @Test
    void shouldEndACoderInUseWhenItIsReturned() {
        own.take();
        own.put(coder);
        own.take();
        own.release();
        assertEquals(List.of(), ended);
        own.put(coder);
        assertEquals(List.of(coder), ended);
        assertNull(own.take());
    }

    @Test
    void shouldKeepNothingAfterRelease() {
        own.release();
        assertNull(own.take());
        own.put(coder);
        assertNull(own.take());
        own.drop(coder);
        assertEquals(List.of(coder, coder), ended);
    }

    @Test
    void shouldForgetADroppedCoder() {
        own.take();
        own.put(coder);
        own.take();
        own.drop(coder);
        assertEquals(List.of(coder), ended);
        assertNull(own.take());
        own.put(this);
        assertSame(this, own.take());
    }

    @Test
    void shouldEndEachCoderOnceWhenReleasedWhileInUse() throws Exception {
        for (int round = 0; round < 500; round++) {
            List<Object> made = new CopyOnWriteArrayList<>();
            List<Object> endedNow = new CopyOnWriteArrayList<>();
            OwnCoder<Object> shared = new OwnCoder<>(endedNow::add);
            CyclicBarrier start = new CyclicBarrier(2);
            Thread user = new Thread(() -> {
                awaitStart(start);
                for (int i = 0; i < 5; i++) {
                    Object taken = shared.take();
                    if (taken == null) {
                        taken = new Object();
                        made.add(taken);
                    }
                    shared.put(taken);
                }
            });
            user.start();
            awaitStart(start);
            shared.release();
            Await.end(user);
            assertEquals(made.size(), endedNow.size()); // either thread may be first
            assertEquals(Set.copyOf(made), Set.copyOf(endedNow));
        }
    }

    private static void awaitStart(CyclicBarrier start) {
        try {
            start.await(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
