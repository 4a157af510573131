package org.freshet.handler.ssl;

import static org.freshet.handler.ssl.Bytes.text;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.Await;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timeout;
import org.freshet.util.TimerTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A user's trust manager, timer or buffer pool that waits for another thread: that thread can still write and close,
 * because the handler holds no lock meanwhile.
 */
@Tag("crypto")
@ParameterizedClass
@EnumSource(Transport.class)
class TlsUserCodeTest extends TlsSockets {
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch mayReturn = new CountDownLatch(1);

    TlsUserCodeTest(Transport transport) {
        super(transport);
    }

    @AfterEach
    void letUserCodeReturn() {
        mayReturn.countDown();
    }

    private void waitForOtherThread() {
        entered.countDown();
        Await.latch(mayReturn, "the other thread");
    }

    @Test
    void shouldAcceptWritesWhileATrustManagerWaits() throws Exception {
        Collector echoed = new Collector(4);
        Channel channel = connectWithWaitingTrustManager(echoed);
        ChannelFuture written = Await.result(
                CompletableFuture.supplyAsync(() -> channel.write(text("ping")), threads), "the write to return");
        mayReturn.countDown();
        Await.success(written, "the write");
        Await.latch(echoed.complete, "the echo");
        Await.success(channel.close(), "a close");
    }

    @Test
    void shouldAcceptACloseWhileATrustManagerWaits() throws Exception {
        Channel channel = connectWithWaitingTrustManager();
        ChannelFuture closed =
                Await.result(CompletableFuture.supplyAsync(channel::close, threads), "the close to return");
        if (transport == Transport.OIO) {
            Await.success(closed, "the close, before the trust manager has decided");
        }
        mayReturn.countDown();
        Await.success(closed, "the close");
    }

    /** The JDK's engine blocks its callers while one of its tasks runs. */
    @Test
    void shouldNotBlockTheIoThreadWhileTasksRunElsewhere() throws Exception {
        Channel server = serve(Certificates.server(), new Echo());
        SslHandler handler = Certificates.client()
                .trust(new LookingTrust(this::waitForOtherThread))
                .delegatedTaskExecutor(threads)
                .build()
                .newHandler("localhost", 1);
        Channel channel = connect(port(server), handler);
        handler.handshake();
        Await.latch(entered, "the trust manager to be called");
        CompletableFuture<ChannelFuture> written = new CompletableFuture<>();
        CompletableFuture.runAsync(
                () -> channel.getPipeline().execute(() -> written.complete(channel.write(text("ping")))), threads);
        CountDownLatch free = new CountDownLatch(1);
        CompletableFuture.runAsync(() -> channel.getPipeline().execute(free::countDown), threads);
        ChannelFuture write = Await.result(written, "the write to return");
        Await.latch(free, "the I/O thread to run another task");
        mayReturn.countDown();
        Await.success(write, "the write");
        Await.success(channel.close(), "a close");
    }

    @Test
    void shouldAcceptWritesWhileABufferPoolWaits() throws Exception {
        Channel server = serve(Certificates.server(), new Echo());
        AtomicBoolean waits = new AtomicBoolean();
        SslBufferPool pool = new SslBufferPool() {
            @Override
            public ByteBuffer acquireBuffer() {
                if (waits.compareAndSet(true, false)) {
                    waitForOtherThread();
                }
                return super.acquireBuffer();
            }
        };
        SslHandler handler = Certificates.client().bufferPool(pool).build().newHandler("localhost", 1);
        Collector echoed = new Collector(8);
        Channel channel = connect(port(server), handler, echoed);
        Await.success(handler.handshake(), "the handshake");
        SslHandler serverSide = accepted.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        Await.success(serverSide.handshake(), "the server's handshake, after the client has sent its last flight");
        waits.set(true);
        CompletableFuture<ChannelFuture> first =
                CompletableFuture.supplyAsync(() -> channel.write(text("ping")), threads);
        Await.latch(entered, "the pool to be called");
        ChannelFuture second = Await.result(
                CompletableFuture.supplyAsync(() -> channel.write(text("pong")), threads), "the write to return");
        mayReturn.countDown();
        Await.success(Await.result(first, "the first write to return"), "the first write");
        Await.success(second, "the second write");
        Await.latch(echoed.complete, "the echo");
        Await.success(channel.close(), "a close");
    }

    private Channel connectWithWaitingTrustManager(SimpleChannelUpstreamHandler... application) throws Exception {
        Channel server = serve(Certificates.server(), new Echo());
        SslHandler handler = Certificates.client()
                .trust(new LookingTrust(this::waitForOtherThread))
                .build()
                .newHandler("localhost", 1);
        Channel channel = connect(port(server), handler, application);
        handler.handshake();
        Await.latch(entered, "the trust manager to be called");
        return channel;
    }

    @Test
    void shouldAcceptWritesWhileATimerWaits() throws Exception {
        Channel server = serve(Certificates.server(), new Echo());
        HashedWheelTimer timer = new HashedWheelTimer() {
            @Override
            public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
                waitForOtherThread();
                return super.newTimeout(task, delay, unit);
            }
        };
        try {
            SslHandler handler = Certificates.client().timer(timer).build().newHandler("localhost", 1);
            Collector echoed = new Collector(4);
            Channel channel = connect(port(server), handler, echoed);
            CompletableFuture.runAsync(handler::handshake, threads);
            Await.latch(entered, "the timer to be called");
            ChannelFuture written = Await.result(
                    CompletableFuture.supplyAsync(() -> channel.write(text("ping")), threads), "the write to return");
            mayReturn.countDown();
            Await.success(written, "the write");
            Await.latch(echoed.complete, "the echo");
            Await.success(channel.close(), "a close");
        } finally {
            timer.stop();
        }
    }
}
