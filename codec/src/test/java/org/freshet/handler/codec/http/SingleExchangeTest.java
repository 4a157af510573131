package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.freshet.testing.Await;
import org.junit.jupiter.api.Test;

/** The only exchange of its channel, like that of an HTTP/2 stream. */
class SingleExchangeTest {
    private final Exchange exchange = new Exchange(
            new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.PUT, "/"), HttpExpectation.CONTINUE, 0) {};

    private final Exchanges exchanges = (Exchanges) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {Exchanges.class}, (proxy, method, arguments) -> {
                if (method.isDefault()) {
                    return InvocationHandler.invokeDefault(proxy, method, arguments);
                }
                return method.getName().equals("current") && !exchange.isDone() ? exchange : null;
            });

    @Test
    void shouldBeDueUntilItIsOver() {
        assertTrue(exchanges.isDue(exchange));
        exchange.end();
        assertFalse(exchanges.isDue(exchange));
    }

    @Test
    void shouldAwaitNothingOnceAllContentHasArrived() {
        exchange.onContentExpected();
        exchange.onContentEnd();
        assertFalse(exchange.isReceivingContent());
        assertFalse(exchange.isAwaitingContinue());
    }

    @Test
    void shouldKeepWhatTwoThreadsAttachAtTheSameTime() {
        List<Object> mine = owners();
        List<Object> theirs = owners();
        AtomicInteger ready = new AtomicInteger();
        Thread other = new Thread(() -> attach(theirs, ready));
        other.start();
        attach(mine, ready);
        Await.end(other);
        for (List<Object> owners : List.of(mine, theirs)) {
            owners.forEach(owner -> assertSame(owner, exchange.attachment(owner)));
        }
    }

    private static List<Object> owners() {
        return Stream.generate(Object::new).limit(2_000).toList();
    }

    private void attach(List<Object> owners, AtomicInteger ready) {
        ready.incrementAndGet();
        while (ready.get() < 2) {
            Thread.onSpinWait();
        }
        owners.forEach(owner -> exchange.attach(owner, owner));
    }
}
