package org.freshet.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Proxy;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.freshet.channel.Channel;
import org.freshet.channel.Channels;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.channel.local.DefaultLocalServerChannelFactory;
import org.freshet.channel.local.LocalAddress;
import org.freshet.internal.transport.AcceptedChannels;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

class DrainRunTest {
    /** A server channel that closes immediately and has accepted these connections. */
    private static Channel serverOf(CompletableFuture<List<Channel>> accepted) {
        return (Channel) Proxy.newProxyInstance(
                DrainRunTest.class.getClassLoader(),
                new Class<?>[] {Channel.class, AcceptedChannels.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "acceptedChannels" -> accepted;
                    case "close" -> Channels.succeededFuture((Channel) proxy);
                    case "hashCode" -> 1;
                    case "equals" -> proxy == arguments[0];
                    case "toString" -> "a server";
                    default -> throw new UnsupportedOperationException(method.toString());
                });
    }

    /** A connection on which nothing but close works. */
    private static Channel broken() {
        return broken(() -> null);
    }

    private static Channel broken(Supplier<SocketAddress> remoteAddress) {
        return (Channel) Proxy.newProxyInstance(
                DrainRunTest.class.getClassLoader(),
                new Class<?>[] {Channel.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getId" -> 7;
                    case "close" -> Channels.succeededFuture((Channel) proxy);
                    case "getRemoteAddress" -> remoteAddress.get();
                    case "hashCode" -> 7;
                    case "equals" -> proxy == arguments[0];
                    case "toString" -> "a broken connection";
                    default -> throw new OutOfMemoryError("for this test");
                });
    }

    private static DrainReport drain(Drain drain) {
        return Await.result(drain.quietPeriod(Duration.ZERO).start(), "the report");
    }

    @Test
    void shouldDrainTheConnectionsAfterOneThatFails() {
        MemoryChannel whole = MemoryChannel.connected(new SimpleChannelHandler());
        Channel server = serverOf(CompletableFuture.completedFuture(List.of(broken(), whole)));
        DrainReport report = drain(Drain.ofServers(List.of(server)));
        assertFalse(whole.isOpen());
        assertEquals(1, report.idle());
        assertEquals(
                "[0x00000007, null] not drained: java.lang.OutOfMemoryError: for this test",
                report.cutOff().get(0).toString());
    }

    @Test
    void shouldReportWhenAServerCannotListItsConnections() {
        MemoryChannel whole = MemoryChannel.connected(new SimpleChannelHandler());
        Channel failing = serverOf(CompletableFuture.failedFuture(new IllegalStateException("for this test")));
        Channel server = serverOf(CompletableFuture.completedFuture(List.of(whole)));
        assertEquals(1, drain(Drain.ofServers(List.of(failing, server))).connections());
        assertFalse(whole.isOpen());
    }

    @Test
    void shouldDrainServersBoundAfterItWasCreated() {
        ServerBootstrap bootstrap = new ServerBootstrap(new DefaultLocalServerChannelFactory());
        Drain drain = Drain.of(bootstrap);
        Channel server = bootstrap.bind(new LocalAddress("drain-run-test"));
        drain(drain);
        assertFalse(server.isOpen());
        bootstrap.releaseExternalResources();
    }

    @Test
    void shouldEventuallyReportEvenIfMemoryForTheReportRanOut() {
        AtomicInteger tries = new AtomicInteger();
        Channel scarce = broken(() -> {
            if (tries.getAndIncrement() < 2) {
                throw new OutOfMemoryError("for this test");
            }
            return null;
        });
        Channel server = serverOf(CompletableFuture.completedFuture(List.of(scarce)));
        try (CapturedLog log = CapturedLog.start()) {
            assertEquals(1, drain(Drain.ofServers(List.of(server))).cutOff().size());
            assertFalse(log.messages(InternalLogLevel.WARN).isEmpty());
        }
        assertEquals(3, tries.get());
    }

    @Test
    void shouldFailAReportThatCannotBeCreated() {
        Channel nameless = broken(() -> {
            throw new IllegalStateException("for this test");
        });
        Channel server = serverOf(CompletableFuture.completedFuture(List.of(nameless)));
        CompletableFuture<DrainReport> report =
                Drain.ofServers(List.of(server)).quietPeriod(Duration.ZERO).start();
        ExecutionException failed =
                assertThrows(ExecutionException.class, () -> report.get(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS));
        assertEquals("for this test", failed.getCause().getMessage());
    }
}
