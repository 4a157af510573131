package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http2.FramePeer.reset;
import static org.freshet.handler.codec.http2.FramePeer.setting;
import static org.freshet.handler.codec.http2.FramePeer.windowUpdate;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.channel.FileRegion;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpChunkTrailer;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which frames the messages of an answer become, as far as the client's windows allow. */
class Http2SendingTest {
    private final StreamLog log = new StreamLog();
    private final FramePeer peer = FramePeer.client(new Http2ServerHandler(log::pipeline));

    /** A stream whose client allows no content yet, after the head of its answer. */
    private Channel answering(long length) {
        peer.send(setting(0x4, 0), peer.get(1, "/"));
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        if (length < 0) {
            head.setChunked(true);
        } else {
            HttpHeaders.setContentLength(head, length);
        }
        log.last().write(head);
        peer.lines();
        return log.last();
    }

    private static ChannelBuffer bytes(String latin1) {
        return ChannelBuffers.copiedBuffer(latin1, ISO_8859_1);
    }

    private static HttpChunk chunk(String latin1) {
        return new DefaultHttpChunk(bytes(latin1));
    }

    private List<String> allowed(int octets) {
        peer.send(windowUpdate(1, octets));
        return peer.lines();
    }

    @Test
    void shouldJoinChunksAndSplitThemAtTheWindow() {
        Channel stream = answering(-1);
        ChannelFuture first = stream.write(chunk("abc"));
        ChannelFuture second = stream.write(chunk("def"));
        ChannelFuture last = stream.write(HttpChunk.LAST_CHUNK);
        assertEquals(List.of("DATA 1 'ab'"), allowed(2));
        assertFalse(first.isDone());
        assertEquals(List.of("DATA 1 'cd'"), allowed(2));
        assertTrue(first.isSuccess());
        assertFalse(second.isDone());
        assertEquals(List.of("DATA 1 'ef' END"), allowed(2));
        assertTrue(second.isSuccess() && last.isSuccess());
        assertFalse(stream.isOpen());
    }

    @Test
    void shouldSendTheEndWithoutAWindow() {
        Channel stream = answering(-1);
        stream.write(chunk("abc"));
        assertEquals(List.of("DATA 1 'abc'"), allowed(3));
        stream.write(HttpChunk.LAST_CHUNK);
        assertEquals(List.of("DATA 1 '' END"), peer.lines());
    }

    @Test
    void shouldSendTrailersAfterTheContent() {
        Channel stream = answering(-1);
        DefaultHttpChunkTrailer trailer = new DefaultHttpChunkTrailer();
        trailer.trailingHeaders().set("check", "1");
        stream.write(chunk("abc"));
        ChannelFuture last = stream.write(trailer);
        assertEquals(List.of("DATA 1 'ab'"), allowed(2));
        assertFalse(last.isDone());
        assertEquals(List.of("DATA 1 'c'", "HEADERS 1 check=1 END"), allowed(5));
        assertTrue(last.isSuccess());
    }

    @Test
    void shouldSendBuffersAndFilesInTheirOrder(@TempDir Path directory) throws IOException {
        FileChannel file = FileChannel.open(Files.writeString(directory.resolve("file"), "0123456789"));
        Channel stream = answering(8);
        ChannelFuture before = stream.write(bytes("ab"));
        ChannelFuture region = stream.write(new DefaultFileRegion(file, 3, 4, true));
        ChannelFuture after = stream.write(bytes("cd"));
        assertEquals(List.of("DATA 1 'ab'", "DATA 1 '3'"), allowed(3));
        assertTrue(before.isSuccess());
        assertFalse(region.isDone());
        assertTrue(file.isOpen());
        assertEquals(List.of("DATA 1 '456'", "DATA 1 'c'"), allowed(4));
        assertTrue(region.isSuccess());
        assertFalse(file.isOpen());
        assertEquals(List.of("DATA 1 'd' END"), allowed(1));
        assertTrue(after.isSuccess());
    }

    @Test
    void shouldEndWithAFile(@TempDir Path directory) throws IOException {
        FileChannel file = FileChannel.open(Files.writeString(directory.resolve("file"), "0123456789"));
        Channel stream = answering(10);
        stream.write(new DefaultFileRegion(file, 0, 10, true));
        assertEquals(List.of("DATA 1 '012345678'"), allowed(9));
        assertEquals(List.of("DATA 1 '9' END"), allowed(1));
        assertFalse(stream.isOpen());
    }

    /** A user's region: letters, of which it offers more than is asked for, and the target takes what it has room for. */
    private static final class Letters implements FileRegion {
        private static final int MOST_AT_A_TIME = 3;
        private final List<Integer> taken = new ArrayList<>();

        @Override
        public long getPosition() {
            return 0;
        }

        @Override
        public long getCount() {
            return 10;
        }

        @Override
        public long transferTo(WritableByteChannel target, long position) throws IOException {
            assertTrue(target.isOpen());
            ByteBuffer offered = ByteBuffer.wrap("abcdefghijklmnopqrstuvwxyz".getBytes(ISO_8859_1));
            offered.position((int) position).limit((int) position + MOST_AT_A_TIME);
            int count = target.write(offered);
            assertEquals(position + count, offered.position(), "as of any channel");
            target.close();
            taken.add(count);
            return count;
        }

        @Override
        public void releaseExternalResources() {}
    }

    @Test
    void shouldSendARegionThatIsTransferredInPieces() {
        Channel stream = answering(10);
        Letters letters = new Letters();
        ChannelFuture region = stream.write(letters);
        assertEquals(List.of("DATA 1 'abcd'"), allowed(4));
        assertEquals(List.of(3, 1), letters.taken, "no more than fits");
        assertEquals(List.of("DATA 1 'efghi'"), allowed(5));
        assertFalse(region.isDone());
        assertEquals(List.of("DATA 1 'j' END"), allowed(1));
        assertEquals(List.of(3, 1, 3, 2, 1), letters.taken);
        assertTrue(region.isSuccess());
    }

    @Test
    void shouldReleaseARegionWhoseStreamIsReset(@TempDir Path directory) throws IOException {
        FileChannel file = FileChannel.open(Files.writeString(directory.resolve("file"), "0123456789"));
        Channel stream = answering(10);
        ChannelFuture region = stream.write(new DefaultFileRegion(file, 0, 10, true));
        assertEquals(List.of("DATA 1 '01'"), allowed(2));
        peer.send(reset(1, Http2Error.CANCEL));
        assertFalse(file.isOpen());
        assertTrue(region.isDone());
        assertFalse(region.isSuccess());
        assertEquals(0, WriteAccount.waitingBytes(stream));
    }

    @Test
    void shouldNoLongerCountTheContentThatIsSent() {
        Channel stream = answering(1000);
        stream.write(ChannelBuffers.wrappedBuffer(new byte[1000]));
        assertEquals(WriteAccount.costOf(1000), WriteAccount.waitingBytes(stream));
        allowed(600);
        assertEquals(WriteAccount.costOf(400), WriteAccount.waitingBytes(stream));
        allowed(399);
        assertEquals(WriteAccount.costOf(1), WriteAccount.waitingBytes(stream));
        allowed(1);
        assertEquals(0, WriteAccount.waitingBytes(stream));
    }

    @Test
    void shouldSendNoContentWhileTheChannelIsUnwritable() {
        Channel stream = answering(4);
        stream.write(bytes("abcd"));
        peer.channel.turnWritable(false);
        assertEquals(List.of(), allowed(4));
        peer.channel.turnWritable(true);
        assertEquals(List.of("DATA 1 'abcd' END"), peer.lines());
    }

    @Test
    void shouldSendAStreamWhosePriorityChangesMeanwhile() {
        peer.send(setting(0x4, 0), peer.get(1, "/", "priority", "u=5"), peer.get(3, "/", "priority", "u=1"));
        log.channels.forEach(stream -> {
            HttpResponse answer = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            answer.setContent(bytes("x"));
            stream.write(answer);
        });
        peer.lines();
        peer.channel.turnWritable(false);
        peer.send(windowUpdate(1, 1), windowUpdate(3, 1));
        ((Http2StreamChannel) log.channels.get(0)).setPriority(new Http2Priority(0, true));
        peer.channel.turnWritable(true);
        assertEquals(List.of("DATA 1 'x' END", "DATA 3 'x' END"), peer.lines());
    }

    // ---- the end of the input ----

    /** A client may end its output after its last request, and still gets the answers. */
    @Test
    void shouldAnswerAfterTheEndOfTheInput() {
        peer.send(peer.get(1, "/"));
        peer.channel.getPipeline().sendUpstream(new InputShutdownEvent(peer.channel));
        assertTrue(peer.channel.isOpen());
        log.last().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        assertEquals(List.of("HEADERS 1 :status=200 END"), peer.lines());
    }

    @Test
    void shouldCloseAtTheEndOfTheInputOnceItsOwnOutputHasEnded() {
        MemoryChannel channel = MemoryChannel.connected(new Http2ServerHandler(log::pipeline));
        channel.receive(bytes("GET / HTTP/1.1\r\n\r\n"));
        assertTrue(channel.isOpen(), "the client gets to read why");
        channel.getPipeline().sendUpstream(new InputShutdownEvent(channel));
        assertFalse(channel.isOpen());
    }

    /** 2^31-1 octets; one more is an error (RFC 9113 6.9.1). */
    @Test
    void shouldAcceptTheLargestWindow() {
        peer.send(windowUpdate(0, Integer.MAX_VALUE - 65_535));
        assertEquals(List.of(), peer.lines());
        peer.send(windowUpdate(0, 1));
        assertEquals(List.of("GOAWAY 0 FLOW_CONTROL_ERROR"), peer.lines());
    }

    /** What a failed stream has not sent is still free, and nothing more. */
    @Test
    void shouldSendAsMuchAsTheConnectionsWindowAllowsAfterAFailure(@TempDir Path directory) throws IOException {
        peer.send(setting(0x4, 100_000), peer.get(1, "/"), peer.get(3, "/"));
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        HttpHeaders.setContentLength(head, 10);
        log.channels.get(0).write(head);
        FileChannel empty = FileChannel.open(Files.createFile(directory.resolve("empty")));
        assertFalse(log.channels
                .get(0)
                .write(new DefaultFileRegion(empty, 0, 10, true))
                .isSuccess());
        HttpResponse answer = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        answer.setContent(ChannelBuffers.wrappedBuffer(new byte[100_000]));
        log.channels.get(1).write(answer);
        int sent = 0;
        for (FramePeer.Frame each : peer.frames()) {
            sent += each.type() == FramePeer.DATA ? each.payload().readableBytes() : 0;
        }
        assertEquals(65_535, sent);
    }
}
