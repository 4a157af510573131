package org.freshet.internal.write;

import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureProgressListener;
import org.freshet.channel.Channels;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.FileRegion;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.MemoryChannelFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutgoingMessageTest {
    private final Channel channel =
            new MemoryChannelFactory().newChannel(Channels.pipeline(new SimpleChannelUpstreamHandler()));
    private final ChannelFuture future = Channels.future(channel);

    private FileChannel file;

    @BeforeEach
    void openFile(@TempDir Path directory) throws IOException {
        file = FileChannel.open(Files.createFile(directory.resolve("file")));
    }

    @AfterEach
    void closeFile() throws IOException {
        file.close();
    }

    private OutgoingMessage of(Object message) {
        return new OutgoingMessage(new DownstreamMessageEvent(channel, future, message, null));
    }

    @Test
    void shouldSendTheSameBytesWhenTheUserMovesTheIndices() {
        ChannelBuffer buffer = wrappedBuffer(new byte[10]);
        buffer.readerIndex(2);
        OutgoingMessage message = of(buffer);
        buffer.readerIndex(10);
        assertEquals(8, message.length());
        assertEquals(2, message.position());
        message.addSent(3);
        assertEquals(5, message.position());
        assertEquals(5, message.remaining());
    }

    @Test
    void shouldChargeTheBytesOfBuffersAndADescriptorForFiles() {
        assertEquals(128, of(wrappedBuffer(new byte[10])).chargedBytes());
        assertEquals(16 * 1024, of(new DefaultFileRegion(file, 0, 10)).chargedBytes());
    }

    @Test
    void shouldReportProgressOfFilesOnly() {
        List<Long> progress = new ArrayList<>();
        future.addListener(new ChannelFutureProgressListener() {
            @Override
            public void operationProgressed(ChannelFuture future, long amount, long current, long total) {
                progress.addAll(List.of(amount, current, total));
            }

            @Override
            public void operationComplete(ChannelFuture future) {}
        });
        of(wrappedBuffer(new byte[10])).reportProgress(1);
        OutgoingMessage region = of(new DefaultFileRegion(file, 0, 10));
        region.addSent(4);
        region.reportProgress(4);
        assertEquals(List.of(4L, 4L, 10L), progress);
    }

    @Test
    void shouldRefuseMessagesATransportCannotSend() {
        IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, () -> of("text"));
        assertEquals(
                "message is neither a ChannelBuffer nor a FileRegion, an encoder is missing: java.lang.String",
                refusal.getMessage());
    }

    @Test
    void shouldCompleteTheFutureEvenIfTheRegionCannotBeReleased() {
        try (CapturedLog log = CapturedLog.start()) {
            FileRegion broken = new DefaultFileRegion(file, 0, 1, true) {
                @Override
                public long transferTo(WritableByteChannel target, long position) {
                    return 0;
                }

                @Override
                public void releaseExternalResources() {
                    throw new IllegalStateException("thrown on purpose");
                }
            };
            of(broken).complete(null);
            assertTrue(future.isSuccess());
            assertEquals(1, log.messages().size());
        }
    }

    @Test
    void shouldFailTheFutureWithTheCause() {
        IOException cause = new IOException("the peer has gone");
        of(wrappedBuffer(new byte[1])).complete(cause);
        assertEquals(cause, future.getCause());
    }
}
