package org.freshet.testkit.simulation;

import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * TLS over a simulated kernel; see CONTRIBUTING.md. The engine draws its own random numbers, so the bytes differ from
 * run to run, but not their number, as long as the JDK is the same.
 */
class TlsSimulationTest {
    private static final int PORT = 443;

    @Test
    @Timeout(Seeded.MOST_SECONDS)
    void shouldEchoWhateverTheKernelDoes() {
        Seeded.run("tls", Echo::new);
    }

    /**
     * A client writes immediately, during the handshake and after it, on its loop and as users, and closes when
     * everything has been echoed.
     */
    private static final class Echo implements Scenario {
        private static final SelfSignedCertificate CERTIFICATE = certificate();
        private static final SslContext SERVER =
                build(SslContextBuilder.forServer(CERTIFICATE.key(), CERTIFICATE.cert()));
        private static final SslContext CLIENT =
                build(SslContextBuilder.forClient().trust(CERTIFICATE.cert()));

        private Simulation simulation;
        private Watch client;
        private int total;
        private int sent;
        private int received;

        private static SelfSignedCertificate certificate() {
            try {
                return new SelfSignedCertificate("localhost");
            } catch (CertificateException e) {
                throw new AssertionError(e);
            }
        }

        private static SslContext build(SslContextBuilder builder) {
            try {
                return builder.build();
            } catch (SSLException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public boolean setsWritability() {
            return true;
        }

        @Override
        public void start(Simulation simulation) {
            this.simulation = simulation;
            total = simulation.draw().between(1, simulation.isLarge() ? 100_000 : 1_000);
            client = simulation.watch("client");
            simulation.step(
                    0,
                    () -> simulation
                            .server(() -> simulation.pipeline("accepted", SERVER.newHandler(), new Echoing()))
                            .bindAsync(Simulation.address(PORT))
                            .addListener(bound -> simulation.step(
                                    1,
                                    () -> simulation
                                            .client(() -> Simulation.pipeline(
                                                    client, CLIENT.newHandler("localhost", PORT), new Client()))
                                            .connect(Simulation.address(PORT)))));
        }

        @Override
        public boolean onIdle(Simulation simulation) {
            simulation.require(
                    client.isBroken() || received == total && client.isClosed(),
                    received + " of " + total + " bytes came back, connection closed: " + client.isClosed());
            return false;
        }

        private void send(Channel channel, int count) {
            int start = sent;
            sent += count;
            channel.write(ChannelBuffers.wrappedBuffer(Pattern.bytes(start, count)));
        }

        private static final class Echoing extends SimpleChannelUpstreamHandler {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                e.getChannel().write(e.getMessage());
            }
        }

        private final class Client extends SimpleChannelUpstreamHandler {
            @Override
            public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                for (int left = total; left > 0; ) {
                    int count = simulation.draw().between(1, left);
                    left -= count;
                    if (simulation.draw().below(2) == 0) {
                        send(e.getChannel(), count);
                    } else {
                        simulation.step(0, () -> send(e.getChannel(), count));
                    }
                }
            }

            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                received = Pattern.check(simulation, (ChannelBuffer) e.getMessage(), received);
                if (received == total) {
                    e.getChannel().close();
                }
            }
        }
    }
}
