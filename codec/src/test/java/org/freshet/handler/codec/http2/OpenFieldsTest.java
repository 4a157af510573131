package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The exact limits on the fields of open requests: of one connection, and of all together. */
class OpenFieldsTest {
    private static final int MOST = 3 * OpenFields.SHARE;

    private final OpenFields.Ceiling ceiling = new OpenFields.Ceiling(1_000);

    private OpenFields connection() {
        return new OpenFields(ceiling, MOST);
    }

    private static Stream take(OpenFields connection, int octets) {
        Stream stream = new Stream(null, 0);
        connection.take(stream, octets);
        return stream;
    }

    @Test
    void shouldAlwaysAllowOneRequest() {
        OpenFields fields = connection();
        assertTrue(fields.hasRoom(10 * MOST, 0));
        assertTrue(fields.isWithinOwnLimit(10 * MOST));
        take(fields, 10 * MOST);
        assertFalse(fields.hasRoom(1, 0));
        assertFalse(fields.isWithinOwnLimit(1));
        assertTrue(fields.hasRoom(10 * MOST, 10 * MOST), "in place of the other one");
        assertFalse(fields.hasRoom(MOST, 10 * MOST - 1), "there is still another one");
    }

    @Test
    void shouldNotExceedTheLimitOfTheConnection() {
        OpenFields fields = new OpenFields(new OpenFields.Ceiling(Long.MAX_VALUE), MOST);
        take(fields, MOST - 10);
        assertTrue(fields.hasRoom(10, 0) && fields.isWithinOwnLimit(10));
        assertFalse(fields.hasRoom(11, 0) || fields.isWithinOwnLimit(11));
        assertTrue(fields.hasRoom(11, 1));
        assertFalse(fields.hasRoom(12, 1));
    }

    @Test
    void shouldCountWhatExceedsTheShareTowardsTheCeiling() {
        OpenFields fields = connection();
        take(fields, OpenFields.SHARE);
        assertEquals(0, ceiling.octets());
        assertTrue(fields.hasRoom(1_000, 0));
        assertFalse(fields.hasRoom(1_001, 0));
        assertTrue(fields.isWithinOwnLimit(1_001), "other connections are the reason");
        Stream above = take(fields, 600);
        assertEquals(600, ceiling.octets());

        OpenFields other = connection();
        take(other, OpenFields.SHARE - 100);
        assertTrue(other.hasRoom(500, 0));
        assertFalse(other.hasRoom(501, 0));
        fields.release(above);
        assertEquals(0, ceiling.octets());
        assertTrue(other.hasRoom(1_100, 0));
        assertFalse(other.hasRoom(1_101, 0));
    }

    /** What doesn't take more from the ceiling is allowed even if others have exceeded it. */
    @Test
    void shouldKeepItsShareHoweverMuchOthersHold() {
        OpenFields greedy = connection();
        take(greedy, 2 * OpenFields.SHARE);
        assertTrue(ceiling.octets() > 1_000);
        OpenFields modest = connection();
        take(modest, 1);
        assertTrue(modest.hasRoom(OpenFields.SHARE - 1, 0));
        assertFalse(modest.hasRoom(OpenFields.SHARE, 0));
        assertTrue(greedy.hasRoom(100, 100), "as much as is released");
        assertFalse(greedy.hasRoom(101, 100));
    }

    @Test
    void shouldReleaseEachRequestOnce() {
        OpenFields fields = connection();
        Stream first = take(fields, OpenFields.SHARE);
        Stream second = take(fields, 300);
        assertEquals(OpenFields.SHARE + 300, fields.octets());
        fields.release(second);
        fields.release(second);
        assertEquals(OpenFields.SHARE, fields.octets());
        assertEquals(0, second.fieldOctets());
        fields.release(first);
        assertEquals(0, fields.octets());
        assertEquals(0, ceiling.octets());
    }
}
