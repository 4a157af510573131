package org.freshet.handler.codec.http.internal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.util.Locale;
import java.util.Random;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

class KnownNamesTest {
    @Test
    void shouldKnowEveryNameOfHttpHeadersInAnySpelling() throws Exception {
        for (Field field : HttpHeaders.Names.class.getFields()) {
            String name = (String) field.get(null);
            int key = KnownNames.key(name);
            assertTrue(key >= 0, name);
            assertEquals(name, KnownNames.name(key));
            assertEquals(key, KnownNames.key(name.toLowerCase(Locale.ROOT)));
            assertEquals(key, KnownNames.key(name.toUpperCase(Locale.ROOT)));
            assertEquals(key, keyOfBytes(name));
            assertEquals(key, keyOfBytes(name.toUpperCase(Locale.ROOT)));
        }
    }

    @Test
    void shouldKnowNoNameThatDiffersInMoreThanTheCaseOfALetter() throws Exception {
        for (Field field : HttpHeaders.Names.class.getFields()) {
            byte[] name = ((String) field.get(null)).getBytes(ISO_8859_1);
            int key = KnownNames.key((String) field.get(null));
            for (int bit = 0; bit < name.length * 8; bit++) {
                name[bit / 8] = (byte) (name[bit / 8] ^ 1 << bit % 8);
                String changed = new String(name, ISO_8859_1);
                boolean sameName = changed.equalsIgnoreCase((String) field.get(null));
                assertEquals(sameName, changed.indexOf(':') < 0 && keyOfBytes(changed) == key, changed);
                name[bit / 8] = (byte) (name[bit / 8] ^ 1 << bit % 8);
            }
        }
    }

    @Test
    void shouldProvideTheKeysThatDecodersActUpon() {
        assertEquals(KnownNames.CONTENT_LENGTH, KnownNames.key("content-length"));
        assertEquals(KnownNames.TRANSFER_ENCODING, KnownNames.key("Transfer-Encoding"));
        assertEquals(KnownNames.HOST, KnownNames.key("HOST"));
        assertEquals(KnownNames.CONNECTION, KnownNames.key("Connection"));
        assertEquals(KnownNames.EXPECT, KnownNames.key("Expect"));
        assertEquals(KnownNames.UPGRADE, KnownNames.key("Upgrade"));
        assertEquals(KnownNames.TRAILER, KnownNames.key("Trailer"));
        assertEquals(KnownNames.SEC_WEBSOCKET_ORIGIN, KnownNames.key("sec-websocket-origin"));
        assertEquals(KnownNames.FRAMING_KEYS, KnownNames.SEC_WEBSOCKET_ORIGIN + 1);
    }

    @Test
    void shouldGiveUnknownNamesNegativeKeysThatDoNotDependOnCase() {
        Random random = Seeds.random();
        for (int i = 0; i < 2000; i++) {
            String name = "X"
                    + random.ints(random.nextInt(30), 'a', 'z' + 1)
                            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append);
            int key = KnownNames.key(name);
            assertTrue(key < 0);
            assertEquals(key, KnownNames.key(name.toUpperCase(Locale.ROOT)));
            assertEquals(key, keyOfBytes(name), name);
        }
    }

    @Test
    void shouldCreateNoStringForAKnownNameInItsUsualSpelling() {
        byte[] bytes = "xxContent-Length: 5".getBytes(ISO_8859_1);
        assertSame("Content-Length", KnownNames.name(KnownNames.CONTENT_LENGTH, bytes, 2, 16));
        byte[] lower = "content-length".getBytes(ISO_8859_1);
        assertEquals("content-length", KnownNames.name(KnownNames.CONTENT_LENGTH, lower, 0, 14));
    }

    @Test
    void shouldReportThatThereIsNoColon() {
        byte[] bytes = "Content-Length and more:".getBytes(ISO_8859_1);
        for (int to = 0; to < bytes.length; to++) {
            assertEquals(-1, KnownNames.hashUpToColon(bytes, 0, to));
        }
    }

    /** At every distance from the end of the array, because whole words are read where there is room. */
    private static int keyOfBytes(String name) {
        int first = 0;
        for (int room = 0; room < 10; room++) {
            byte[] bytes = ("###" + name + ':' + "x".repeat(room)).getBytes(ISO_8859_1);
            long found = KnownNames.hashUpToColon(bytes, 3, bytes.length);
            assertEquals(3 + name.length(), (int) (found >>> 32));
            int key = KnownNames.key(bytes, 3, 3 + name.length(), (int) found);
            assertTrue(room == 0 || key == first);
            first = key;
        }
        return first;
    }
}
