package org.freshet.testkit.simulation;

import java.time.Duration;
import java.util.Locale;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http2.Http2ClientHandler;
import org.freshet.handler.codec.http2.Http2Settings;
import org.freshet.handler.codec.http2.Http2StreamChannelFactory;
import org.freshet.handler.codec.http2.Http2Timeouts;
import org.freshet.handler.codec.http2.HttpServerChooser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** HTTP/2 over a simulated kernel; see CONTRIBUTING.md. */
class Http2SimulationTest {
    private static final int PORT = 80;

    @Test
    @Timeout(Seeded.MOST_SECONDS)
    void shouldAnswerEachStreamOnceWhateverTheKernelDoes() {
        Seeded.run("http2", Multiplexing::new);
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(Seeded.MOST_SECONDS)
    void shouldKeepStreamsIntactWhateverDisturbsThem(Http2StreamsScenario.Disturbance disturbance) {
        String name = "http2-" + disturbance.name().toLowerCase(Locale.ROOT).replace('_', '-');
        Seeded.run(name, () -> new Http2StreamsScenario(disturbance));
    }

    /** Two users send requests on one connection, with content of several windows; some streams are closed early. */
    private static final class Multiplexing implements Scenario {
        private Simulation simulation;
        private Watch client;
        private int streams;
        private int answered;
        private int closedEarly;

        @Override
        public void start(Simulation simulation) {
            this.simulation = simulation;
            streams = simulation.draw().between(1, 6);
            client = simulation.watch("client");
            Http2Settings settings = settings();
            simulation.step(
                    0,
                    () -> simulation
                            .server(() -> simulation.pipeline(
                                    "accepted",
                                    new HttpServerChooser(
                                            () -> Channels.pipeline(new HttpChunkAggregator(1 << 20), new Service()),
                                            settings)))
                            .bindAsync(Simulation.address(PORT))
                            .addListener(bound -> simulation.step(
                                    1,
                                    () -> simulation
                                            .client(() -> Simulation.pipeline(
                                                    client, new Http2ClientHandler(settings), new Opener()))
                                            .connect(Simulation.address(PORT)))));
        }

        /** Small windows, and no time limits: a run may take any amount of time. */
        private Http2Settings settings() {
            return Http2Settings.defaults().toBuilder()
                    .initialWindowSize(
                            simulation.isLarge() ? 10_000 : simulation.draw().between(1, 200))
                    .timeouts(new Http2Timeouts(
                            Duration.ZERO,
                            Duration.ZERO,
                            Duration.ZERO,
                            Duration.ZERO,
                            Duration.ZERO,
                            Duration.ZERO,
                            Duration.ZERO))
                    .timer(simulation.timer())
                    .build();
        }

        @Override
        public boolean onIdle(Simulation simulation) {
            simulation.require(
                    client.isBroken() || answered + closedEarly == streams,
                    client + ": " + answered + " of " + streams + " streams are answered, " + closedEarly
                            + " were closed early");
            return false;
        }

        private int size(int number) {
            return number * (simulation.isLarge() ? 9_000 : 90);
        }

        private final class Opener extends SimpleChannelUpstreamHandler {
            @Override
            public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                ClientBootstrap bootstrap = new ClientBootstrap(new Http2StreamChannelFactory(e.getChannel()));
                for (int i = 0; i < streams; i++) {
                    int number = i;
                    simulation.step(simulation.draw().below(Simulation.USERS), () -> open(bootstrap, number));
                }
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                simulation.require(client.isBroken(), "the connection fails: " + e.getCause());
            }

            private void open(ClientBootstrap bootstrap, int number) {
                Answer answer = new Answer(number);
                bootstrap.setPipelineFactory(() -> Channels.pipeline(new HttpChunkAggregator(1 << 20), answer));
                bootstrap.connect(Simulation.address(PORT)).addListener(connected -> {
                    if (connected.isSuccess()) {
                        request(connected.getChannel(), answer);
                    }
                });
            }

            private void request(Channel stream, Answer answer) {
                HttpRequest request =
                        new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/" + answer.number);
                request.headers().set("Host", "simulated");
                request.setContent(ChannelBuffers.wrappedBuffer(Pattern.bytes(answer.number, size(answer.number))));
                stream.write(request);
                Draw draw = simulation.draw();
                if (draw.below(6) == 0) {
                    simulation.step(draw.below(Simulation.USERS), () -> {
                        answer.closeEarly();
                        stream.close();
                    });
                }
            }
        }

        private final class Answer extends SimpleChannelUpstreamHandler {
            private final int number;
            private boolean isEnded;

            private Answer(int number) {
                this.number = number;
            }

            private void closeEarly() {
                if (!isEnded) {
                    isEnded = true;
                    closedEarly++;
                }
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                simulation.require(client.isBroken() || isEnded, "stream " + number + " fails: " + e.getCause());
            }

            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                if (isEnded) {
                    simulation.require(closedEarly > 0, "stream " + number + " is answered twice");
                    return; // closed by a user whose request has not taken effect yet
                }
                isEnded = true;
                answered++;
                ChannelBuffer content = ((HttpResponse) e.getMessage()).getContent();
                simulation.require(
                        content.readableBytes() == size(number),
                        "the answer of stream " + number + " has " + content.readableBytes() + " bytes");
                Pattern.check(simulation, content, number);
            }
        }

        /** Echoes the content, immediately or as a user. */
        private final class Service extends SimpleChannelUpstreamHandler {
            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                simulation.require(client.isBroken() || closedEarly > 0, "a request fails: " + e.getCause());
            }

            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                HttpRequest request = (HttpRequest) e.getMessage();
                Draw draw = simulation.draw();
                if (draw.below(2) == 0) {
                    answer(e.getChannel(), request);
                } else {
                    simulation.step(draw.below(Simulation.USERS), () -> answer(e.getChannel(), request));
                }
            }

            private void answer(Channel stream, HttpRequest request) {
                int number = Integer.parseInt(request.getUri().substring(1));
                simulation.require(
                        request.getContent().readableBytes() == size(number),
                        "request " + number + " has " + request.getContent().readableBytes() + " bytes");
                Pattern.check(simulation, request.getContent(), number);
                HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
                response.setContent(request.getContent());
                stream.write(response);
            }
        }
    }
}
