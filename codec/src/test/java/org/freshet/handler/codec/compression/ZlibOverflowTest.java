package org.freshet.handler.codec.compression;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.handler.codec.compression.ZlibStreams.wrap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.WriteOverflowException;
import org.freshet.channel.local.DefaultLocalClientChannelFactory;
import org.freshet.channel.local.DefaultLocalServerChannelFactory;
import org.freshet.channel.local.LocalAddress;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An encoder on a channel that refuses writes. A missing piece of the stream would corrupt what follows. */
class ZlibOverflowTest {
    private static final int LIMIT = 64 * 1024;
    private static final int LENGTH = 5_000;

    private final List<Throwable> damage = new CopyOnWriteArrayList<>();
    private final StringBuffer received = new StringBuffer();
    private final CompletableFuture<Channel> unread = new CompletableFuture<>();

    private final class Reader extends SimpleChannelUpstreamHandler {
        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            e.getChannel().setReadable(false);
            unread.complete(e.getChannel());
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            received.append(((ChannelBuffer) e.getMessage()).toString(US_ASCII));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            damage.add(e.getCause());
        }
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder(LENGTH);
        random.ints(LENGTH, '!', '~').forEach(text::appendCodePoint);
        return text.toString();
    }

    @Test
    void shouldKeepTheStreamIntactWhateverIsRefused() {
        try (Rig rig = new Rig(new DefaultLocalServerChannelFactory(), new DefaultLocalClientChannelFactory())) {
            LocalAddress name = new LocalAddress("ZlibOverflowTest");
            rig.server().setPipelineFactory(() -> Channels.pipeline(new ZlibDecoder(), new Reader()));
            rig.server().bind(name);
            Channel writer = rig.connect(name, new ZlibEncoder());
            writer.getConfig().setOption("writeBufferLimit", LIMIT);
            writer.getConfig().setOption("writeBufferHighWaterMark", LIMIT / 2);
            writer.getConfig().setOption("writeOverflow", WriteOverflow.FAIL);
            Channel reader = Await.result(unread, "the connection");

            StringBuilder accepted = new StringBuilder();
            Random random = Seeds.random();
            int refused = 0;
            for (int i = 0; i < 40; i++) {
                String text = text(random);
                ChannelFuture write = writer.write(wrap(text.getBytes(US_ASCII)));
                if (write.isDone()) {
                    assertInstanceOf(WriteOverflowException.class, write.getCause());
                    refused++;
                } else {
                    accepted.append(text);
                }
            }
            assertTrue(refused > 0);
            reader.setReadable(true);
            Await.until(() -> received.length() == accepted.length(), () -> received.length() + " bytes");
            String last = text(random);
            Await.success(writer.write(wrap(last.getBytes(US_ASCII))), "a write that fits");
            Await.until(() -> received.length() == accepted.length() + LENGTH, () -> received.length() + " bytes");
            assertEquals(accepted + last, received.toString());
            assertEquals(List.of(), damage);
        }
    }

    @Test
    void shouldCloseARefusedFile(@TempDir Path directory) throws IOException {
        Path path = Files.write(directory.resolve("file"), new byte[10]);
        try (Rig rig = new Rig(new DefaultLocalServerChannelFactory(), new DefaultLocalClientChannelFactory());
                FileChannel file = FileChannel.open(path)) {
            LocalAddress name = new LocalAddress("ZlibOverflowTest");
            rig.server().setPipelineFactory(() -> Channels.pipeline(new ZlibDecoder(), new Reader()));
            rig.server().bind(name);
            Channel writer = rig.connect(name, new ZlibEncoder());
            writer.getConfig().setOption("writeBufferLimit", LIMIT);
            writer.getConfig().setOption("writeBufferHighWaterMark", LIMIT / 2);
            writer.getConfig().setOption("writeOverflow", WriteOverflow.FAIL);
            Await.result(unread, "the connection");
            while (writer.write(wrap(text(Seeds.random()).getBytes(US_ASCII))).getCause() == null) {
                assertTrue(writer.isOpen());
            }
            ChannelFuture refused = writer.write(new DefaultFileRegion(file, 0, 10, true));
            assertInstanceOf(WriteOverflowException.class, refused.getCause());
            assertFalse(file.isOpen());
        }
    }

    @Test
    void shouldWriteItsEndEvenIfTheLimitIsReached() {
        try (Rig rig = new Rig(new DefaultLocalServerChannelFactory(), new DefaultLocalClientChannelFactory())) {
            LocalAddress name = new LocalAddress("ZlibOverflowTest");
            rig.server().setPipelineFactory(() -> Channels.pipeline(new ZlibDecoder(), new Reader()));
            rig.server().bind(name);
            ZlibEncoder encoder = new ZlibEncoder();
            Channel writer = rig.connect(name, encoder);
            Channel reader = Await.result(unread, "the connection");
            writer.write(wrap(text(Seeds.random()).getBytes(US_ASCII)));
            writer.getConfig().setOption("writeBufferLowWaterMark", 1024);
            writer.getConfig().setOption("writeBufferHighWaterMark", 1024);
            writer.getConfig().setOption("writeBufferLimit", 1024);
            writer.getConfig().setOption("writeOverflow", WriteOverflow.FAIL);
            ChannelFuture end = encoder.close();
            reader.setReadable(true);
            Await.success(end, "the end of the stream");
        }
    }
}
