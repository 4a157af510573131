package org.freshet.handler.codec.http.server.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.freshet.handler.codec.http.server.files.ByteRanges.Range;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The meaning of a {@code Range} header for content of 1000 bytes, unless stated otherwise. */
class ByteRangesTest {
    private static final int MAX_RANGES = 4;

    private static String describe(List<Range> ranges) {
        return ranges.stream().map(range -> range.first() + "-" + range.last()).collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bytes=0-0 | 0-0",
                "bytes=0-499 | 0-499",
                "bytes=500-999 | 500-999",
                "bytes=-500 | 500-999",
                "bytes=9-| 9-999",
                "bytes=0- | 0-999",
                "bytes=999- | 999-999",
                "bytes=-1 | 999-999",
                "bytes=-5000 | 0-999",
                "bytes=990-99999999999999999999999 | 990-999",
                "bytes=-99999999999999999999999 | 0-999",
                "BYTES=1-2 | 1-2",
                "bytes= 1-2 | 1-2",
                "bytes=0-0,500-501 | 0-0 500-501",
                "bytes=500-501 , 0-0 | 500-501 0-0", // in the order requested
                "bytes=,0-0,, | 0-0",
                "bytes=0-99,50-149 | 0-149", // overlapping
                "bytes=50-149,0-99 | 0-149",
                "bytes=0-99,100-199 | 0-199", // adjacent
                "bytes=0-99,180-199 | 0-199", // the gap is shorter than the head of a part
                "bytes=0-9,900-909,5-6 | 0-9 900-909",
                "bytes=900-909,0-9,905-950 | 900-950 0-9",
                "bytes=0-999,0-999,0-999,0-999 | 0-999",
                "bytes=0-0,5000-6000 | 0-0",
                "bytes=0-0,-0 | 0-0",
                "bytes=0-,-1 | 0-999",
            })
    void shouldReadRanges(String header, String expected) {
        assertEquals(expected, describe(ByteRanges.parse(header, 1000, MAX_RANGES)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"bytes=1000-", "bytes=1000-2000", "bytes=-0", "bytes=5000-,-0", "bytes=99999999999999999999-"})
    void shouldFindRangesThatCannotBeSatisfied(String header) {
        assertEquals(List.of(), ByteRanges.parse(header, 1000, MAX_RANGES));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "bytes",
                "bytes=",
                "bytes=,",
                "bytes=-",
                "bytes=a-b",
                "bytes=1",
                "bytes=5-4",
                "bytes=1-2-3",
                "bytes=--1",
                "bytes=+1-2",
                "bytes=1 - 2",
                "bytes=0x1-2",
                "bytes=0-1;2-3",
                "items=0-1",
                "lines=1-2",
                "bytes=0-1,x",
                "0-1",
                "=0-1",
                "bytes=0-0,1-1,2-2,3-3,4-4"
            })
    void shouldIgnoreMalformedOrExcessiveRanges(String header) {
        assertNull(ByteRanges.parse(header, 1000, MAX_RANGES));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=0-", "bytes=-1", "bytes=5-6"})
    void shouldIgnoreRangesOfEmptyContent(String header) {
        assertNull(ByteRanges.parse(header, 0, MAX_RANGES));
    }

    @Test
    void shouldNeverReturnMoreThanTheWholeContent() {
        String many =
                IntStream.range(0, 500).mapToObj(i -> "0-" + (999 - i % 2)).collect(Collectors.joining(","));
        assertEquals("0-999", describe(ByteRanges.parse("bytes=" + many, 1000, 1000)));
        String apart =
                IntStream.range(0, 9).mapToObj(i -> i * 110 + "-" + i * 110).collect(Collectors.joining(","));
        long sum = ByteRanges.parse("bytes=" + apart, 1000, 1000).stream()
                .mapToLong(Range::length)
                .sum();
        assertTrue(sum <= 1000, "bytes: " + sum);
    }
}
