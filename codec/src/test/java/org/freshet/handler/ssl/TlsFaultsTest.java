package org.freshet.handler.ssl;

import static org.freshet.handler.ssl.Bytes.text;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.ssl.util.SimpleTrustManagerFactory;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.UncancellableTimer;
import org.freshet.util.Timer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever user code throws where a connection calls it, the connection ends, its futures complete, and no lock stays
 * held, so that other threads can still write and close.
 */
@Tag("crypto")
@ParameterizedClass
@EnumSource(Transport.class)
class TlsFaultsTest extends TlsSockets {
    TlsFaultsTest(Transport transport) {
        super(transport);
    }

    /** Keeps log messages about the faults out of the test's output. */
    private final CapturedLog log = CapturedLog.start();

    /** Checked after the channels have ended. */
    @AfterEach
    void shouldNotHaveFailedAtTheEndOfTheConnection() {
        release();
        log.close();
        for (CapturedLog.Message message : log.messages()) {
            assertFalse(message.text().contains("SslHandler) threw an Error"), message::text);
        }
    }

    private static List<Throwable> faults() {
        return List.of(new IllegalStateException("thrown on purpose"), new StackOverflowError("thrown on purpose"));
    }

    /** Everything that waits for a connection completes, and so do later requests. */
    private static void assertOver(Channel channel, SslHandler handler, List<ChannelFuture> written) {
        Await.success(channel.getCloseFuture(), "the end of the connection");
        Await.done(handler.getSSLEngineInboundCloseFuture(), "the end of the received data");
        for (ChannelFuture write : written) {
            Await.done(write, "a write");
        }
        assertTrue(handler.handshake().isDone());
        Await.failure(channel.write(text("late")), "a late write");
        Await.success(channel.close(), "a late close");
    }

    private SslHandler client(FaultyEngine engine) {
        SslHandler handler = new SslHandler(engine);
        handler.setIssueHandshake(true);
        return handler;
    }

    private static FaultyEngine engine() throws SSLException {
        return new FaultyEngine(Certificates.client().build().newEngine("localhost", 1));
    }

    @ParameterizedTest
    @EnumSource
    void shouldEndAHandshakeIfItsEngineThrows(FaultyEngine.Method method) throws Exception {
        Channel server = serve(Certificates.server(), new Echo());
        for (Throwable fault : faults()) {
            FaultyEngine engine = engine();
            engine.breakDown(method, fault);
            SslHandler handler = client(engine);
            Channel channel = connect(port(server), handler);
            List<ChannelFuture> written = new ArrayList<>(List.of(channel.write(text("waits"))));
            if (method == FaultyEngine.Method.CLOSE) {
                channel.close();
            }
            assertOver(channel, handler, written);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "TASK", mode = EnumSource.Mode.EXCLUDE) // it is no longer called
    void shouldEndAConnectionIfItsEngineThrows(FaultyEngine.Method method) throws Exception {
        Channel server = serve(Certificates.server(), new Echo());
        for (Throwable fault : faults()) {
            FaultyEngine engine = engine();
            SslHandler handler = client(engine);
            Channel channel = connect(port(server), handler, new Collector(4));
            Await.success(handler.handshake(), "a handshake");
            engine.breakDown(method, fault);
            List<ChannelFuture> written = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                written.add(channel.write(text("ping")));
            }
            if (method == FaultyEngine.Method.CLOSE) {
                channel.close();
            }
            assertOver(channel, handler, written);
        }
    }

    @Test
    void shouldEndAHandshakeIfItsTrustManagerThrows() throws Exception {
        Channel server = serve(Certificates.server(), new Echo());
        for (Throwable fault : faults()) {
            SslHandler handler = SslContextBuilder.forClient()
                    .trust(new ThrowingTrust(fault))
                    .build()
                    .newHandler("localhost", 1);
            Channel channel = connect(port(server), handler);
            assertOver(channel, handler, List.of(channel.write(text("waits"))));
        }
    }

    private static final class ThrowingTrust extends SimpleTrustManagerFactory {
        private final Throwable fault;

        ThrowingTrust(Throwable fault) {
            this.fault = fault;
        }

        @Override
        protected void engineInit(java.security.KeyStore keyStore) {}

        @Override
        protected void engineInit(javax.net.ssl.ManagerFactoryParameters parameters) {}

        @Override
        protected TrustManager[] engineGetTrustManagers() {
            return new TrustManager[] {
                new X509TrustManager() {
                    @Override
                    public void checkClientTrusted(X509Certificate[] chain, String authType)
                            throws CertificateException {
                        checkServerTrusted(chain, authType);
                    }

                    @Override
                    public void checkServerTrusted(X509Certificate[] chain, String authType) {
                        if (fault instanceof Error error) {
                            throw error;
                        }
                        throw (RuntimeException) fault;
                    }

                    @Override
                    public X509Certificate[] getAcceptedIssuers() {
                        return new X509Certificate[0];
                    }
                }
            };
        }
    }

    @Test
    void shouldEndAHandshakeIfItsTaskExecutorThrows() throws Exception {
        Channel server = serve(Certificates.server(), new Echo());
        for (Throwable fault : faults()) {
            SslHandler handler = Certificates.client()
                    .delegatedTaskExecutor(task -> {
                        if (fault instanceof Error error) {
                            throw error;
                        }
                        throw (RuntimeException) fault;
                    })
                    .build()
                    .newHandler("localhost", 1);
            Channel channel = connect(port(server), handler);
            assertOver(channel, handler, List.of(channel.write(text("waits"))));
        }
    }

    /** A pool's methods can be overridden. */
    @Test
    void shouldEndAConnectionIfItsBufferPoolThrows() throws Exception {
        Channel server = serve(Certificates.server(), new Echo());
        for (boolean acquires : new boolean[] {true, false}) {
            SslBufferPool pool = new SslBufferPool(1) {
                @Override
                public ByteBuffer acquireBuffer() {
                    if (acquires) {
                        throw new IllegalStateException("no buffer");
                    }
                    return super.acquireBuffer();
                }

                @Override
                public void releaseBuffer(ByteBuffer buffer) {
                    throw new IllegalStateException("not taken back");
                }
            };
            SslHandler handler = Certificates.client().bufferPool(pool).build().newHandler("localhost", 1);
            Channel channel = connect(port(server), handler);
            assertOver(channel, handler, List.of(channel.write(text("waits"))));
        }
    }

    /** A timer that throws from a cancel does not keep a handshake from succeeding. */
    @Test
    void shouldContinueIfTheTimerThrowsOnCancel() throws Exception {
        Channel server = serve(Certificates.server(), new Echo());
        Timer timer = new UncancellableTimer();
        SslHandler handler = Certificates.client().timer(timer).build().newHandler("localhost", 1);
        Collector echoed = new Collector(4);
        Channel channel = connect(port(server), handler, echoed);
        Await.success(channel.write(text("ping")), "a write");
        Await.latch(echoed.complete, "the echo");
        Await.success(channel.close(), "a close");
    }

    @Test
    void shouldEndAConnectionIfAHandlerBelowThrows() throws Exception {
        Channel server = serve(Certificates.server(), new Echo());
        for (Throwable fault : faults()) {
            SslHandler handler = Certificates.client().build().newHandler("localhost", 1);
            Channel channel = connect(port(server), handler);
            Await.success(handler.handshake(), "a handshake");
            channel.getPipeline().addFirst("broken", (ChannelDownstreamHandler) (ctx, e) -> {
                if (!(e instanceof MessageEvent message) || !(message.getMessage() instanceof ChannelBuffer)) {
                    ctx.sendDownstream(e);
                } else if (fault instanceof Error error) {
                    throw error;
                } else {
                    throw (RuntimeException) fault;
                }
            });
            ChannelFuture first = channel.write(text("first"));
            ChannelFuture second = channel.write(text("second"));
            assertOver(channel, handler, List.of(first, second));
            assertFalse(first.isSuccess() || second.isSuccess());
            assertNotNull(first.getCause());
        }
    }

    /** Listeners are called without holding a lock, and their exceptions affect nothing else. */
    @Test
    void shouldContinueIfListenersAndHandlersThrow() throws Exception {
        Channel server = serve(Certificates.server(), new Echo());
        SslHandler handler = Certificates.client().build().newHandler("localhost", 1);
        handler.getSSLEngineInboundCloseFuture().addListener(future -> {
            throw new IllegalStateException("thrown on purpose");
        });
        CountDownLatch received = new CountDownLatch(2);
        Channel channel = connect(port(server), handler, new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                received.countDown();
                throw new StackOverflowError("thrown on purpose");
            }
        });
        handler.handshake().addListener(future -> {
            throw new StackOverflowError("thrown on purpose");
        });
        for (int i = 0; i < 2; i++) {
            long before = received.getCount();
            ChannelFuture written = channel.write(text("ping"));
            written.addListener(future -> {
                throw new StackOverflowError("thrown on purpose");
            });
            Await.success(written, "a write");
            Await.until(() -> received.getCount() < before, "the echo");
        }
        Await.latch(received, "both echoes");
        Await.success(channel.close(), "a close");
        Await.done(handler.getSSLEngineInboundCloseFuture(), "the end of the received data");
    }
}
