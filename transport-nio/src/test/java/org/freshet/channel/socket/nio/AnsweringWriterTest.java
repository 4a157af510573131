package org.freshet.channel.socket.nio;

import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Handlers that write the next message when notified that the last one was sent, while the kernel accepts them all. */
class AnsweringWriterTest {
    private static final int MESSAGES = 20_000;
    private static final int MESSAGE_BYTES = 2;

    private final Rig rig = new Rig();

    @AfterEach
    void release() {
        rig.close();
    }

    /** Writes repeatedly, and records how deep the stack gets and what goes wrong. */
    private abstract static class Writer extends SimpleChannelHandler {
        final List<Throwable> failures = new ArrayList<>();
        private int written;
        private int nesting;
        int deepest;

        final void writeNext(Channel channel) {
            nesting++;
            deepest = Math.max(deepest, nesting);
            if (written++ < MESSAGES) {
                channel.write(wrappedBuffer(new byte[MESSAGE_BYTES]));
            }
            nesting--;
        }

        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            writeNext(ctx.getChannel());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            failures.add(e.getCause());
        }
    }

    private static final class OnCompletion extends Writer {
        @Override
        public void writeComplete(ChannelHandlerContext ctx, WriteCompletionEvent e) {
            writeNext(ctx.getChannel());
        }
    }

    private static final class OnRelief extends Writer {
        @Override
        public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
            if (ctx.getChannel().isWritable()) {
                writeNext(ctx.getChannel());
            }
        }
    }

    @Test
    void shouldNotNestWritesMadeOnCompletion() throws Exception {
        shouldSendAll(new OnCompletion(), Map.of("child.writeCoalescing", false));
    }

    /** Each message alone exceeds the high water mark. */
    @Test
    void shouldNotNestWritesMadeAtTheEndOfCongestion() throws Exception {
        shouldSendAll(
                new OnRelief(),
                Map.of(
                        "child.writeCoalescing",
                        false,
                        "child.writeBufferLowWaterMark",
                        1,
                        "child.writeBufferHighWaterMark",
                        1));
    }

    private void shouldSendAll(Writer writer, Map<String, Object> options) throws Exception {
        Channel server = rig.bind(() -> Channels.pipeline(writer), options);
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            int bytes = MESSAGES * MESSAGE_BYTES;
            assertEquals(bytes, peer.read(bytes).length);
        }
        assertEquals(List.of(), writer.failures);
        assertTrue(writer.deepest < 100, () -> "deepest: " + writer.deepest);
    }
}
