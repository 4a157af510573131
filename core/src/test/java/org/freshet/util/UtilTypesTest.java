package org.freshet.util;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Types of the package that need only a test or two. */
class UtilTypesTest {
    @Test
    void shouldNameTheCharsetsOfEveryJvm() {
        List<Charset> named = List.of(
                CharsetUtil.UTF_8,
                CharsetUtil.UTF_16,
                CharsetUtil.UTF_16BE,
                CharsetUtil.UTF_16LE,
                CharsetUtil.ISO_8859_1,
                CharsetUtil.US_ASCII);
        assertEquals(
                List.of("UTF-8", "UTF-16", "UTF-16BE", "UTF-16LE", "ISO-8859-1", "US-ASCII"),
                named.stream().map(Charset::name).toList());
    }

    @Test
    void shouldReplaceUnencodableText() throws Exception {
        assertEquals(
                ByteBuffer.wrap("a?b?".getBytes(StandardCharsets.US_ASCII)),
                CharsetUtil.getEncoder(CharsetUtil.US_ASCII).encode(CharBuffer.wrap("a\u00e4b\ud800")));
        assertEquals(
                "a\ufffdb",
                CharsetUtil.getDecoder(CharsetUtil.UTF_8)
                        .decode(ByteBuffer.wrap(new byte[] {'a', (byte) 0xff, 'b'}))
                        .toString());
        assertNotSame(CharsetUtil.getEncoder(CharsetUtil.UTF_8), CharsetUtil.getEncoder(CharsetUtil.UTF_8));
    }

    @Test
    void shouldReleaseAllInOrderEvenIfSomeThrow() {
        List<String> released = new ArrayList<>();
        IllegalStateException first = new IllegalStateException("first");
        IllegalStateException second = new IllegalStateException("second");
        IllegalStateException thrown = assertThrows(
                IllegalStateException.class,
                () -> ExternalResourceUtil.release(
                        () -> released.add("a"),
                        () -> {
                            throw first;
                        },
                        () -> released.add("b"),
                        () -> {
                            throw second;
                        },
                        () -> {
                            throw first;
                        },
                        () -> released.add("c")));
        assertEquals(List.of("a", "b", "c"), released);
        assertSame(first, thrown);
        assertEquals(List.of(second), List.of(thrown.getSuppressed()));
    }

    @Test
    void shouldReleaseNothingIfOneIsNull() {
        List<String> released = new ArrayList<>();
        NullPointerException missing = assertThrows(
                NullPointerException.class, () -> ExternalResourceUtil.release(() -> released.add("a"), null));
        assertEquals("releasables[1]", missing.getMessage());
        assertEquals(List.of(), released);
        ExternalResourceUtil.release();
    }

    /** Surefire runs the tests in the module's directory. */
    @Test
    void shouldBeTheVersionOfTheBuild() throws Exception {
        String pom = Files.readString(Path.of("pom.xml"));
        assertTrue(pom.contains("<version>" + Version.ID + "</version>"), "not the version of pom.xml: " + Version.ID);
    }

    @Test
    void shouldPrintItsVersion() {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            Version.main(new String[0]);
        } finally {
            System.setOut(before);
        }
        assertEquals("Freshet " + Version.ID + System.lineSeparator(), printed.toString(StandardCharsets.UTF_8));
    }
}
