package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testing.Allocations;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

/**
 * The heap used by connections, streams and requests, without a user's objects. For requests and streams, the test
 * counts allocations, which are never less than what is retained; for connections, what remains after a garbage
 * collection.
 */
class Http2FootprintTest {
    private static final int ATTEMPTS = 200;
    private static final int REQUEST_BYTES = 920;

    /**
     * The extra cost of a request in this test: the test's channel has no thread, so a task notifies it of each stream,
     * and only C2 eliminates iterators and a pipeline's array.
     */
    private static final int REQUEST_BYTES_OF_TEST = 190;

    private static final int STREAM_BYTES = 1_200;
    private static final int CONNECTION_BYTES = 6 * 1024;

    /** Answers every request with one response created in advance. */
    @ChannelHandler.Sharable
    private static final class Answering extends SimpleChannelUpstreamHandler {
        private final HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);

        Answering() {
            response.headers().set("Content-Type", "text/plain");
            response.headers().set("Content-Length", "5");
            response.setContent(ChannelBuffers.copiedBuffer("hello", ISO_8859_1));
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            e.getChannel().write(response);
        }
    }

    /** Keeps stream events from the test's channel, which would store them. */
    private static final class Drop implements ChannelUpstreamHandler {
        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {}
    }

    private final Answering answering = new Answering();

    private Http2ServerHandler server(int maxStreams) {
        return new Http2ServerHandler(
                () -> Channels.pipeline(answering),
                Http2Settings.defaults().toBuilder()
                        .maxConcurrentStreams(maxStreams)
                        .build());
    }

    private static MemoryChannel open(ChannelHandler server) {
        MemoryChannel channel = MemoryChannel.connected(server, new Drop());
        receive(channel, Http2ServerHandler.PREFACE);
        receive(channel, FramePeer.frame(FramePeer.SETTINGS, 0, 0));
        receive(channel, FramePeer.frame(FramePeer.SETTINGS, FramePeer.ACK, 0));
        receive(channel, FramePeer.windowUpdate(0, 1 << 30));
        channel.takeWritten();
        return channel;
    }

    private static void receive(MemoryChannel channel, byte[] octets) {
        channel.receive(ChannelBuffers.wrappedBuffer(octets));
    }

    private static FramePeer newClient() {
        return new FramePeer(new Drop()); // only makes frames
    }

    private static byte[] requests(FramePeer client, int firstId, int count, boolean endsStream) {
        byte[][] all = new byte[count][];
        for (int i = 0; i < count; i++) {
            all[i] = client.request(firstId + 2 * i, endsStream, endsStream ? "GET" : "POST", "/path");
        }
        return ChannelBuffers.wrappedBuffer(all).toByteBuffer().array();
    }

    /**
     * Compiled code allocates less than code that runs for the first time, so the minimum of several attempts counts.
     */
    private static void assertAtMost(int limit, int count, LongSupplier attempt) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < ATTEMPTS && least > (long) limit * count; i++) {
            least = Math.min(least, attempt.getAsLong());
        }
        long each = least / count;
        assertTrue(each <= limit, each + " bytes instead of " + limit);
    }

    @Test
    void shouldAllocate920BytesForARequestAndItsAnswer() {
        int reads = 40;
        int together = 32;
        assertAtMost(REQUEST_BYTES + REQUEST_BYTES_OF_TEST, reads * together, () -> {
            FramePeer client = newClient();
            MemoryChannel channel = open(server(100));
            byte[][] requests = IntStream.range(0, reads)
                    .mapToObj(i -> requests(client, 1 + 2 * together * i, together, true))
                    .toArray(byte[][]::new);
            long bytes = Allocations.bytesOf(() -> {
                for (byte[] read : requests) {
                    receive(channel, read);
                }
            });
            assertEquals(reads, channel.takeWritten().size(), "a batch for each read");
            return bytes;
        });
    }

    @Test
    void shouldRetain1200BytesForAnIdleStream() {
        int streams = 300;
        assertAtMost(STREAM_BYTES, streams, () -> {
            MemoryChannel channel = open(server(streams));
            byte[] requests = requests(newClient(), 1, streams, false);
            return Allocations.bytesOf(() -> receive(channel, requests));
        });
    }

    @Test
    void shouldRetain6KilobytesForAnIdleConnection() {
        int connections = 1_000;
        byte[] request = requests(newClient(), 1, 1, true);
        assertAtMost(
                CONNECTION_BYTES,
                connections,
                () -> keptBytes(connections, request, () -> server(100)) - keptBytes(connections, request, Drop::new));
    }

    private static long keptBytes(int connections, byte[] request, Supplier<ChannelHandler> handler) {
        MemoryChannel[] open = new MemoryChannel[connections];
        long before = usedBytes();
        for (int i = 0; i < connections; i++) {
            open[i] = open(handler.get());
            receive(open[i], request);
            open[i].takeWritten();
        }
        long kept = usedBytes() - before;
        for (MemoryChannel channel : open) {
            channel.close();
        }
        return kept;
    }

    /** Heap in use after a garbage collection. */
    private static long usedBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
