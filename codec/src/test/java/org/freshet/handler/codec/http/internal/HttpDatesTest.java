package org.freshet.handler.codec.http.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.text.ParsePosition;
import java.time.Instant;
import java.util.Date;
import java.util.Random;
import org.freshet.handler.codec.http.HttpHeaderDateFormat;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpDatesTest {
    private static final Instant NOVEMBER = Instant.parse("1994-11-06T08:49:37Z");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sun, 06 Nov 1994 08:49:37 GMT",
                "Sunday, 06-Nov-94 08:49:37 GMT",
                "Sun Nov  6 08:49:37 1994",
                "Sun, 6 Nov 1994 08:49:37 GMT",
                "Sun, 06-Nov-1994 08:49:37 UTC",
                "06 Nov 1994 08:49:37 GMT",
                "Sun, 06 Nov 1994 09:49:37 +0100"
            })
    void shouldReadEachForm(String text) throws Exception {
        assertEquals(NOVEMBER, HttpDates.parse(text));
        assertEquals(Date.from(NOVEMBER), HttpHeaderDateFormat.get().parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "Sun, 06 Nov 1994",
                "Sun, 31 Jun 1994 08:49:37 GMT",
                "Sun, 06 Nov 1994 25:49:37 GMT",
                "Sun, 06 Nov 1994 08:49:37",
                "Sun, 06 Nov 1994 08:49:37 XYZ",
                "Sun, 06 Nov 194 08:49:37 GMT",
                "Sun, 06 Nov 1994 08:49:99 GMT"
            })
    void shouldReadNothingElse(String text) {
        assertNull(HttpDates.parse(text));
    }

    @Test
    void shouldWriteTheSameAsNetty3() {
        Random random = Seeds.random();
        for (int i = 0; i < 2000; i++) {
            Date date = new Date(Math.floorMod(random.nextLong(), 200L * 365 * 86_400_000));
            String expected = org.jboss.netty.handler.codec.http.HttpHeaderDateFormat.get()
                    .format(date);
            assertEquals(expected, HttpHeaderDateFormat.get().format(date));
            assertEquals(expected, HttpDates.format(date.getTime()));
            Instant read = HttpDates.parse(expected);
            assertNotNull(read, expected);
            assertEquals(date.getTime() / 1000, read.getEpochSecond());
        }
    }

    @Test
    void shouldReturnWhereADateEnds() {
        ParsePosition position = new ParsePosition(2);
        assertEquals(
                Date.from(NOVEMBER), HttpHeaderDateFormat.get().parse("> Sun, 06 Nov 1994 08:49:37 GMT; x", position));
        assertEquals(31, position.getIndex());

        ParsePosition nothing = new ParsePosition(0);
        assertNull(HttpHeaderDateFormat.get().parse("never", nothing));
        assertEquals(0, nothing.getErrorIndex());
    }
}
