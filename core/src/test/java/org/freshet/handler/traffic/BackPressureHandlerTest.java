package org.freshet.handler.traffic;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.freshet.channel.Channel;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

class BackPressureHandlerTest {
    private final MemoryChannel channel =
            MemoryChannel.connected(new BackPressureHandler(), new SimpleChannelUpstreamHandler());

    private void setWritable(boolean writable) {
        channel.setUserDefinedWritability(1, writable);
    }

    @Test
    void shouldReadOnlyWhileTheChannelIsWritable() {
        assertTrue(channel.isReadable());
        setWritable(false);
        assertFalse(channel.isReadable());
        setWritable(true);
        assertTrue(channel.isReadable());
    }

    @Test
    void shouldNotResumeReadingSuspendedByAHandlerAbove() {
        channel.setReadable(false);
        setWritable(false);
        setWritable(true);
        assertFalse(channel.isReadable());
        channel.setReadable(true);
        assertTrue(channel.isReadable());
    }

    @Test
    void shouldRememberAHandlersRequestWhileTheChannelIsNotWritable() {
        setWritable(false);
        channel.setReadable(false);
        channel.setReadable(true);
        assertFalse(channel.isReadable());
        channel.setReadable(false);
        setWritable(true);
        assertFalse(channel.isReadable());
    }

    @Test
    void shouldStartWhenItIsAddedToAChannelThatIsNotWritable() {
        Channel open = MemoryChannel.connected(new SimpleChannelUpstreamHandler());
        open.setUserDefinedWritability(1, false);
        assertTrue(open.isReadable());
        open.getPipeline().addFirst("backPressure", new BackPressureHandler());
        assertFalse(open.isReadable());
    }

    @Test
    void shouldResumeWhenItIsRemoved() {
        setWritable(false);
        channel.getPipeline().remove(BackPressureHandler.class);
        assertTrue(channel.isReadable());
        setWritable(true);
        setWritable(false);
        assertTrue(channel.isReadable());
    }
}
