package org.freshet.seams;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.stream.ChunkedInput;
import org.freshet.handler.stream.ChunkedWriteHandler;
import org.freshet.testing.Await;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Prints how long a neighbour on the same loop waits for an answer during a large download; asserts no time. */
@EnabledIfSystemProperty(
        named = "freshet.test.latency",
        matches = "true",
        disabledReason = "takes a while and asserts no time; -Dfreshet.test.latency=true runs it")
class LatencyBesideDownloadTest {
    private static final long DOWNLOAD_BYTES = 4L << 30;
    private static final int CHUNK_BYTES = 64 * 1024;
    private static final int MAX_PINGS = 1_000_000;

    /** Answers d with the download and everything else with an echo. */
    private static final class Application extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            ChannelBuffer request = (ChannelBuffer) e.getMessage();
            boolean isDownload = request.getByte(request.readerIndex()) == 'd';
            e.getChannel().write(isDownload ? new Download() : request);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}
    }

    /** The same bytes repeatedly, so that the loop does nothing but send. */
    private static final class Download implements ChunkedInput {
        private final byte[] chunk = new byte[CHUNK_BYTES];
        private long givenBytes;

        @Override
        public boolean hasNextChunk() {
            return givenBytes < DOWNLOAD_BYTES;
        }

        @Override
        public Object nextChunk() {
            givenBytes += CHUNK_BYTES;
            return ChannelBuffers.wrappedBuffer(chunk);
        }

        @Override
        public boolean isEndOfInput() {
            return !hasNextChunk();
        }

        @Override
        public void close() {}
    }

    @Test
    @Timeout(300)
    void shouldPrintTheLatencyOfANeighbourOfADownload() throws Exception {
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory(1));
        bootstrap.setPipelineFactory(() -> Channels.pipeline(new ChunkedWriteHandler(), new Application()));
        try {
            Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (ScriptedPeer neighbour = ScriptedPeer.connect(server.getLocalAddress());
                    ScriptedPeer downloader = ScriptedPeer.connect(server.getLocalAddress())) {
                measure(neighbour, 5_000, new AtomicLong(), "without the download");
                AtomicLong receivedBytes = new AtomicLong();
                downloader.send("d");
                Thread reading = new Thread(() -> readAll(downloader, receivedBytes), "downloader");
                reading.start();
                measure(neighbour, MAX_PINGS, receivedBytes, "during it");
                Await.end(reading);
            }
        } finally {
            bootstrap.releaseExternalResources();
        }
    }

    private static void readAll(ScriptedPeer downloader, AtomicLong receivedBytes) {
        try {
            InputStream in = downloader.socket().getInputStream();
            byte[] block = new byte[CHUNK_BYTES];
            while (receivedBytes.get() < DOWNLOAD_BYTES) {
                receivedBytes.addAndGet(in.readNBytes(block, 0, block.length));
            }
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void measure(ScriptedPeer neighbour, int maxPings, AtomicLong receivedBytes, String when)
            throws Exception {
        long[] nanos = new long[maxPings];
        int pings = 0;
        while (pings < maxPings && receivedBytes.get() < DOWNLOAD_BYTES) {
            long began = System.nanoTime();
            neighbour.send("p").read(1);
            nanos[pings++] = System.nanoTime() - began;
        }
        assertTrue(pings > 0, "no ping was answered");
        Arrays.sort(nanos, 0, pings);
        System.out.printf(
                "ping %s: %d, p50 %.3f ms, p99 %.3f ms, max %.3f ms%n",
                when, pings, nanos[pings / 2] / 1e6, nanos[(int) (pings * 0.99)] / 1e6, nanos[pings - 1] / 1e6);
    }
}
