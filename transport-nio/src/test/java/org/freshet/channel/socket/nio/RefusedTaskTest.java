package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import org.freshet.channel.Channel;
import org.freshet.channel.Channels;
import org.freshet.channel.UnobservedFailures;
import org.freshet.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A task submitted after its loop has stopped. */
class RefusedTaskTest {
    @AfterEach
    void stopListening() {
        UnobservedFailures.setListener(null);
    }

    @Test
    void shouldNotCountAsAnUnobservedFailure() {
        NioClientSocketChannelFactory factory = new NioClientSocketChannelFactory();
        Channel channel = factory.newChannel(Channels.pipeline());
        Await.success(channel.close(), "the close");
        factory.releaseExternalResources();
        List<Throwable> overlooked = new CopyOnWriteArrayList<>();
        UnobservedFailures.setListener((failed, cause) -> {
            if (failed == channel) {
                overlooked.add(cause);
            }
        });
        assertInstanceOf(
                RejectedExecutionException.class,
                channel.getPipeline().execute(() -> {}).getCause());
        assertEquals(List.of(), overlooked);
    }
}
