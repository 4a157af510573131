package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.ACK;
import static org.freshet.handler.codec.http2.FramePeer.PING;
import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.freshet.handler.codec.http2.FramePeer.reset;
import static org.freshet.handler.codec.http2.FramePeer.setting;
import static org.freshet.handler.codec.http2.FramePeer.windowUpdate;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is known of messages while the batch that contains them waits in the connection's channel, and afterwards. */
class Http2BatchesTest {
    private static final int MUCH = 40_000;

    private final StreamLog log = new StreamLog();
    private final List<String> events = new ArrayList<>();
    private final FramePeer peer = FramePeer.client(new Http2ServerHandler(this::pipeline));

    private ChannelPipeline pipeline() {
        ChannelPipeline pipeline = log.pipeline();
        pipeline.addFirst("events", new SimpleChannelUpstreamHandler() {
            @Override
            public void writeComplete(ChannelHandlerContext ctx, WriteCompletionEvent e) {
                events.add("written " + e.getWrittenAmount());
            }

            @Override
            public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
                events.add(e.getChannel().isWritable() ? "writable" : "unwritable");
            }
        });
        return pipeline;
    }

    private static HttpResponse answer(int length) {
        HttpResponse answer = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        answer.setContent(ChannelBuffers.wrappedBuffer(new byte[length]));
        return answer;
    }

    private Channel asked() {
        peer.send(peer.get(1, "/"));
        return log.last();
    }

    private Channel answering() {
        Channel stream = asked();
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.setChunked(true);
        stream.write(head);
        return stream;
    }

    private static ChannelFuture writeChunk(Channel stream, int length) {
        return stream.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[length])));
    }

    // ---- what waits ----

    @Test
    void shouldCountContentForTheConnectionAloneOnceItsChannelHasIt() {
        Channel stream = answering();
        peer.channel.holdWrites();
        ChannelFuture written = writeChunk(stream, MUCH);
        assertFalse(written.isDone());
        assertEquals(WriteAccount.MESSAGE_BYTES, WriteAccount.waitingBytes(stream), "only the message itself");
        assertTrue(WriteAccount.waitingBytes(peer.channel) >= MUCH);
        peer.channel.completeWrites();
        assertTrue(written.isSuccess());
        assertEquals(0, WriteAccount.waitingBytes(stream));
    }

    @Test
    void shouldCountTheContentOfEachStreamOfABatch() {
        List<ChannelFuture> written = new ArrayList<>();
        log.reaction = (stream, message) -> {
            if (log.channels.size() == 2) {
                log.channels.forEach(each -> written.add(each.write(answer(each == stream ? 10 : 1_000))));
            }
        };
        peer.channel.holdWrites();
        peer.send(peer.get(1, "/"), peer.get(3, "/"));
        assertEquals(1, peer.channel.unansweredWrites());
        for (Channel each : log.channels) {
            assertEquals(WriteAccount.MESSAGE_BYTES, WriteAccount.waitingBytes(each));
        }
        peer.channel.completeWrites();
        assertTrue(written.stream().allMatch(ChannelFuture::isSuccess));
        log.channels.forEach(each -> assertEquals(0, WriteAccount.waitingBytes(each)));
    }

    @Test
    void shouldLetAStreamWriteOnWhileTheConnectionHasRoom() {
        peer.send(setting(0x4, 0));
        Channel stream = answering();
        stream.getConfig().setOption("writeBufferLowWaterMark", 1_000);
        stream.getConfig().setOption("writeBufferHighWaterMark", 2_000);
        peer.channel.holdWrites();
        writeChunk(stream, 10_000);
        assertFalse(stream.isWritable());
        events.clear();
        peer.send(windowUpdate(1, 10_000));
        assertEquals(List.of("writable"), events);
        assertTrue(peer.channel.unansweredWrites() > 0);
    }

    /** Each message that isn't complete counts, even without content. */
    @Test
    void shouldLetAStreamWriteOnOnceItsMessagesAreComplete() {
        Channel stream = answering();
        stream.getConfig().setOption("writeBufferLowWaterMark", 100);
        stream.getConfig().setOption("writeBufferHighWaterMark", 200);
        peer.channel.holdWrites();
        events.clear();
        for (int i = 0; i < 3; i++) {
            writeChunk(stream, 1);
        }
        assertFalse(stream.isWritable());
        peer.channel.completeWrites();
        assertTrue(stream.isWritable());
        assertTrue(events.contains("writable"), events.toString());
    }

    @Test
    void shouldEndAStreamOnlyWithTheBatchThatEndsItsAnswer() {
        Channel stream = asked();
        peer.channel.holdWrites();
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.setChunked(true);
        ChannelFuture begun = stream.write(head);
        ChannelFuture ended = stream.write(HttpChunk.LAST_CHUNK);
        assertEquals(2, peer.channel.unansweredWrites());
        peer.channel.completeWrites(1);
        assertTrue(begun.isSuccess() && stream.isOpen());
        assertFalse(ended.isDone());
        peer.channel.completeWrites();
        assertTrue(ended.isSuccess());
        assertSame(CloseReason.COMPLETED, stream.getCloseReason());
    }

    // ---- what was not sent ----

    @Test
    void shouldNotReportContentThatCouldNotBeSent() {
        peer.send(setting(0x4, 2 * MUCH));
        Channel stream = answering();
        peer.channel.holdWrites();
        ChannelFuture whole = writeChunk(stream, 10);
        ChannelFuture cut = writeChunk(stream, 2 * MUCH);
        events.clear();
        try (CapturedLog log = CapturedLog.start()) {
            peer.channel.failWrites(new IOException("Broken pipe"));
            assertEquals(List.of(), log.messages(InternalLogLevel.ERROR));
        }
        assertFalse(whole.isSuccess());
        assertTrue(whole.isDone());
        assertFalse(cut.isSuccess());
        assertFalse(events.stream().anyMatch(event -> event.startsWith("written")), events.toString());
    }

    /** A handler that follows its progress must not hear of it after the close. */
    @Test
    void shouldNotReportAPartOfAnAnswerThatIsCancelledMeanwhile() {
        peer.send(setting(0x4, 10), peer.request(1, false, "POST", "/"));
        peer.channel.holdWrites();
        log.last().write(answer(100));
        peer.send(reset(1, Http2Error.CANCEL));
        assertFalse(log.last().isOpen());
        events.clear();
        peer.channel.completeWrites();
        assertEquals(List.of(), events);
    }

    private static ChannelDownstreamHandler refusing(Throwable cause) {
        return (ctx, e) -> {
            if (e instanceof MessageEvent write
                    && write.getMessage() instanceof ChannelBuffer octets
                    && octets.readableBytes() > MUCH) {
                e.getFuture().setFailure(cause);
            } else {
                ctx.sendDownstream(e);
            }
        };
    }

    /** The peer couldn't follow what comes next: its table of fields would differ, for example. */
    @Test
    void shouldEndTheConnectionIfABatchIsRefused() {
        peer.channel.getPipeline().addFirst("refusal", refusing(new IllegalStateException("planned")));
        ChannelFuture refused = asked().write(answer(MUCH));
        assertEquals("planned", refused.getCause().getMessage());
        assertFalse(peer.channel.isOpen());
        assertEquals(
                CloseReason.Kind.WRITE_FAILED, peer.channel.getCloseReason().kind());
        assertEquals(List.of(), peer.lines());
    }

    /** The transport closes the channel itself, once everything that had arrived is read. */
    @Test
    void shouldLeaveTheEndToATransportThatHasLostItsPeer() {
        peer.channel.getPipeline().addFirst("refusal", refusing(new IOException("Broken pipe")));
        assertFalse(asked().write(answer(MUCH)).isSuccess());
        assertTrue(peer.channel.isOpen());
    }

    // ---- parts ----

    @Test
    void shouldReportThePartsOfEachAnswerInABatch() {
        peer.send(setting(0x4, 0), peer.get(1, "/"), peer.get(3, "/"));
        log.channels.forEach(stream -> stream.write(answer(100)));
        events.clear();
        peer.send(setting(0x4, 10));
        assertEquals(List.of("written 10", "written 10"), events);
        events.clear();
        peer.send(windowUpdate(3, 20), windowUpdate(3, 1));
        assertEquals(List.of("written 21"), events);
    }

    @Test
    void shouldReportThePartsOfAFile(@TempDir Path directory) throws IOException {
        peer.send(setting(0x4, 4));
        Channel stream = asked();
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        HttpHeaders.setContentLength(head, 10);
        stream.write(head);
        FileChannel file = FileChannel.open(Files.writeString(directory.resolve("file"), "0123456789"));
        events.clear();
        stream.write(new DefaultFileRegion(file, 0, 10, true));
        assertEquals(List.of("written 4"), events);
        peer.send(windowUpdate(1, 6));
        assertEquals(List.of("written 4", "written 6"), events);
    }

    // ---- drains ----

    private DrainEvent drain() {
        DrainEvent event = new DrainEvent(peer.channel, () -> {});
        peer.channel.getPipeline().sendUpstream(event);
        peer.send(frame(PING, ACK, 0, new byte[] {0, 0, 0, 'd', 'r', 'a', 'i', 'n'}));
        peer.lines();
        return event;
    }

    /** The answer has not even reached the channel when the last stream ends. */
    @Test
    void shouldNotTakeAnAnswerForAGoodbyeThatIsWrittenWithTheEndOfItsStream() {
        peer.send(peer.request(1, false, "POST", "/"));
        DrainEvent event = drain();
        peer.channel.holdWrites();
        log.reaction = (stream, message) -> {
            stream.write(answer(10));
            stream.close();
        };
        peer.send(data(1, false, "content"));
        assertFalse(log.last().isOpen());
        assertFalse(event.isComplete());
        peer.channel.completeWrites();
        assertTrue(event.isComplete());
    }

    /** Its client knows only from the reset, which waits behind that part, that there is no more. */
    @Test
    void shouldNotCallADrainCompleteWhileAPartOfACutAnswerWaits() {
        DrainEvent event = cutAnswer();
        peer.channel.completeWrites(1);
        assertTrue(event.isComplete());
    }

    @Test
    void shouldNotCallADrainCompleteIfAPartOfACutAnswerCouldNotBeSent() {
        DrainEvent event = cutAnswer();
        peer.channel.failWrites(new IOException("Broken pipe"));
        peer.channel.close();
        assertFalse(event.isComplete());
    }

    /** The client wants nothing of it any more, so nothing is lost. */
    @Test
    void shouldCallADrainCompleteIfWhatCouldNotBeSentWasCancelled() {
        peer.send(peer.request(1, false, "POST", "/"));
        DrainEvent event = drain();
        peer.channel.holdWrites();
        log.last().write(answer(10));
        peer.send(reset(1, Http2Error.CANCEL));
        assertFalse(event.isComplete());
        peer.channel.failWrites(new IOException("Broken pipe"));
        assertTrue(event.isComplete());
    }

    private DrainEvent cutAnswer() {
        peer.send(setting(0x4, 10), peer.get(1, "/"));
        DrainEvent event = drain();
        peer.channel.holdWrites();
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.setChunked(true);
        log.last().write(head);
        peer.channel.completeWrites();
        writeChunk(log.last(), 100);
        log.last().close();
        assertFalse(event.isComplete());
        return event;
    }
}
