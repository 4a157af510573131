package org.freshet.channel.local;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.concurrent.atomic.AtomicBoolean;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.DefaultChannelFuture;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.junit.jupiter.api.Test;

class LocalCloseWithoutMemoryTest {
    private static final LocalAddress NAME = new LocalAddress("a close without memory");

    /** Has no memory for its first failure. */
    private static final class StarvedFuture extends DefaultChannelFuture {
        private final AtomicBoolean hasFailed = new AtomicBoolean();

        StarvedFuture(Channel channel) {
            super(channel, false);
        }

        @Override
        public boolean setFailure(Throwable cause) {
            if (!hasFailed.getAndSet(true)) {
                throw new OutOfMemoryError("thrown on purpose");
            }
            return super.setFailure(cause);
        }
    }

    private static ChannelFuture write(Channel channel, ChannelFuture future) {
        channel.getPipeline()
                .sendDownstream(new DownstreamMessageEvent(
                        channel, future, ChannelBuffers.wrappedBuffer(new byte[] {1}), null));
        return future;
    }

    @Test
    void shouldCompleteTheCloseAndFailWhatWaited() {
        Recorder ofServer = new Recorder();
        Recorder ofClient = new Recorder();
        try (Rig rig = new Rig(new DefaultLocalServerChannelFactory(), new DefaultLocalClientChannelFactory())) {
            rig.listen(NAME, () -> ofServer);
            Channel client = rig.connect(NAME, ofClient);
            Channel accepted = ofServer.awaitEvent("connected").channel();
            accepted.setReadable(false);
            write(client, new StarvedFuture(client));
            ChannelFuture behind = write(client, new DefaultChannelFuture(client, false));
            Await.done(accepted.close(), "the close");
            Await.done(behind, "the write that waited");
            assertFalse(behind.isSuccess());
            ofServer.awaitClosed();
            ofClient.awaitClosed();
        }
    }
}
