package org.freshet.internal.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

class MessagePartTest {
    private final ChannelDownstreamHandler place = ChannelHandlerContext::sendDownstream;
    private final MemoryChannel channel = MemoryChannel.connected(place);
    private final MessageEvent part = new DownstreamMessageEvent(channel, Channels.future(channel), "part", null);

    private ChannelHandlerContext ctx() {
        ChannelPipeline pipeline = channel.getPipeline();
        return pipeline.getContext(place);
    }

    @Test
    void shouldCompleteThePartOnceItIsSent() throws Exception {
        MessagePart.pass(ctx(), part, passed -> ctx().sendDownstream(passed));
        assertEquals(List.of("part"), channel.takeWritten());
        assertTrue(part.getFuture().isSuccess());
        assertTrue(channel.isOpen());
    }

    @Test
    void shouldEndTheConnectionBeforeTheFutureOfARefusedPartFails() throws Exception {
        IllegalStateException refusal = new IllegalStateException("planned");
        part.getFuture().addListener(done -> assertFalse(channel.isOpen()));
        MessagePart.pass(ctx(), part, passed -> passed.getFuture().setFailure(refusal));
        assertSame(refusal, part.getFuture().getCause());
        assertFalse(channel.isOpen());
    }

    /** The part may have been counted, so the peer would take the next one for it. */
    @Test
    void shouldEndTheConnectionIfMemoryRunsOutWhileAPartIsEncoded() {
        OutOfMemoryError injected = new OutOfMemoryError("injected by a test");
        assertSame(
                injected,
                assertThrows(
                        OutOfMemoryError.class,
                        () -> MessagePart.pass(ctx(), part, passed -> {
                            throw injected;
                        })));
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldLeaveTheConnectionOpenIfAPartIsInvalid() {
        assertThrows(
                IllegalArgumentException.class,
                () -> MessagePart.pass(ctx(), part, passed -> {
                    throw new IllegalArgumentException("planned");
                }));
        assertTrue(channel.isOpen());
        channel.close();
    }
}
