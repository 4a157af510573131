package org.freshet.channel;

import static org.freshet.testing.Allocations.assertBytes;

import java.net.SocketAddress;
import org.junit.jupiter.api.Test;

/** The cost of futures, channels and variables in bytes. */
class AllocationTest {
    private static final ChannelFutureListener LISTENER = future -> {};

    private final FakeChannel channel = new FakeChannel();

    @Test
    void shouldNeed24BytesForAFuture() {
        assertBytes(24, () -> new DefaultChannelFuture(channel, false));
        assertBytes(24, () -> new DefaultChannelFuture(channel, true));
    }

    @Test
    void shouldAllocateNothingForASingleListener() {
        assertBytes(24, () -> {
            DefaultChannelFuture future = new DefaultChannelFuture(channel, false);
            future.addListener(LISTENER);
            future.setSuccess();
            return future;
        });
    }

    @Test
    void shouldAllocateOneEntryAndNoListForTheListenerOfACancellableFuture() {
        assertBytes(24 + 24, () -> {
            DefaultChannelFuture future = new DefaultChannelFuture(channel, true);
            future.addListener(LISTENER);
            return future;
        });
    }

    @Test
    void shouldNeed16BytesForASucceededFuture() {
        assertBytes(16, () -> new SucceededChannelFuture(channel));
    }

    @Test
    void shouldReadVariablesWithoutAllocation() {
        ChannelLocal<String> local = new ChannelLocal<>();
        local.set(channel, "x");
        assertBytes(0, () -> local.get(channel));
    }

    @Test
    void shouldNeed80BytesForAChannelWithItsAccountAndCloseFuture() {
        ChannelPipeline pipeline = unattachedPipeline();
        assertBytes(56 + 24, () -> new Bare(null, pipeline));
    }

    @Test
    void shouldNeedNoMoreForAChannelWithAParent() {
        ChannelPipeline pipeline = unattachedPipeline();
        Channel parent = new Bare(null, pipeline);
        assertBytes(56 + 24, () -> new Bare(parent, pipeline));
    }

    /** Shared by all channels of a test. */
    private static ChannelPipeline unattachedPipeline() {
        return new DefaultChannelPipeline() {
            @Override
            public void attach(Channel attached, ChannelSink attachedSink) {}
        };
    }

    /** A channel without fields. */
    private static final class Bare extends AbstractChannel {
        Bare(Channel parent, ChannelPipeline pipeline) {
            super(parent, null, pipeline, null);
        }

        @Override
        public ChannelConfig getConfig() {
            return null;
        }

        @Override
        public boolean isBound() {
            return false;
        }

        @Override
        public boolean isConnected() {
            return false;
        }

        @Override
        public SocketAddress getLocalAddress() {
            return null;
        }

        @Override
        public SocketAddress getRemoteAddress() {
            return null;
        }
    }
}
