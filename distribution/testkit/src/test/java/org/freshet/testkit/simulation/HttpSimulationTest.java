package org.freshet.testkit.simulation;

import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.server.HttpKeepAliveHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** HTTP/1.1 over a simulated kernel; see CONTRIBUTING.md. */
class HttpSimulationTest {
    private static final int PORT = 80;

    @Test
    @Timeout(Seeded.MOST_SECONDS)
    void shouldAnswerPipelinedRequestsInOrderWhateverTheKernelDoes() {
        Seeded.run("http", Pipelining::new);
    }

    /**
     * Requests that do not wait for answers, with content of all sizes, some in chunks; the last one asks to close the
     * connection.
     */
    private static final class Pipelining implements Scenario {
        private Simulation simulation;
        private Watch client;
        private int requests;
        private int answered;

        @Override
        public void start(Simulation simulation) {
            this.simulation = simulation;
            requests = simulation.draw().between(1, 8);
            client = simulation.watch("client");
            simulation.step(
                    0,
                    () -> simulation
                            .server(() -> simulation.pipeline(
                                    "accepted", new HttpServerCodec(), new HttpKeepAliveHandler(false), new Service()))
                            .bindAsync(Simulation.address(PORT))
                            .addListener(bound -> simulation.step(1, this::connect)));
        }

        private void connect() {
            simulation
                    .client(() -> Simulation.pipeline(
                            client, new HttpClientCodec(), new HttpChunkAggregator(1 << 20), new Client()))
                    .connect(Simulation.address(PORT));
        }

        @Override
        public boolean onIdle(Simulation simulation) {
            simulation.require(
                    client.isBroken() || answered == requests && client.isClosed(),
                    answered + " of " + requests + " requests are answered, connection closed: " + client.isClosed());
            return false;
        }

        private int size(int number) {
            return number * (simulation.isLarge() ? 9_000 : 90);
        }

        /** A message as a whole, or as head and chunks. */
        private void write(Channel channel, HttpMessage message, int number) {
            Draw draw = simulation.draw();
            int size = size(number);
            if (draw.below(2) == 0) {
                HttpHeaders.setContentLength(message, size);
                message.setContent(ChannelBuffers.wrappedBuffer(Pattern.bytes(number, size)));
                channel.write(message);
                return;
            }
            message.setChunked(true);
            message.headers().set(HttpHeaders.Names.TRANSFER_ENCODING, HttpHeaders.Values.CHUNKED);
            channel.write(message);
            for (int sent = 0; sent < size; ) {
                int count = draw.between(1, size - sent);
                channel.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(Pattern.bytes(number + sent, count))));
                sent += count;
            }
            channel.write(HttpChunk.LAST_CHUNK);
        }

        private final class Client extends SimpleChannelUpstreamHandler {
            @Override
            public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                for (int i = 0; i < requests; i++) {
                    int number = i;
                    simulation.step(0, () -> request(e.getChannel(), number));
                }
            }

            private void request(Channel channel, int number) {
                HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/" + number);
                request.headers().set(HttpHeaders.Names.HOST, "simulated");
                if (number == requests - 1) {
                    request.headers().set(HttpHeaders.Names.CONNECTION, HttpHeaders.Values.CLOSE);
                }
                write(channel, request, number);
            }

            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                HttpResponse response = (HttpResponse) e.getMessage();
                String number = response.headers().get("number");
                simulation.require(
                        String.valueOf(answered).equals(number), "answer " + number + " comes after " + answered);
                simulation.require(
                        response.getContent().readableBytes() == size(answered),
                        "answer " + number + " has " + response.getContent().readableBytes() + " bytes");
                Pattern.check(simulation, response.getContent(), answered);
                answered++;
            }
        }

        /** Answers on the loop or as a user. */
        private final class Service extends SimpleChannelUpstreamHandler {
            private final boolean isAsynchronous = simulation.draw().below(2) == 0;
            private int received;
            private int bytes;

            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                if (e.getMessage() instanceof HttpRequest request) {
                    simulation.require(
                            request.getUri().equals("/" + received), request.getUri() + " comes after " + received);
                    bytes = Pattern.check(simulation, request.getContent(), received);
                    if (!request.isChunked()) {
                        onEnd(e.getChannel());
                    }
                } else if (e.getMessage() instanceof HttpChunk chunk) {
                    bytes = Pattern.check(simulation, chunk.getContent(), bytes);
                    if (chunk.isLast()) {
                        onEnd(e.getChannel());
                    }
                }
            }

            private void onEnd(Channel channel) {
                int number = received++;
                simulation.require(
                        bytes == number + size(number), "request " + number + " has " + (bytes - number) + " bytes");
                if (isAsynchronous) {
                    simulation.step(1, () -> answer(channel, number));
                } else {
                    answer(channel, number);
                }
            }

            private void answer(Channel channel, int number) {
                HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
                response.headers().set("number", number);
                write(channel, response, number);
            }
        }
    }
}
