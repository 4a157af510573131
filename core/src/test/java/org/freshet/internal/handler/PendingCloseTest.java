package org.freshet.internal.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.SocketAddress;
import java.util.EnumSet;
import java.util.Set;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelState;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.channel.DownstreamChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.request.Requests;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

class PendingCloseTest {
    /** A transport whose channels close when it wants. */
    private record Transport(boolean closesAtOnce) implements Requests<MemoryChannel> {
        @Override
        public void write(MemoryChannel channel, MessageEvent message) {
            message.getFuture().setSuccess();
        }

        @Override
        public void bind(MemoryChannel channel, ChannelFuture future, SocketAddress localAddress) {
            future.setSuccess();
        }

        @Override
        public void connect(MemoryChannel channel, ChannelFuture future, SocketAddress remoteAddress) {
            future.setSuccess();
        }

        @Override
        public void setInterestOps(MemoryChannel channel, ChannelFuture future, int interestOps) {
            future.setSuccess();
        }

        @Override
        public void close(MemoryChannel channel, ChannelFuture future) {
            if (closesAtOnce) {
                channel.close();
            }
        }

        void carryOutClose(MemoryChannel channel) {
            carryOut(
                    channel,
                    new DownstreamChannelStateEvent(channel, Channels.future(channel), ChannelState.OPEN, false));
        }
    }

    private static Channel closedFor(Kind kind) {
        MemoryChannel channel = MemoryChannel.connected();
        channel.close(CloseReason.of(kind));
        return channel;
    }

    @Test
    void shouldKnowFromTheReasonWhichSideHasClosedAChannel() {
        Set<Kind> ours = EnumSet.noneOf(Kind.class);
        for (Kind kind : Kind.values()) {
            Channel channel = closedFor(kind);
            assertTrue(PendingClose.isClosing(channel));
            if (PendingClose.isRequested(channel)) {
                ours.add(kind);
            }
        }
        assertEquals(
                EnumSet.of(
                        Kind.LOCAL,
                        Kind.TIMED_OUT,
                        Kind.REFUSED,
                        Kind.OVERFLOW,
                        Kind.PROTOCOL,
                        Kind.TLS,
                        Kind.DRAINED,
                        Kind.SHUTDOWN),
                ours);
    }

    @Test
    void shouldTellAnOpenChannelThatWillBeClosedFromOthers() {
        MemoryChannel channel = MemoryChannel.connected();
        assertFalse(PendingClose.isRequested(channel));
        assertFalse(PendingClose.isClosing(channel));

        PendingClose.request(channel);
        assertTrue(PendingClose.isRequested(channel));
        assertTrue(PendingClose.isClosing(channel));
        channel.close();
    }

    @Test
    void shouldMarkAChannelThatItsTransportClosesLater() {
        MemoryChannel channel = MemoryChannel.connected();
        new Transport(false).carryOutClose(channel);
        assertTrue(channel.isOpen());
        assertTrue(PendingClose.isClosing(channel));
        channel.close();
    }

    @Test
    void shouldKeepNothingOfAChannelThatIsClosedAtOnce() {
        MemoryChannel channel = MemoryChannel.connected();
        new Transport(true).carryOutClose(channel);
        assertFalse(channel.isOpen());
        assertTrue(PendingClose.isRequested(channel));
        assertFalse(PendingClose.isMarked(channel), "an entry for each connection that was closed");
    }
}
