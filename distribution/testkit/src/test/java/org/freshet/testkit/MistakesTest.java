package org.freshet.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.junit.jupiter.api.Test;

/** Mistakes in tests and in pipelines that would otherwise go unnoticed, or end in a message that doesn't help. */
class MistakesTest {
    private static final int PORT = 7;

    /** A server that does something for each request. */
    private static String failureOf(BiConsumer<SimulatedNetwork, Channel> answer, Runnable... perRun) {
        SeedSearch.Found found = search(answer, perRun);
        assertNotNull(found, "nothing was found");
        return found.report("-Dseed=", 5).getMessage();
    }

    /** Returns null if no seed fails. */
    private static SeedSearch.Found search(BiConsumer<SimulatedNetwork, Channel> answer, Runnable... perRun) {
        return new SeedSearch(
                        network -> {
                            List.of(perRun).forEach(Runnable::run);
                            network.server(PORT, () -> Channels.pipeline(new Answering(network, answer)));
                            network.clients(
                                    1,
                                    PORT,
                                    client -> client.send("a")
                                            .expectText(text -> text.endsWith("."))
                                            .close());
                            network.faults(Faults.none());
                            network.run();
                        },
                        50)
                .search(0, 3);
    }

    private static void assertContains(String part, String text) {
        assertTrue(text.contains(part), text);
    }

    private static void write(Channel channel, String text) {
        channel.write(ChannelBuffers.copiedBuffer(text, StandardCharsets.US_ASCII));
    }

    private static final class Answering extends SimpleChannelUpstreamHandler {
        private final SimulatedNetwork network;
        private final BiConsumer<SimulatedNetwork, Channel> answer;

        Answering(SimulatedNetwork network, BiConsumer<SimulatedNetwork, Channel> answer) {
            this.network = network;
            this.answer = answer;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            answer.accept(network, e.getChannel());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            e.getChannel().close();
        }
    }

    // ---- in the test ------------------------------------------------------------------------------------------------

    @Test
    void shouldFailATestThatNeverRunsItsNetwork() {
        SeedSearch.Found found = new SeedSearch(
                        network -> network.server(PORT, () -> Channels.pipeline(new SimulatedNetworkTest.Echo())), 0)
                .search(0, 1);
        assertNotNull(found);
        assertContains("has not called run()", found.shortest().failure().getMessage());
    }

    @SimulationTest(seeds = 1)
    void shouldRefuseStepsThatWouldNeverRun(SimulatedNetwork network) {
        network.server(PORT, () -> Channels.pipeline(new SimulatedNetworkTest.Echo()));
        for (String last : List.of("close", "reset", "vanish")) {
            IllegalStateException refused = assertThrows(
                    IllegalStateException.class,
                    () -> network.clients(1, PORT, client -> {
                        switch (last) {
                            case "close" -> client.close();
                            case "reset" -> client.reset();
                            default -> client.vanish();
                        }
                        client.expect("never");
                    }));
            assertContains("no step can follow " + last + "()", refused.getMessage());
        }
        network.run();
    }

    @Test
    void shouldEscapeControlCharacters() {
        String message = failureOf((network, channel) -> write(channel, "\0\u001b[2J\r\n"));
        assertContains("received 7 bytes: \"\\x00\\x1b[2J\\r\\n\"", message);
    }

    // ---- in the pipeline --------------------------------------------------------------------------------------------

    @Test
    void shouldFailIfAListenerThrows() {
        String message = failureOf(
                (network, channel) -> channel.write(ChannelBuffers.copiedBuffer(".", StandardCharsets.US_ASCII))
                        .addListener(written -> {
                            throw new IllegalStateException("in a listener");
                        }));
        assertContains("threw java.lang.IllegalStateException: in a listener", message);
    }

    @Test
    void shouldFailIfATaskThrows() {
        String message = failureOf((network, channel) -> {
            write(channel, ".");
            channel.getPipeline().execute(() -> {
                throw new IllegalStateException("in a task");
            });
        });
        assertContains("threw java.lang.IllegalStateException: in a task", message);
    }

    @Test
    void shouldShowAnUnobservedTaskThatThrewBesidesAnotherFailure() {
        SeedSearch.Found found = search((network, channel) -> {
            channel.getPipeline().execute(() -> {
                throw new IllegalStateException("in a task");
            });
            throw new UnsupportedOperationException("in a handler");
        });
        Throwable failure = found.shortest().failure();
        assertContains("threw java.lang.UnsupportedOperationException: in a handler", failure.getMessage());
        assertEquals("in a task", failure.getSuppressed()[0].getMessage());
    }

    @Test
    void shouldShowWhatAFactoryOfAClientThrows() {
        IllegalArgumentException thrown = new IllegalArgumentException("in a factory");
        assertEquals(thrown, failureOfClient(() -> {
            throw thrown;
        }));
        SocketException noSocket = new SocketException("in a factory");
        assertEquals(noSocket, failureOfClient(() -> {
            throw noSocket;
        }));
    }

    @Test
    void shouldShowThatAClientTakesTheNameOfTheKitsHandler() {
        Throwable thrown = failureOfClient(() -> {
            ChannelPipeline pipeline = Channels.pipeline();
            pipeline.addLast("freshet-testkit", new SimulatedNetworkTest.Echo());
            return pipeline;
        });
        assertContains("freshet-testkit", thrown.getMessage());
    }

    /** Returns what was thrown first. */
    private static Throwable failureOfClient(ChannelPipelineFactory client) {
        AtomicInteger runs = new AtomicInteger();
        SeedSearch.Found found = new SeedSearch(
                        network -> {
                            runs.incrementAndGet();
                            network.server(PORT, () -> Channels.pipeline(new SimulatedNetworkTest.Echo()));
                            network.client(PORT, client, connected -> {});
                            network.faults(Faults.none());
                            network.run();
                        },
                        0)
                .search(0, 1);
        assertNotNull(found, "nothing was found");
        assertEquals(1, runs.get());
        Throwable cause = found.shortest().failure();
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    @Test
    void shouldNameAThreadThatComesAfterTheRun() {
        String message = failureOf((network, channel) -> CompletableFuture.runAsync(
                () -> write(channel, "."), CompletableFuture.delayedExecutor(30, TimeUnit.MILLISECONDS)));
        assertContains("uses the simulated network, but no seed determines when", message);
    }

    @Test
    void shouldShowWhereTwoRunsDifferWithoutShrinking() {
        AtomicInteger runs = new AtomicInteger();
        String message = failureOf((network, channel) -> write(channel, ".".repeat(runs.get())), runs::incrementAndGet);
        assertContains("two runs of seed 0 differ", message);
        assertContains("random numbers", message);
        assertEquals(3, runs.get());
    }

    @Test
    void shouldReportThatOnlyTheSecondRunFails() {
        AtomicInteger runs = new AtomicInteger();
        SeedSearch.Found found = new SeedSearch(
                        network -> {
                            network.server(PORT, () -> Channels.pipeline(new SimulatedNetworkTest.Echo()));
                            network.run();
                            assertEquals(1, runs.incrementAndGet(), "run number");
                        },
                        50)
                .search(0, 1);
        assertNotNull(found, "nothing was found");
        String message = found.report("-Dseed=", 5).getMessage();
        assertContains("the second run of seed 0 failed, the first did not", message);
        assertContains("run number", message);
        assertEquals(2, runs.get(), "no shorter run was looked for");
    }

    @Test
    void shouldEndARunThatRepeatsItselfWithoutAPause() {
        AtomicInteger runs = new AtomicInteger();
        String message = failureOf(MistakesTest::repeat, runs::incrementAndGet);
        assertContains("something repeats itself without a pause", message);
        assertEquals(1, runs.get(), "no shorter run was looked for");
    }

    private static void repeat(SimulatedNetwork network, Channel channel) {
        network.timer().newTimeout(timeout -> repeat(network, channel), 0, TimeUnit.MILLISECONDS);
    }

    // ---- what works -------------------------------------------------------------------------------------------------

    @Test
    void shouldAllowATaskToThrowIfItsFutureIsObserved() {
        assertNull(search((network, channel) -> failing(channel).addListener(task -> write(channel, "."))));
        assertNull(search((network, channel) -> {
            failing(channel).awaitUninterruptibly();
            write(channel, ".");
        }));
    }

    @Test
    void shouldAllowATaskToThrowIfItsFutureIsObservedLater() {
        assertNull(search((network, channel) -> {
            ChannelFuture failed = failing(channel);
            network.timer()
                    .newTimeout(timeout -> failed.addListener(task -> write(channel, ".")), 10, TimeUnit.MILLISECONDS);
        }));
    }

    private static ChannelFuture failing(Channel channel) {
        return channel.getPipeline().execute(() -> {
            throw new IllegalStateException("in a task");
        });
    }

    /** Each attempt is a new channel. Without descriptors, the first attempt is made again too. */
    @SimulationTest(seeds = 500)
    void shouldLetAClientReconnect(SimulatedNetwork network) {
        List<String> received = new ArrayList<>();
        network.server(PORT, () -> Channels.pipeline(new SimulatedNetworkTest.Echo()));
        network.client(PORT, () -> session(network, received), connected -> {});
        network.faults(Faults.standard().resets(0.02));
        network.run();
        assertEquals(1, received.size());
        assertThrows(
                IllegalStateException.class,
                () -> network.client(PORT, () -> session(network, received), connected -> {}));
    }

    private static ChannelPipeline session(SimulatedNetwork network, List<String> received) {
        return Channels.pipeline(new SimpleChannelUpstreamHandler() {
            @Override
            public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                write(e.getChannel(), "a");
            }

            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                received.add("a");
                e.getChannel().close();
            }

            @Override
            public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
                if (received.isEmpty()) {
                    network.timer()
                            .newTimeout(
                                    timeout -> network.client(PORT, () -> session(network, received), connected -> {}),
                                    100,
                                    TimeUnit.MILLISECONDS);
                }
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                e.getChannel().close();
            }
        });
    }
}
