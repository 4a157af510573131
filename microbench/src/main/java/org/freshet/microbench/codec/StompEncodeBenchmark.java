package org.freshet.microbench.codec;

import java.util.concurrent.TimeUnit;
import org.freshet.microbench.JvmFlags;
import org.freshet.microbench.Library;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does it cost to encode an existing STOMP 1.2 frame, without the pipeline around the encoder? If {@code escapes}
 * is set, one header value contains a character that needs an escape. Freshet's buffer is an array of the frame's
 * length and the object that wraps it; {@code -prof gc} shows whether there is more.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {
            JvmFlags.MIN_HEAP,
            JvmFlags.MAX_HEAP,
            JvmFlags.COLLECTOR,
            Netty4Threads.CUSTOM,
            Netty4Threads.CLASS
        })
public class StompEncodeBenchmark {
    /** Encodes the same frame again and returns its number of bytes. */
    interface Encoding {
        int encode() throws Exception;
    }

    @Param({"FRESHET", "NETTY4"})
    public Library library;

    @Param({"5", "20"})
    public int headers;

    @Param({"0", "100", "1000"})
    public int contentLength;

    @Param({"false", "true"})
    public boolean escapes;

    private Encoding encoding;

    @Setup
    public void makeEncoder() throws Exception {
        String[] texts = texts();
        encoding = library == Library.FRESHET
                ? new FreshetStomp(texts, new byte[contentLength])
                : new Netty4Stomp(texts, new byte[contentLength]);
        int expected = expectedLength(texts);
        if (encoding.encode() != expected) {
            throw new IllegalStateException(library + ": " + encoding.encode() + " bytes, not " + expected);
        }
    }

    /** Names, each followed by its value; the first is the length of the content. */
    private String[] texts() {
        String[] texts = new String[2 * headers];
        texts[0] = "content-length";
        texts[1] = Integer.toString(contentLength);
        for (int i = 1; i < headers; i++) {
            texts[2 * i] = "header-name-" + i;
            texts[2 * i + 1] = "/queue/of/some/value/" + i;
        }
        if (escapes) {
            texts[3] = "tcp://host:" + headers;
        }
        return texts;
    }

    private int expectedLength(String... texts) {
        int length = "MESSAGE\n\n\0".length() + contentLength + (escapes ? 2 : 0);
        for (String text : texts) {
            length += text.length() + 1;
        }
        return length;
    }

    @Benchmark
    public int encode() throws Exception {
        return encoding.encode();
    }
}
