package org.freshet.testkit.example;

import java.time.Duration;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.handler.codec.http.server.HttpServerPipeline;
import org.freshet.handler.codec.http.server.route.HttpResponses;
import org.freshet.handler.codec.http.server.route.RequestHandler;
import org.freshet.handler.codec.http.server.route.Router;
import org.freshet.handler.codec.http2.Http2Settings;
import org.freshet.testkit.Faults;
import org.freshet.testkit.SimulatedNetwork;
import org.freshet.testkit.SimulationTest;
import org.freshet.util.Timer;

/** The second example of the guide's page on testing: an HTTP service with its time-outs, and the clients that it will meet. */
class HttpServiceSimulationTest {
    /**
     * Used in production with its own timer.
     *
     * @param withDate false for simulations, because the time of day differs from run to run, and so does its length in
     * HTTP/2's compressed heads
     */
    static ChannelPipelineFactory service(Timer timer, boolean withDate) {
        Router router = Router.builder()
                .get("/hello/{name}", request -> HttpResponses.text("hello, " + request.pathParameter("name")))
                .post(
                        "/length",
                        request ->
                                HttpResponses.text(String.valueOf(request.text().length())))
                .build();
        RequestHandler handler = RequestHandler.of(router);
        return HttpServerPipeline.builder(timer)
                .http2(Http2Settings.defaults())
                .aggregate(64 * 1024)
                .date(withDate)
                .handler("router", () -> handler)
                .build();
    }

    @SimulationTest
    void shouldAnswerWellBehavedClients(SimulatedNetwork network) {
        network.server(80, service(network.timer(), false));
        network.allowUserDefinedWritability();
        network.httpClients(
                2,
                80,
                client -> client.within(Duration.ofMinutes(1))
                        .get("/hello/world")
                        .expect(200, "hello, world")
                        .post("/length", "12345")
                        .expect(200, "5")
                        .get("/nothing")
                        .expect(404)
                        .close());
        network.http2Clients(
                2,
                80,
                client -> client.within(Duration.ofMinutes(1))
                        .get("/hello/one")
                        .get("/hello/two")
                        .expect(200, "hello, one")
                        .expect(200, "hello, two")
                        .close());
        network.faults(Faults.standard()
                .resets(0.002)
                .clockJumps(0)); // some jumps of seconds make any client slower than the service's time-outs
        network.run();
        network.assertNothingLeft();
    }

    @SimulationTest(seeds = 100)
    void shouldDisconnectMisbehavingClients(SimulatedNetwork network) {
        network.server(80, service(network.timer(), false));
        network.allowUserDefinedWritability();
        network.limitPendingBytes(256 * 1024);
        network.clients(
                1,
                80,
                client -> client.send("GET /hel")
                        .expectText(text -> text.startsWith("HTTP/1.1 408"))
                        .expectClose());
        network.clients(
                1,
                80,
                client -> client.sendByteByByte("GET / HTTP/9.9\r\n\r\n")
                        .expectText(text -> text.startsWith("HTTP/1.1 505"))
                        .expectClose());
        network.httpClients(1, 80, client -> client.get("/hello/world").vanish());
        network.clients(
                1,
                80,
                client -> client.send("POST /length HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n12")
                        .reset());
        network.faults(Faults.none());
        network.run();
        network.assertNothingLeft();
    }
}
