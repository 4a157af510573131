package org.freshet.microbench.util;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import org.freshet.microbench.JvmFlags;
import org.freshet.util.NetUtil;
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
 * What does it cost to write an IPv6 address as RFC 5952 recommends, and to read one? The JDK does not abbreviate
 * zeros.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class AddressTextBenchmark {
    @Param({"::1", "2001:db8::8a2e:370:7334", "fe80:1:2:3:4:5:6:7", "::ffff:192.0.2.128"})
    public String text;

    private InetAddress address;

    @Setup
    public void parse() throws UnknownHostException {
        // From the bytes, because the JDK turns the text of a mapped address into an IPv4 address.
        address = java.net.Inet6Address.getByAddress(null, NetUtil.createByteArrayFromIpAddressString(text), -1);
        if (!write().equals(text) || !writeNetty4().equals(text)) {
            throw new IllegalStateException(write() + " and " + writeNetty4() + " instead of " + text);
        }
    }

    @Benchmark
    public String write() {
        return NetUtil.toAddressString(address, true);
    }

    @Benchmark
    public String writeNetty3() {
        return org.jboss.netty.util.NetUtil.toAddressString(address, true);
    }

    @Benchmark
    public String writeNetty4() {
        return io.netty.util.NetUtil.toAddressString(address, true);
    }

    @Benchmark
    public String writeJdk() {
        return address.getHostAddress();
    }

    @Benchmark
    public byte[] read() {
        return NetUtil.createByteArrayFromIpAddressString(text);
    }

    @Benchmark
    public byte[] readNetty3() {
        return org.jboss.netty.util.NetUtil.createByteArrayFromIpAddressString(text);
    }

    @Benchmark
    public byte[] readNetty4() {
        return io.netty.util.NetUtil.createByteArrayFromIpAddressString(text);
    }
}
