package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testing.Await;
import org.junit.jupiter.api.Test;

/** What a stream's channel does right away, and what it leaves to the connection's thread if another thread asks. */
class Http2OtherThreadsTest {
    /** While the connection's thread is in here, another thread uses the stream. */
    private static final class Handler extends SimpleChannelHandler {
        private final List<Thread> reporting = new CopyOnWriteArrayList<>();
        private final CompletableFuture<Thread> ioThread = new CompletableFuture<>();

        /** After a write by the connection's thread, and then after one by another thread. */
        private final List<Integer> reported = new CopyOnWriteArrayList<>();

        private volatile ChannelFuture stopped;
        private volatile boolean wasStoppedAtOnce;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            Channel stream = ctx.getChannel();
            stream.write("a message");
            reported.add(reporting.size());
            Thread other = new Thread(() -> {
                stream.write("another message");
                reported.add(reporting.size());
                stopped = stream.setReadable(false);
                wasStoppedAtOnce = stopped.isDone();
            });
            other.start();
            try {
                other.join();
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
            ioThread.complete(Thread.currentThread());
        }

        @Override
        public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
            throw new IllegalStateException("thrown by a test");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            reporting.add(Thread.currentThread());
        }
    }

    /** Waits for two futures in turn: of its answer, and of the end of the connection. */
    private static final class Waiting extends SimpleChannelHandler {
        private final CompletableFuture<Boolean> wasSent = new CompletableFuture<>();
        private final CompletableFuture<String> refusal = new CompletableFuture<>();

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            HttpResponse answer = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            answer.setChunked(true);
            wasSent.complete(ctx.getChannel().write(answer).awaitUninterruptibly(10_000));
            try {
                refusal.complete("waited: " + ctx.getChannel().getCloseFuture().awaitUninterruptibly(1));
            } catch (IllegalStateException refused) {
                refusal.complete(refused.getMessage());
            }
        }
    }

    /** It sends what is awaited, as far as it can. Otherwise it would wait for itself. */
    @Test
    void shouldNotWaitForTheConnectionsThreadOnThatThread() throws Exception {
        Waiting handler = new Waiting();
        OneRequest.send(handler, () -> {
            assertTrue(Await.result(handler.wasSent, "the answer"));
            String refusal = Await.result(handler.refusal, "the wait for the close");
            assertTrue(refusal.startsWith("cannot await on the I/O thread"), refusal);
        });
    }

    @Test
    void shouldReportFailuresAndChangeReadingOnlyOnTheConnectionsThread() throws Exception {
        Handler handler = new Handler();
        OneRequest.send(handler, () -> {
            Thread ioThread = Await.result(handler.ioThread, "the request");
            Await.success(handler.stopped, "the end of reading");
            assertFalse(handler.wasStoppedAtOnce);
            Await.until(() -> handler.reporting.size() == 2, "both failures");
            assertEquals(List.of(ioThread, ioThread), handler.reporting);
            assertEquals(List.of(1, 1), handler.reported);
        });
    }

    /** The connection's thread would wait for itself, but any other may. */
    @Test
    void shouldLetAnotherThreadWait() throws Exception {
        CompletableFuture<Boolean> waited = new CompletableFuture<>();
        SimpleChannelHandler handler = new SimpleChannelHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                Thread other = new Thread(() -> {
                    try {
                        waited.complete(
                                ctx.getChannel().setReadable(false).await().isSuccess());
                    } catch (Throwable t) {
                        waited.completeExceptionally(t);
                    }
                });
                other.start();
                Await.until(() -> waited.isDone() || other.getState() == Thread.State.WAITING, "the wait");
            }
        };
        OneRequest.send(handler, () -> assertTrue(Await.result(waited, "the end of the wait")));
    }
}
