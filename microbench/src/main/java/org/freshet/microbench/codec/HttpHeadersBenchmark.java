package org.freshet.microbench.codec;

import java.util.Map;
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
 * What do header maps cost: creating one and setting two headers, looking up five of {@link #size}, iterating over all
 * of them?
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 4, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class HttpHeadersBenchmark {
    private static final String[] ASKED = {"Content-Length", "Host", "Connection", "Accept-Encoding", "Cookie"};

    /** A header map of some library. */
    private interface Headers {
        Headers anew();

        void set(String name, Object value);

        String get(String name);

        Iterable<Map.Entry<String, String>> all();
    }

    @Param
    public Library library;

    @Param({"3", "30"})
    public int size;

    private Headers headers;

    @Setup
    public void fill() {
        headers = switch (library) {
            case FRESHET -> new OfFreshet();
            case NETTY3 -> new OfNetty3();
            case NETTY4 -> new OfNetty4();
        };
        for (int i = 0; i < size; i++) {
            headers.set(i < HttpTraffic.NAMES.length ? HttpTraffic.NAMES[i] : "X-Header-" + i, "value " + i);
        }
    }

    @Benchmark
    public Object setTwo() {
        Headers made = headers.anew();
        made.set("Content-Type", "text/plain");
        made.set("Content-Length", "13");
        return made;
    }

    @Benchmark
    public int getFive() {
        int found = 0;
        for (String name : ASKED) {
            found += headers.get(name) == null ? 0 : 1;
        }
        return found;
    }

    @Benchmark
    public int iterate() {
        int chars = 0;
        for (Map.Entry<String, String> header : headers.all()) {
            chars += header.getKey().length() + header.getValue().length();
        }
        return chars;
    }

    private static final class OfFreshet implements Headers {
        private final org.freshet.handler.codec.http.HttpHeaders map =
                new org.freshet.handler.codec.http.DefaultHttpHeaders();

        @Override
        public Headers anew() {
            return new OfFreshet();
        }

        @Override
        public void set(String name, Object value) {
            map.set(name, value);
        }

        @Override
        public String get(String name) {
            return map.get(name);
        }

        @Override
        public Iterable<Map.Entry<String, String>> all() {
            return map;
        }
    }

    private static final class OfNetty3 implements Headers {
        private final org.jboss.netty.handler.codec.http.HttpHeaders map =
                new org.jboss.netty.handler.codec.http.DefaultHttpHeaders();

        @Override
        public Headers anew() {
            return new OfNetty3();
        }

        @Override
        public void set(String name, Object value) {
            map.set(name, value);
        }

        @Override
        public String get(String name) {
            return map.get(name);
        }

        @Override
        public Iterable<Map.Entry<String, String>> all() {
            return map;
        }
    }

    private static final class OfNetty4 implements Headers {
        private final io.netty.handler.codec.http.HttpHeaders map =
                new io.netty.handler.codec.http.DefaultHttpHeaders();

        @Override
        public Headers anew() {
            return new OfNetty4();
        }

        @Override
        public void set(String name, Object value) {
            map.set(name, value);
        }

        @Override
        public String get(String name) {
            return map.get(name);
        }

        @Override
        public Iterable<Map.Entry<String, String>> all() {
            return map;
        }
    }
}
