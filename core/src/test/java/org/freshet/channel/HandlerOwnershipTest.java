package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who owns a handler, whether the handler refers to its owner itself or is looked up in the table. */
class HandlerOwnershipTest {
    private final PaperChannel one = new PaperChannel();
    private final PaperChannel other = new PaperChannel();

    static Stream<ChannelHandler> handlers() {
        return Stream.of(new SharabilityTest.Stateful(), new SharabilityTest.Direct());
    }

    private static DefaultChannelHandlerContext context(PaperChannel channel, ChannelHandler handler) {
        return new DefaultChannelHandlerContext((DefaultChannelPipeline) channel.getPipeline(), "h", handler);
    }

    private static void assertOwner(DefaultChannelHandlerContext owner, DefaultChannelHandlerContext asking) {
        assertSame(owner, HandlerOwnership.ownerOf(asking));
    }

    @ParameterizedTest
    @MethodSource("handlers")
    void shouldBelongToTheFirstContextUntilThatReleasesIt(ChannelHandler handler) {
        DefaultChannelHandlerContext first = context(one, handler);
        DefaultChannelHandlerContext second = context(other, handler);
        assertOwner(null, first);
        assertNull(HandlerOwnership.acquire(first, null));
        assertNull(HandlerOwnership.acquire(first, null), "it has it already");
        assertSame(first, HandlerOwnership.acquire(second, null));
        assertOwner(first, second);
        HandlerOwnership.release(second);
        assertOwner(first, second);
        HandlerOwnership.release(first);
        assertOwner(null, first);
        HandlerOwnership.release(first);
        assertNull(HandlerOwnership.acquire(second, null));
        assertOwner(second, first);
        HandlerOwnership.release(second);
    }

    @ParameterizedTest
    @MethodSource("handlers")
    void shouldPassToTheContextThatReplacesItsOwner(ChannelHandler handler) {
        DefaultChannelHandlerContext old = context(one, handler);
        DefaultChannelHandlerContext replacement = context(one, handler);
        DefaultChannelHandlerContext elsewhere = context(other, handler);
        HandlerOwnership.acquire(old, null);
        assertSame(old, HandlerOwnership.acquire(elsewhere, replacement), "replaces a context that isn't the owner");
        assertNull(HandlerOwnership.acquire(replacement, old));
        assertOwner(replacement, old);
        HandlerOwnership.release(old);
        assertOwner(replacement, old);
        HandlerOwnership.release(replacement);
    }

    /** A channel may miss a handler that is added just as it closes. */
    @ParameterizedTest
    @MethodSource("handlers")
    void shouldNotBelongToAClosedChannelOrToAPipelineWithoutOne(ChannelHandler handler) {
        DefaultChannelHandlerContext unattached =
                new DefaultChannelHandlerContext(new DefaultChannelPipeline(), "h", handler);
        DefaultChannelHandlerContext closing = context(one, handler);
        DefaultChannelHandlerContext next = context(other, handler);
        assertNull(HandlerOwnership.acquire(unattached, null));
        assertOwner(null, next);
        assertNull(HandlerOwnership.acquire(closing, null));
        assertOwner(closing, next);
        one.closeNow();
        assertOwner(null, next);
        assertNull(HandlerOwnership.acquire(next, null));
        assertOwner(next, closing);
        HandlerOwnership.release(next);
    }

    /** Handlers are told apart by identity, even if they are equal. */
    @ParameterizedTest
    @MethodSource("handlers")
    void shouldNotBeConfusedWithAnother(ChannelHandler handler) {
        DefaultChannelHandlerContext first = context(one, handler);
        DefaultChannelHandlerContext equal = context(one, new SharabilityTest.Direct());
        HandlerOwnership.acquire(first, null);
        assertOwner(null, equal);
        assertNull(HandlerOwnership.acquire(equal, null));
        HandlerOwnership.release(equal);
        assertOwner(first, first);
        HandlerOwnership.release(first);
    }
}
