package org.freshet.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.server.HttpKeepAliveHandler;
import org.freshet.handler.codec.http.server.HttpServerPipeline;
import org.freshet.handler.codec.http.server.route.HttpResponses;
import org.freshet.handler.codec.http.server.route.RequestHandler;
import org.freshet.handler.codec.http2.Http2Settings;
import org.freshet.handler.timeout.ReadTimeoutException;
import org.freshet.handler.timeout.ReadTimeoutHandler;

/** What a user can do with the network, and which errors it finds without being asked. */
class SimulatedNetworkTest {
    private static final int PORT = 7;

    @SimulationTest
    void shouldDeliverEveryByteInOrderToPeersThatStay(SimulatedNetwork network) {
        network.server(PORT, () -> Channels.pipeline(new Echo()));
        network.clients(
                3,
                PORT,
                client -> client.send("one ")
                        .expect("one ")
                        .sendByteByByte("two, in bytes")
                        .expect("two, in bytes")
                        .close());
        network.faults(Faults.standard().resets(0.01).slowPeers(0.3));
        network.run();
        network.assertNothingLeft();
    }

    @SimulationTest(seeds = 50)
    void shouldSupportHttp(SimulatedNetwork network) {
        network.server(
                80,
                () -> Channels.pipeline(
                        new HttpServerCodec(),
                        new HttpKeepAliveHandler(false),
                        RequestHandler.of(request -> HttpResponses.text("you asked for " + request.path()))));
        network.httpClients(
                2,
                80,
                client -> client.get("/a")
                        .get("/b")
                        .expect(200, "you asked for /a")
                        .expect(200, "you asked for /b")
                        .close());
        network.run();
        network.assertNothingLeft();
    }

    @SimulationTest(seeds = 100)
    void shouldSupportHttp2WithAReadyMadePipeline(SimulatedNetwork network) {
        network.server(
                80,
                HttpServerPipeline.builder(network.timer())
                        .http2(Http2Settings.defaults())
                        .date(false)
                        .handler(
                                "service",
                                () -> RequestHandler.of(
                                        request -> HttpResponses.text("you asked for " + request.path())))
                        .build());
        network.http2Clients(
                2,
                80,
                client -> client.get("/a")
                        .post("/b", "content")
                        .expect(200, "you asked for /a")
                        .expect(200, "you asked for /b")
                        .close());
        network.httpClients(
                1,
                80,
                client -> client.get("/c").expect(200, "you asked for /c").vanish());
        network.allowUserDefinedWritability();
        network.faults(Faults.standard().resets(0.005));
        network.run();
        network.assertNothingLeft();
    }

    @SimulationTest(seeds = 5)
    void shouldCompareResponsesOfBothVersions(SimulatedNetwork network) {
        network.server(
                80,
                HttpServerPipeline.builder(network.timer())
                        .http2(Http2Settings.defaults())
                        .date(false)
                        .handler("service", () -> RequestHandler.of(request -> HttpResponses.text("right")))
                        .build());
        Consumer<HttpPeer> script =
                client -> client.get("/").expect(200, "wrong").close();
        if (network.seed() % 2 == 0) {
            network.httpClients(1, 80, script);
        } else {
            network.http2Clients(1, 80, script);
        }
        network.faults(Faults.none());
        AssertionError failure = assertThrows(AssertionError.class, network::run);
        assertTrue(
                failure.getMessage().contains("expected the content \"wrong\", but received \"right\""),
                failure::getMessage);
    }

    @SimulationTest(seeds = 20)
    void shouldEndAnIdleConnectionWithTheNetworksTimer(SimulatedNetwork network) {
        network.server(
                PORT,
                () -> Channels.pipeline(
                        new ReadTimeoutHandler(network.timer(), 10, TimeUnit.MINUTES), new ClosingOnFailure()));
        network.expectExceptions(ReadTimeoutException.class);
        network.clients(1, PORT, client -> client.send("hello").vanish());
        network.clients(
                1,
                PORT,
                client -> client.pause(Duration.ofMinutes(9)).send("still here").expectClose());
        network.faults(Faults.none());
        network.run();
        network.assertNothingLeft();
    }

    @SimulationTest(seeds = 20)
    void shouldReportAConnectionLeftOpenAfterItsPeerVanished(SimulatedNetwork network) {
        network.server(PORT, () -> Channels.pipeline(new Echo()));
        network.clients(1, PORT, client -> client.send("hello").expect("hello").vanish());
        network.faults(Faults.none());
        network.run();
        AssertionError left = assertThrows(AssertionError.class, network::assertNothingLeft);
        assertTrue(left.getMessage().startsWith("open although the peer is gone: accepted"), left::getMessage);
    }

    @SimulationTest(seeds = 20)
    void shouldReportWhatAScriptIsWaitingFor(SimulatedNetwork network) {
        network.server(PORT, () -> Channels.pipeline(new Echo()));
        network.clients(1, PORT, client -> client.send("hello").expect("hello!"));
        network.faults(Faults.none());
        AssertionError failure = assertThrows(AssertionError.class, network::run);
        assertTrue(
                failure.getMessage().contains("waits for 6 bytes: \"hello!\"; received 5 bytes: \"hello\""),
                failure::getMessage);
    }

    @SimulationTest(seeds = 5)
    void shouldRefuseASecondSetup(SimulatedNetwork network) {
        assertThrows(IllegalStateException.class, network::assertNothingLeft);
        network.server(PORT, () -> Channels.pipeline(new Echo()));
        network.run();
        assertThrows(IllegalStateException.class, network::run);
        assertThrows(IllegalStateException.class, () -> network.clients(1, PORT, client -> client.close()));
        assertEquals(0, network.random(1));
    }

    static final class Echo extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            e.getChannel().write(e.getMessage());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            e.getChannel().close();
        }
    }

    private static final class ClosingOnFailure extends SimpleChannelUpstreamHandler {
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            e.getChannel().close();
        }
    }
}
