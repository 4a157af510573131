package org.freshet.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.channel.WriteAccount;
import org.junit.jupiter.api.Test;

class MemoryChannelTest {
    private static String states(List<ChannelEvent> events) {
        StringBuilder text = new StringBuilder();
        for (ChannelEvent e : events) {
            if (e instanceof ChannelStateEvent change) {
                boolean on = change.getValue() != null && change.getValue() != Boolean.FALSE;
                text.append(on ? '+' : '-').append(change.getState()).append(' ');
            }
        }
        return text.toString().trim();
    }

    @Test
    void shouldPassThroughTheStatesOfAConnection() {
        MemoryChannel channel = MemoryChannel.connected(new SimpleChannelHandler());
        assertEquals("+OPEN +BOUND +CONNECTED", states(channel.takeUpstream()));
        assertTrue(channel.isOpen() && channel.isBound() && channel.isConnected());
        assertTrue(channel.close().isSuccess());
        assertEquals("-CONNECTED -BOUND -OPEN", states(channel.takeUpstream()));
        assertFalse(channel.isOpen() || channel.isBound() || channel.isConnected());
        channel.close();
        assertTrue(channel.takeUpstream().isEmpty());
    }

    @Test
    void shouldRecordEverythingThatReachesBothEnds() {
        MemoryChannel channel = MemoryChannel.connected();
        channel.receive("in");
        ChannelFuture sent = channel.write("out");
        Exception cause = new Exception();
        Channels.fireExceptionCaught(channel, cause);
        assertTrue(sent.isSuccess());
        assertEquals(List.of("in"), channel.takeReceived());
        assertEquals(List.of("out"), channel.takeWritten());
        assertEquals(List.of(cause), channel.takeCaught());
    }

    @Test
    void shouldCompletePendingWritesOnDemand() {
        MemoryChannel channel = MemoryChannel.connected().holdWrites();
        ChannelFuture first = channel.write("first");
        ChannelFuture second = channel.write("second");
        channel.completeWrites(1);
        assertTrue(first.isSuccess());
        assertFalse(second.isDone());
        channel.close();
        assertInstanceOf(ClosedChannelException.class, second.getCause());
        assertInstanceOf(ClosedChannelException.class, channel.write("third").getCause());
    }

    @Test
    void shouldReportReadingAndWritability() {
        MemoryChannel channel = MemoryChannel.connected();
        channel.takeUpstream();
        channel.turnWritable(false);
        channel.turnWritable(false);
        assertFalse(channel.isWritable());
        channel.turnWritable(true);
        channel.setReadable(false);
        assertFalse(channel.isReadable());
        assertEquals(3, channel.takeUpstream().size());
        assertEquals(
                ChannelState.INTEREST_OPS,
                ((ChannelStateEvent) channel.takeDownstream().get(1)).getState());
    }

    @Test
    void shouldRunTasksOnDemand() {
        MemoryChannel channel = MemoryChannel.open().holdTasks();
        ChannelFuture ran = channel.getPipeline().execute(() -> {});
        ChannelFuture failed = channel.getPipeline().execute(() -> {
            throw new IllegalStateException();
        });
        assertFalse(ran.isDone());
        assertEquals(2, channel.runTasks());
        assertTrue(ran.isSuccess());
        assertInstanceOf(IllegalStateException.class, failed.getCause());
    }

    @Test
    void shouldBeCreatedByItsFactory() {
        MemoryChannelFactory factory = new MemoryChannelFactory();
        MemoryChannel channel = (MemoryChannel) factory.newChannel(Channels.pipeline());
        assertEquals(List.of(channel), factory.channels());
        assertEquals(factory, channel.getFactory());
        factory.releaseExternalResources();
        assertTrue(factory.isReleased());
    }

    @Test
    void shouldReleaseWhatAWriteWasChargedAlthoughItsBufferWasRead() {
        MemoryChannel channel = MemoryChannel.connected().holdWrites();
        for (int i = 0; i < 2; i++) {
            channel.write(ChannelBuffers.wrappedBuffer(new byte[8 * 1024]));
        }
        channel.takeWritten().forEach(written -> ((ChannelBuffer) written).skipBytes(8 * 1024));
        channel.completeWrites(1);
        channel.failWrites(new IOException("reset"));
        assertEquals(0, WriteAccount.waitingBytes(channel));
    }
}
