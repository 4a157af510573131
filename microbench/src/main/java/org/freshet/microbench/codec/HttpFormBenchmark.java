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
 * What does it cost to decode a form: a file of 100 MiB in pieces of 64 KiB, whose content is counted and dropped; or
 * 900 url-encoded fields, whose values are read? The result is the time of the whole form.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
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
public class HttpFormBenchmark {
    /** Decodes the form once; returns the size of its file or the number of fields. */
    interface Forms {
        long decode() throws Exception;
    }

    @Param({"FRESHET", "NETTY4"})
    public Library library;

    @Param
    public FormTraffic form;

    private Forms forms;

    @Setup
    public void makeForms() throws Exception {
        forms = library == Library.FRESHET ? new FreshetForms(form) : new Netty4Forms(form);
        long decoded = forms.decode();
        if (decoded != form.expected()) {
            throw new IllegalStateException(library + ": " + decoded);
        }
    }

    @Benchmark
    public long decode() throws Exception {
        return forms.decode();
    }
}
