package org.freshet.channel.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChildChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A handler of one local channel awaits an operation of another, although the same thread has to run both. */
class LocalAwaitTest {
    private static final LocalAddress NAME = new LocalAddress("local-await-test");

    private final Rig rig = new Rig(new DefaultLocalServerChannelFactory(), new DefaultLocalClientChannelFactory());

    @AfterEach
    void closeAll() {
        rig.close();
    }

    /** Awaits a future. Completes with the exception of the await, or with the future. */
    private static final class Awaiting {
        final CompletableFuture<Object> outcome = new CompletableFuture<>();

        void await(Supplier<ChannelFuture> request) {
            if (outcome.isDone()) {
                return;
            }
            ChannelFuture future = request.get();
            try {
                outcome.complete(future.awaitUninterruptibly());
            } catch (IllegalStateException refused) {
                outcome.complete(refused);
                future.getChannel().close();
            }
        }

        void assertSuccess() {
            Object result = Await.result(outcome, "the end of the await");
            assertTrue(result instanceof ChannelFuture future && future.isSuccess(), () -> "" + result);
        }

        void assertRefused() {
            Object result = Await.result(outcome, "the end of the await");
            String message = assertInstanceOf(IllegalStateException.class, result, () -> "" + result)
                    .getMessage();
            assertTrue(message.startsWith("cannot await on the I/O thread of"), message);
        }
    }

    /** Lets the client receive a message on a separate thread, since a failing test would block that thread forever. */
    private static void provoke(Channel child) {
        Thread thread = new Thread(() -> child.write("go"));
        thread.setDaemon(true);
        thread.start();
    }

    private static SimpleChannelUpstreamHandler onMessage(Runnable action) {
        return new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                action.run();
            }
        };
    }

    private Channel childOf(Recorder accepted) {
        accepted.awaitEvent("connected");
        return accepted.channel();
    }

    @Test
    void shouldConnectWhileAHandlerOfAnotherChannelAwaitsIt() {
        Recorder accepted = new Recorder();
        rig.listen(NAME, List.of(accepted, new Recorder()).iterator()::next);
        Awaiting awaiting = new Awaiting();
        Recorder second = new Recorder();
        rig.connect(NAME, onMessage(() -> awaiting.await(() -> rig.connecting(NAME, second))));
        provoke(childOf(accepted));
        awaiting.assertSuccess();
        assertEquals(List.of("open", "bound", "connected"), second.events());
    }

    @Test
    void shouldSendWhileAHandlerOfAnotherChannelAwaitsIt() {
        Recorder first = new Recorder();
        Recorder second = new Recorder();
        rig.listen(NAME, List.of(first, second).iterator()::next);
        Awaiting awaiting = new Awaiting();
        Channel[] other = new Channel[1];
        rig.connect(NAME, onMessage(() -> awaiting.await(() -> other[0].write("hello"))));
        other[0] = rig.connect(NAME);
        second.awaitEvent("connected");
        provoke(childOf(first));
        awaiting.assertSuccess();
        second.awaitEvent("message");
    }

    @Test
    void shouldRefuseToAwaitInAServerEventWhatOnlyThatServerCanDo() {
        Awaiting awaiting = new Awaiting();
        rig.server().setParentHandler(new SimpleChannelUpstreamHandler() {
            @Override
            public void childChannelOpen(ChannelHandlerContext ctx, ChildChannelStateEvent e) {
                awaiting.await(() -> rig.connecting(NAME));
            }
        });
        rig.listen(NAME, Recorder::new);
        Thread thread = new Thread(() -> rig.connecting(NAME));
        thread.setDaemon(true);
        thread.start();
        awaiting.assertRefused();
    }

    @Test
    void shouldRefuseToAwaitAWriteThatTheAwaitingEndWouldHaveToRead() {
        Recorder accepted = new Recorder();
        rig.listen(NAME, () -> accepted);
        Awaiting awaiting = new Awaiting();
        Channel[] child = new Channel[1];
        rig.connect(NAME, onMessage(() -> awaiting.await(() -> child[0].write("to the end that waits"))));
        child[0] = childOf(accepted);
        provoke(child[0]);
        awaiting.assertRefused();
    }
}
