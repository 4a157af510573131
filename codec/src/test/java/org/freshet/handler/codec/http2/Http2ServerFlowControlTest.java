package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http2.FramePeer.reset;
import static org.freshet.handler.codec.http2.FramePeer.setting;
import static org.freshet.handler.codec.http2.FramePeer.windowUpdate;
import static org.freshet.handler.codec.http2.SampleResponses.response;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Http2ServerFlowControlTest {
    private final StreamLog log = new StreamLog();
    private final FramePeer peer = FramePeer.client(new Http2ServerHandler(log::pipeline));

    @Test
    void shouldSendNoMoreThanTheWindowsLetPass() {
        peer.send(setting(0x4, 5), peer.get(1, "/"));
        ChannelFuture written = log.last().write(response("hello world"));

        assertEquals(List.of("SETTINGS ACK", "HEADERS 1 :status=200", "DATA 1 'hello'"), peer.lines());
        assertFalse(written.isDone());
        peer.send(windowUpdate(1, 3));
        assertEquals(List.of("DATA 1 ' wo'"), peer.lines());
        peer.send(setting(0x4, 100));

        assertEquals(List.of("SETTINGS ACK", "DATA 1 'rld' END"), peer.lines());
        assertTrue(written.isSuccess());
    }

    @Test
    void shouldWaitForTheConnectionsWindow() {
        peer.send(setting(0x4, 1_000_000), peer.get(1, "/"));
        log.last().write(response("x".repeat(70_000)));
        peer.lines();

        peer.send(windowUpdate(0, 4465));

        assertEquals(List.of("DATA 1 4465 END"), peer.lines());
    }

    @Test
    void shouldBecomeUnwritableWhileMuchWaits() {
        peer.send(setting(0x4, 0), peer.get(1, "/"));
        HttpResponse head = response("");
        head.setChunked(true);
        Channel stream = log.last();
        stream.write(head);
        log.take();

        stream.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[70_000])));
        assertEquals(List.of("1 interest read unwritable"), log.take());
        assertFalse(stream.isWritable());
        peer.send(windowUpdate(1, 60_000));

        assertEquals(List.of("1 interest read writable"), log.take());
        assertTrue(stream.isWritable());
    }

    /**
     * Each message counts until it was sent, which is later than when its octets are charged to the connection instead.
     */
    @Test
    void shouldBecomeWritableWhenManySmallMessagesWereSent() {
        peer.send(setting(0x4, 0), peer.get(1, "/"));
        HttpResponse head = response("");
        head.setChunked(true);
        Channel stream = log.last();
        stream.write(head);
        while (stream.isWritable()) {
            stream.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[1])));
        }
        peer.channel.holdWrites();
        peer.send(windowUpdate(1, 60_000));
        log.take();

        peer.channel.completeWrites();

        assertEquals(List.of("1 interest read writable"), log.take());
        assertTrue(stream.isWritable());
    }

    @Test
    void shouldBeUnwritableWhileTheConnectionIs() {
        peer.send(peer.get(1, "/"));
        log.take();

        peer.channel.turnWritable(false);
        peer.channel.turnWritable(true);

        assertEquals(List.of("1 interest read unwritable", "1 interest read writable"), log.take());
    }

    @Test
    void shouldSendTheMostUrgentFirstAndInterleaveIncrementalOnes() {
        peer.send(
                setting(0x4, 1_000_000),
                windowUpdate(0, 1_000_000),
                peer.get(1, "/low", "priority", "u=5"),
                peer.get(3, "/inc", "priority", "i"),
                peer.get(5, "/inc", "priority", "u=3, i"),
                peer.get(7, "/high", "priority", "u=0"));
        peer.lines();
        peer.channel.turnWritable(false);
        log.channels.forEach(stream -> stream.write(response("x".repeat(20_000))));
        peer.lines();

        peer.channel.turnWritable(true);

        assertEquals(
                List.of(
                        "DATA 7 16384",
                        "DATA 7 3616 END",
                        "DATA 3 16384",
                        "DATA 5 16384",
                        "DATA 3 3616 END",
                        "DATA 5 3616 END",
                        "DATA 1 4449", // the batch is full
                        "DATA 1 15551 END"),
                peer.lines());
    }

    /** A short answer must not wait for the end of a long one that began before it. */
    @Test
    void shouldInterleaveAnswersToRequestsWithoutAPriority() {
        peer.send(setting(0x4, 1_000_000), windowUpdate(0, 1_000_000), peer.get(1, "/long"), peer.get(3, "/short"));
        peer.lines();
        peer.channel.turnWritable(false);
        log.channels.get(0).write(response("x".repeat(100_000)));
        log.channels.get(1).write(response("y".repeat(20_000)));
        peer.lines();

        peer.channel.turnWritable(true);

        assertEquals(
                List.of("DATA 1 16384", "DATA 3 16384", "DATA 1 16384", "DATA 3 3616 END"),
                peer.lines().subList(0, 4));
    }

    /** Handlers that limit how slowly a client may read need to know how much it reads. */
    @Test
    void shouldNotifyHandlersOfEachPartSent() {
        List<Long> written = new ArrayList<>();
        FramePeer client =
                FramePeer.client(new Http2ServerHandler(() -> Channels.pipeline(new SimpleChannelUpstreamHandler() {
                    @Override
                    public void writeComplete(ChannelHandlerContext ctx, WriteCompletionEvent e) {
                        written.add(e.getWrittenAmount());
                    }

                    @Override
                    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                        ctx.getChannel().write(response("x".repeat(50_000)));
                    }
                })));
        client.send(setting(0x4, 20_000), client.get(1, "/"));
        assertEquals(List.of(20_000L), written);

        client.send(windowUpdate(1, 20_000));
        assertEquals(List.of(20_000L, 20_000L), written);
        client.send(windowUpdate(1, 20_000));
        assertEquals(List.of(20_000L, 20_000L, 10_000L), written);
    }

    @Test
    void shouldEndTheStreamOnceHoweverManyEmptyChunksThereAre() {
        peer.send(peer.get(1, "/"));
        peer.channel.turnWritable(false);
        Channel stream = log.last();
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.setChunked(true);
        stream.write(response);
        stream.write(new DefaultHttpChunk(ChannelBuffers.copiedBuffer("abc", ISO_8859_1)));
        stream.write(new DefaultHttpChunk(ChannelBuffers.copiedBuffer("d", ISO_8859_1)));
        stream.write(HttpChunk.LAST_CHUNK);
        peer.channel.turnWritable(true);

        assertEquals(List.of("HEADERS 1 :status=200", "DATA 1 'abcd' END"), peer.lines());
    }

    /** A peer that opens no window and resets its streams must not cause them to be retained. */
    @Test
    void shouldForgetStreamsThatWaitedForTheConnectionsWindow() {
        peer.send(setting(0x4, 1_000_000), peer.get(1, "/"));
        log.last().write(response("x".repeat(70_000))); // more than the connection's window
        List<WeakReference<Channel>> ended = new ArrayList<>();
        for (int id = 3; id < 203; id += 2) {
            peer.send(peer.get(id, "/"));
            log.last().write(response("y"));
            ended.add(new WeakReference<>(log.last()));
            peer.send(reset(id, Http2Error.CANCEL));
        }
        log.channels.subList(1, log.channels.size()).clear();
        log.messages.clear();
        peer.channel.takeUpstream();

        Await.until(
                () -> {
                    System.gc();
                    return ended.stream().allMatch(reference -> reference.get() == null);
                },
                "nothing that refers to the ended streams");
    }

    /** The file belongs to the channel from the write on, whether it is sent or not. */
    @ParameterizedTest
    @CsvSource({"HEAD, false", "GET, true"})
    void shouldReleaseAnUnsentRegion(String method, boolean closesFirst, @TempDir Path directory) throws IOException {
        Path file = Files.write(directory.resolve("file"), new byte[100]);
        FileChannel channel = FileChannel.open(file);
        peer.send(peer.request(1, true, method, "/"));
        Channel stream = log.last();
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        HttpHeaders.setContentLength(response, 100);
        stream.write(response);
        if (closesFirst) {
            stream.close();
        }

        stream.write(new DefaultFileRegion(channel, 0, 100, true));

        assertFalse(channel.isOpen());
    }

    @Test
    void shouldReleaseARegionThatItCannotSend(@TempDir Path directory) throws IOException {
        Path file = Files.write(directory.resolve("file"), new byte[100]);
        FileChannel channel = FileChannel.open(file);
        peer.send(peer.get(1, "/"));

        assertFalse(
                log.last().write(new DefaultFileRegion(channel, 0, 100, true)).isSuccess());

        assertFalse(channel.isOpen());
    }

    @Test
    void shouldFillBatchesThatTheTransportSendsTogether() {
        peer.send(setting(0x4, 1_000_000), windowUpdate(0, 1_000_000), peer.get(1, "/"));
        peer.lines();
        peer.channel.holdWrites();
        log.last().write(response("x".repeat(200_000)));

        List<Integer> batches = new ArrayList<>();
        while (peer.channel.unansweredWrites() > 0) {
            peer.channel.takeWritten().forEach(batch -> batches.add(((ChannelBuffer) batch).readableBytes()));
            peer.channel.completeWrites();
        }

        int full = DataSender.FORMATTED_AHEAD;
        int octets = 200_000 + 14 * 9 + 1; // frames HEADERS and DATA, and the field of the head
        assertEquals(List.of(full, full, full, octets - 3 * full), batches);
    }
}
