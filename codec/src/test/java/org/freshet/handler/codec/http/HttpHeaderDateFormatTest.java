package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.Date;
import java.util.TimeZone;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The format is the same wherever the program runs, and each thread has its own. */
class HttpHeaderDateFormatTest {
    private final HttpHeaderDateFormat format = HttpHeaderDateFormat.get();

    @AfterEach
    void restoreTheTimeZone() {
        format.setTimeZone(TimeZone.getTimeZone("GMT"));
    }

    @Test
    void shouldBelongToItsThread() throws Exception {
        assertSame(format, HttpHeaderDateFormat.get());
        HttpHeaderDateFormat other =
                CompletableFuture.supplyAsync(HttpHeaderDateFormat::get).get(30, TimeUnit.SECONDS);
        assertNotSame(format, other);
    }

    @Test
    void shouldBeInGmt() {
        assertEquals("GMT", format.getTimeZone().getID());
        format.setTimeZone(TimeZone.getTimeZone("Asia/Tokyo"));
        assertEquals("Thu, 01 Jan 1970 00:00:00 GMT", format.format(new Date(0)));
    }
}
