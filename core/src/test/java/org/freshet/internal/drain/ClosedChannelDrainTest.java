package org.freshet.internal.drain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.util.Map;
import org.freshet.internal.EmptiedAccounts;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

class ClosedChannelDrainTest {
    @Test
    void shouldForgetAChannelThatClosedBeforeItsDrainAndNoLongerRunsTasks() throws Exception {
        Field watchers = EmptiedAccounts.class.getDeclaredField("WATCHERS");
        watchers.setAccessible(true);
        Map<?, ?> watched = (Map<?, ?>) watchers.get(null);
        int before = watched.size();
        MemoryChannel channel = MemoryChannel.connected().holdTasks();
        channel.close();
        assertTrue(ChannelDrain.start(channel, 0, Runnable::run).ended().isDone());
        assertEquals(before, watched.size());
    }
}
