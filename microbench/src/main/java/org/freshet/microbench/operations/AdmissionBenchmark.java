package org.freshet.microbench.operations;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.AcceptGuard;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.ServerChannel;
import org.freshet.channel.ServerChannelFactory;
import org.freshet.internal.accept.AcceptLimits;
import org.freshet.internal.accept.AcceptPermit;
import org.freshet.microbench.JvmFlags;
import org.freshet.microbench.channel.FreshetChannel;
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
 * What does an {@link AcceptGuard} cost per connection, from before the accept to its end? Peers have
 * {@value #ADDRESSES} addresses in rotation. Half of them always have a connection open; the others come and go.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class AdmissionBenchmark {
    private static final int ADDRESSES = 1_024;

    private final InetAddress[] peers = new InetAddress[ADDRESSES];
    private int next;
    private AcceptLimits admission;

    @Param
    public Limits limits;

    @Param
    public AcceptGuard.WhenFull whenFull;

    /** The limits that the guard checks. Addresses are always counted, because a limit may be set later. */
    public enum Limits {
        CONNECTIONS,
        CONNECTIONS_AND_ADDRESSES,
        ALL;

        AcceptGuard.Builder set(AcceptGuard.Builder guard) {
            guard.maxConnections(1_000_000);
            if (this != CONNECTIONS) {
                guard.perAddress(100);
            }
            if (this == ALL) {
                guard.perSecond(1_000_000, 1_000_000_000).exempt("192.0.2.0/24").exempt("2001:db8::/32");
            }
            return guard;
        }
    }

    /** A server that has the guard and accepts nothing. */
    private static final class Server extends FreshetChannel implements ServerChannel, AcceptLimits.Owner {
        private final AcceptLimits limits = new AcceptLimits();

        Server(ChannelPipeline pipeline) {
            super(pipeline);
            Channels.fireChannelOpen(this);
        }

        @Override
        public AcceptLimits limits() {
            return limits;
        }
    }

    /** Creates such servers. */
    private record Servers() implements ServerChannelFactory {
        @Override
        public Server newChannel(ChannelPipeline pipeline) {
            return new Server(pipeline);
        }

        @Override
        public void shutdown() {
            // There are no threads.
        }

        @Override
        public void releaseExternalResources() {
            shutdown();
        }
    }

    @Setup
    public void admitHalfOfThem() throws UnknownHostException {
        for (int i = 0; i < ADDRESSES; i++) {
            peers[i] = InetAddress.getByAddress(new byte[] {10, 0, (byte) (i >> 8), (byte) i});
        }
        ServerBootstrap bootstrap = new ServerBootstrap(new Servers());
        bootstrap.setAcceptGuard(
                limits.set(AcceptGuard.builder()).whenFull(whenFull).build());
        admission = ((Server) bootstrap.bind(new InetSocketAddress(0))).limits();
        for (int i = 0; i < ADDRESSES; i += 2) {
            AcceptPermit permit = admission.newPermit();
            if (permit.reserve() != 0 || permit.admit(peers[i]) != null) {
                throw new IllegalStateException("a connection was refused");
            }
        }
    }

    @Benchmark
    public boolean admit() {
        next = (next + 1) % ADDRESSES;
        AcceptPermit permit = admission.newPermit();
        boolean isAdmitted = permit.reserve() == 0 && permit.admit(peers[next]) == null;
        permit.release();
        return isAdmitted;
    }
}
