package org.freshet.transport;

import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChildChannelStateEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.freshet.testing.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a parent's handler may do with a child in its notification, before the child's own handlers are notified. */
class ChildOpenMatrixTest {
    /** Runs an action for each child, on the parent's thread. */
    private static final class ParentHandler extends SimpleChannelUpstreamHandler {
        private final Consumer<Channel> action;

        ParentHandler(Consumer<Channel> action) {
            this.action = action;
        }

        @Override
        public void childChannelOpen(ChannelHandlerContext ctx, ChildChannelStateEvent e) {
            action.accept(e.getChildChannel());
            ctx.sendUpstream(e);
        }
    }

    /**
     * More than the system's buffers hold; and the child's own thread has had time to start before the parent
     * continues.
     */
    @ParameterizedTest
    @EnumSource
    void shouldSendEverythingWrittenToAChild(Pair pair) {
        byte[] content = new byte[20_000_000];
        Seeds.random().nextBytes(content);
        try (Rig rig = pair.rig()) {
            rig.server().setParentHandler(new ParentHandler(child -> {
                child.write(wrappedBuffer(content));
                for (int i = 0; i < 2; i++) {
                    Await.success(child.getPipeline().execute(() -> {}), "an iteration of the child's I/O thread");
                }
            }));
            Channel server = rig.listen(pair.freeAddress(), Recorder::new);
            HashingReceiver receiver = new HashingReceiver(content.length);
            rig.connecting(server.getLocalAddress(), receiver);
            Await.latch(receiver.done(), "every byte");
            assertArrayEquals(HashingReceiver.hashOf(content), receiver.hash());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldKnowTheAddressesOfAChild(Pair pair) {
        BlockingQueue<List<SocketAddress>> addresses = new LinkedBlockingQueue<>();
        try (Rig rig = pair.rig()) {
            rig.server()
                    .setParentHandler(new ParentHandler(
                            child -> addresses.add(List.of(child.getLocalAddress(), child.getRemoteAddress()))));
            Channel server = rig.listen(pair.freeAddress(), Recorder::new);
            Channel client = rig.connect(server.getLocalAddress());
            Await.until(() -> !addresses.isEmpty(), "the child");
            assertEquals(List.of(server.getLocalAddress(), client.getLocalAddress()), addresses.poll());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotifyAChildOfItsOpeningBeforeRequestsOfTheParentsHandler(Pair pair) {
        try (Rig rig = pair.rig()) {
            rig.server().setParentHandler(new ParentHandler(child -> {
                child.setReadable(false);
                child.write(wrappedBuffer("hello".getBytes()));
                Await.success(child.getPipeline().execute(() -> {}), "an iteration of the child's I/O thread");
            }));
            Recorder accepted = new Recorder();
            Channel server = rig.listen(pair.freeAddress(), () -> accepted);
            Recorder made = new Recorder();
            Channel client = rig.connect(server.getLocalAddress(), made);
            made.awaitText("hello");
            accepted.awaitEvent("interest");
            client.write(wrappedBuffer("answer".getBytes()));
            assertFalse(accepted.channel().isReadable());
            accepted.channel().setReadable(true);
            accepted.awaitText("answer");
            assertEquals(
                    List.of("open", "bound", "connected"),
                    accepted.events().subList(0, 3),
                    () -> "" + accepted.events());
        }
    }
}
