package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.ref.WeakReference;
import org.freshet.testing.Await;
import org.junit.jupiter.api.Test;

/** What a connection that lives long doesn't keep. */
class ExchangeReleaseTest {
    private static final String GET = "GET / HTTP/1.1\r\n\r\n";

    private final HttpServerCodec codec = new HttpServerCodec();
    private final HttpTestServer server = new HttpTestServer(codec);

    private WeakReference<Exchange> answered() {
        server.receive(GET);
        WeakReference<Exchange> current = new WeakReference<>(codec.exchanges().current());
        server.answer(HttpResponseStatus.OK, "");
        return current;
    }

    @Test
    void shouldKeepNoExchangeBeforeTheNewest() {
        WeakReference<Exchange> first = answered();
        server.receive(GET);
        Exchange second = codec.exchanges().newest();
        assertSame(second, codec.exchanges().current());
        Await.until(
                () -> {
                    System.gc();
                    return first.refersTo(null);
                },
                "the collection of an exchange that is over");
        assertSame(second, codec.exchanges().current());
    }
}
