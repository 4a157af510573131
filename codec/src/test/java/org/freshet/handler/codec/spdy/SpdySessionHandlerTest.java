package org.freshet.handler.codec.spdy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;

class SpdySessionHandlerTest {
    private final List<String> log = new ArrayList<>();

    /** The frames that the session sends. */
    private final class Wire extends SimpleChannelDownstreamHandler {
        @Override
        public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
            if (!(e.getMessage() instanceof ChannelBuffer)) {
                log.add("sent " + text(e.getMessage()));
            }
            if (isRead) {
                e.getFuture().setSuccess();
            }
        }

        @Override
        public void closeRequested(ChannelHandlerContext ctx, ChannelStateEvent e) {
            log.add("close");
        }
    }

    private final class Application extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            log.add("got " + text(e.getMessage()));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            log.add("caught " + e.getCause().getMessage());
        }
    }

    private static String text(Object message) {
        String all = message.toString();
        String kind = all.replaceFirst("DefaultSpdy(\\w+?)Frame(?s:.*)", "$1");
        if (message instanceof SpdyDataFrame data) {
            return kind + " " + data.getStreamId() + " " + data.getData().readableBytes()
                    + (data.isLast() ? " last" : "");
        }
        if (message instanceof SpdyRstStreamFrame reset) {
            return kind + " " + reset.getStreamId() + " " + reset.getStatus();
        }
        if (message instanceof SpdyStreamFrame frame) {
            return kind + " " + frame.getStreamId();
        }
        if (message instanceof SpdyWindowUpdateFrame update) {
            return kind + " " + update.getStreamId() + " +" + update.getDeltaWindowSize();
        }
        if (message instanceof SpdyGoAwayFrame goAway) {
            return kind + " " + goAway.getLastGoodStreamId() + " " + goAway.getStatus();
        }
        return message instanceof SpdyPingFrame ping ? kind + " " + ping.getId() : kind;
    }

    private final AtomicLong nanos = new AtomicLong();

    /** Whether the peer reads. */
    private boolean isRead = true;

    private DecoderEmbedder<Object> session(boolean server) {
        return new DecoderEmbedder<>(
                new Wiring(),
                new SpdySessionHandler(SpdyVersion.SPDY_3_1, server, SpdyTimeouts.defaults(), null, nanos::get),
                new Application());
    }

    private void expectLast(String... expected) {
        assertEquals(List.of(expected), log.subList(log.size() - expected.length, log.size()));
        log.clear();
    }

    /** The embedder takes only upstream handlers. */
    private final class Wiring extends org.freshet.channel.SimpleChannelHandler {
        private final Wire wire = new Wire();

        @Override
        public void handleDownstream(ChannelHandlerContext ctx, org.freshet.channel.ChannelEvent e) throws Exception {
            wire.handleDownstream(ctx, e);
        }
    }

    private static SpdySynStreamFrame syn(int id, boolean last) {
        SpdySynStreamFrame frame = new DefaultSpdySynStreamFrame(id, 0, (byte) 3);
        frame.setLast(last);
        return frame;
    }

    private static SpdyDataFrame data(int id, int length, boolean last) {
        SpdyDataFrame frame = new DefaultSpdyDataFrame(id);
        frame.setData(ChannelBuffers.wrappedBuffer(new byte[length]));
        frame.setLast(last);
        return frame;
    }

    private void expect(String... expected) {
        assertEquals(List.of(expected), log);
        log.clear();
    }

    private static ChannelFuture write(DecoderEmbedder<Object> session, Object message) {
        Channel channel = session.getPipeline().getChannel();
        return Channels.write(channel, message);
    }

    private static void refused(ChannelFuture future) {
        assertInstanceOf(SpdyProtocolException.class, future.getCause());
    }

    /** CVE-2026-93488. */
    @Test
    void shouldRefuseStreamsBeyondTheLimit() {
        DecoderEmbedder<Object> session = session(true);
        for (int id = 1; id < 200; id += 2) {
            session.offer(syn(id, false));
        }
        log.clear();
        session.offer(syn(201, false));
        expect("sent RstStream 201 REFUSED_STREAM");
        session.offer(new DefaultSpdyRstStreamFrame(1, SpdyStreamStatus.CANCEL));
        session.offer(syn(203, false));
        expect("got RstStream 1 CANCEL", "got SynStream 203");
        SpdySettingsFrame two = new DefaultSpdySettingsFrame();
        two.setValue(SpdySettingsFrame.SETTINGS_MAX_CONCURRENT_STREAMS, 101);
        assertTrue(write(session, two).isSuccess());
        session.offer(syn(205, false));
        session.offer(syn(207, false));
        expect("sent Settings", "got SynStream 205", "sent RstStream 207 REFUSED_STREAM");
    }

    @Test
    void shouldSendDataAsWindowsAllow() {
        DecoderEmbedder<Object> session = session(true);
        session.offer(syn(1, true));
        write(session, new DefaultSpdySynReplyFrame(1));
        ChannelFuture written = write(session, data(1, 70_000, false));
        SpdyHeadersFrame trailers = new DefaultSpdyHeadersFrame(1);
        trailers.setLast(true);
        ChannelFuture trailing = write(session, trailers);
        refused(write(session, data(1, 1, false)));
        expect("got SynStream 1", "sent SynReply 1", "sent Data 1 65536");
        session.offer(new DefaultSpdyWindowUpdateFrame(1, 100));
        session.offer(new DefaultSpdyWindowUpdateFrame(0, 50));
        session.offer(new DefaultSpdyWindowUpdateFrame(0, 50_000));
        expect("sent Data 1 50", "sent Data 1 50");
        assertFalse(written.isDone());
        session.offer(new DefaultSpdyWindowUpdateFrame(1, 50_000));
        expect("sent Data 1 4364", "sent Headers 1");
        assertTrue(written.isSuccess() && trailing.isSuccess());
        session.offer(data(1, 1, false));
        expect("sent RstStream 1 PROTOCOL_ERROR");
    }

    @Test
    void shouldSendUrgentStreamsFirst() {
        DecoderEmbedder<Object> session = session(true);
        session.offer(new DefaultSpdySynStreamFrame(1, 0, (byte) 7));
        session.offer(new DefaultSpdySynStreamFrame(3, 0, (byte) 0));
        write(session, data(1, 65536, false));
        write(session, data(1, 10, false));
        write(session, data(3, 10, false));
        session.offer(new DefaultSpdyWindowUpdateFrame(1, 100));
        log.clear();
        session.offer(new DefaultSpdyWindowUpdateFrame(0, 15));
        expect("sent Data 3 10", "sent Data 1 5");
    }

    @Test
    void shouldRenewWindowsAndEndASessionThatExceedsTheSessionWindow() {
        DecoderEmbedder<Object> session = session(true);
        session.offer(syn(1, false));
        session.offer(data(1, 40_000, false));
        expect("got SynStream 1", "sent WindowUpdate 0 +40000", "sent WindowUpdate 1 +40000", "got Data 1 40000");
        session.offer(data(1, 65_537, false));
        expect("sent GoAway 1 PROTOCOL_ERROR", "sent end of the output");
        session.offer(syn(3, false));
        expect();
    }

    @Test
    void shouldResetStreamsWhoseWindowIsExceeded() {
        DecoderEmbedder<Object> session = session(true);
        SpdySettingsFrame small = new DefaultSpdySettingsFrame();
        small.setValue(SpdySettingsFrame.SETTINGS_INITIAL_WINDOW_SIZE, 10);
        write(session, small);
        session.offer(syn(1, false));
        session.offer(data(1, 11, false));
        expect(
                "sent Settings",
                "got SynStream 1",
                "sent RstStream 1 FLOW_CONTROL_ERROR",
                "got RstStream 1 FLOW_CONTROL_ERROR");
    }

    @Test
    void shouldEnforceTheRulesForStreams() {
        DecoderEmbedder<Object> session = session(true);
        session.offer(data(1, 5, false));
        expect("sent RstStream 1 INVALID_STREAM");
        session.offer(syn(2, false));
        expect("sent RstStream 2 PROTOCOL_ERROR");
        session.offer(syn(5, true));
        session.offer(data(5, 5, false));
        expect("got SynStream 5", "sent RstStream 5 STREAM_ALREADY_CLOSED");
        session.offer(new DefaultSpdyHeadersFrame(9));
        session.offer(new DefaultSpdySynReplyFrame(2));
        expect("sent RstStream 9 INVALID_STREAM", "sent RstStream 2 INVALID_STREAM");
        session.offer(syn(7, false));
        session.offer(syn(7, false));
        expect("got SynStream 7", "sent RstStream 7 PROTOCOL_ERROR", "got RstStream 7 PROTOCOL_ERROR");
        session.offer(syn(3, false));
        expect("sent GoAway 7 PROTOCOL_ERROR", "sent end of the output");
    }

    @Test
    void shouldEnforceTheRulesForReplies() {
        DecoderEmbedder<Object> session = session(false);
        assertTrue(write(session, syn(1, true)).isSuccess());
        refused(write(session, syn(1, true)));
        refused(write(session, syn(2, true)));
        session.offer(data(1, 3, false));
        expect("sent SynStream 1", "sent RstStream 1 PROTOCOL_ERROR", "got RstStream 1 PROTOCOL_ERROR");
        write(session, syn(3, true));
        session.offer(new DefaultSpdySynReplyFrame(3));
        session.offer(new DefaultSpdySynReplyFrame(3));
        expect("sent SynStream 3", "got SynReply 3", "sent RstStream 3 STREAM_IN_USE", "got RstStream 3 STREAM_IN_USE");
        session.offer(new DefaultSpdyGoAwayFrame(3));
        refused(write(session, syn(5, true)));
        refused(write(session, new DefaultSpdyGoAwayFrame(0)));
        refused(write(session, new DefaultSpdyWindowUpdateFrame(0, 1)));
        expect("got GoAway 3 OK");
    }

    @Test
    void shouldAnswerPingsAndPassOnAnswers() {
        DecoderEmbedder<Object> session = session(true);
        session.offer(new DefaultSpdyPingFrame(1));
        session.offer(new DefaultSpdyPingFrame(2));
        expect("sent Ping 1");
        refused(write(session, new DefaultSpdyPingFrame(3)));
        write(session, new DefaultSpdyPingFrame(2));
        session.offer(new DefaultSpdyPingFrame(2));
        session.offer(new DefaultSpdyPingFrame(2));
        expect("sent Ping 2", "got Ping 2");
    }

    @Test
    void shouldLetTheClientCloseWhenStreamsHaveEndedOrCloseImmediatelyIfAskedAgain() {
        DecoderEmbedder<Object> session = session(true);
        session.offer(syn(1, false));
        Channels.close(session.getPipeline().getChannel());
        session.offer(syn(3, false));
        expect("got SynStream 1", "sent GoAway 1 OK", "sent RstStream 3 REFUSED_STREAM");
        session.offer(new DefaultSpdyRstStreamFrame(1, SpdyStreamStatus.CANCEL));
        expect("sent end of the output", "got RstStream 1 CANCEL");
        session.offer(new DefaultSpdyWindowUpdateFrame(0, 100)); // it finds an open socket
        expect();
        Channel channel = session.getPipeline().getChannel();
        session.getPipeline().sendUpstream(new InputShutdownEvent(channel));
        expect("close");

        DecoderEmbedder<Object> impatient = session(true);
        impatient.offer(syn(1, false));
        Channels.close(impatient.getPipeline().getChannel());
        Channels.close(impatient.getPipeline().getChannel());
        expect("got SynStream 1", "sent GoAway 1 OK", "close");
    }

    /** As with allowHalfClosure, where the transport leaves the channel open. */
    @Test
    void shouldEndAClientsSessionWhenTheServerEndsItsOutput() {
        DecoderEmbedder<Object> session = session(false);
        write(session, syn(1, true));
        expect("sent SynStream 1");
        session.getPipeline()
                .sendUpstream(new InputShutdownEvent(session.getPipeline().getChannel()));
        expect("close");
    }

    @Test
    void shouldEndTheSessionOnACodecFailureAndFailQueuedWrites() {
        DecoderEmbedder<Object> session = session(true);
        session.offer(syn(1, true));
        ChannelFuture waiting = write(session, data(1, 70_000, true));
        session.offer(new DefaultSpdyRstStreamFrame(1, SpdyStreamStatus.CANCEL));
        refused(waiting);
        log.clear();
        Channels.fireExceptionCaught(session.getPipeline().getChannel(), new SpdyProtocolException("bad frame"));
        expect("sent GoAway 1 PROTOCOL_ERROR", "sent end of the output", "caught bad frame");
    }

    @Test
    void shouldRefuseWindowsThatOverflow() {
        DecoderEmbedder<Object> session = session(true);
        session.offer(syn(1, false));
        session.offer(new DefaultSpdyWindowUpdateFrame(1, Integer.MAX_VALUE));
        expect("got SynStream 1", "sent RstStream 1 FLOW_CONTROL_ERROR", "got RstStream 1 FLOW_CONTROL_ERROR");
        session.offer(new DefaultSpdyWindowUpdateFrame(0, Integer.MAX_VALUE));
        expect("sent GoAway 1 PROTOCOL_ERROR", "sent end of the output");
    }

    // ---- abuse ----

    @Test
    void shouldBoundPingsBySecond() {
        DecoderEmbedder<Object> session = session(true);
        for (int i = 0; i < 10_000; i++) {
            session.offer(new DefaultSpdyPingFrame(1));
        }
        nanos.addAndGet(1_000_000_000);
        for (int i = 0; i < 1_000; i++) {
            session.offer(new DefaultSpdyPingFrame(1));
        }
        expectLast("sent Ping 1");
        session.offer(new DefaultSpdyPingFrame(1));
        expect("sent GoAway 0 PROTOCOL_ERROR", "sent end of the output");
    }

    @Test
    void shouldBoundAllFramesThatCarryNothing() {
        List<SpdyFrame> kinds = List.of(
                new DefaultSpdySettingsFrame(),
                new DefaultSpdyWindowUpdateFrame(1, 1),
                new DefaultSpdyHeadersFrame(1),
                data(1, 0, false),
                new DefaultSpdyRstStreamFrame(99, SpdyStreamStatus.CANCEL));
        for (SpdyFrame kind : kinds) {
            DecoderEmbedder<Object> session = session(true);
            session.offer(syn(1, false));
            for (int i = 0; i <= 10_000; i++) {
                session.offer(kind);
            }
            expectLast("sent GoAway 1 PROTOCOL_ERROR", "sent end of the output");
        }
    }

    @Test
    void shouldAllowTheUpdatesOfWindowsThatAnswerData() {
        DecoderEmbedder<Object> session = session(true);
        session.offer(syn(1, false));
        for (int i = 0; i < 20_000; i++) {
            write(session, data(1, 10, false));
            session.offer(new DefaultSpdyWindowUpdateFrame(1, 10));
            session.offer(new DefaultSpdyWindowUpdateFrame(0, 10));
        }
        expectLast("sent Data 1 10");
    }

    /** A client that updates both windows for every 512 bytes it reads. */
    @Test
    void shouldAllowTheUpdatesOfEachPieceOfDataThatIsRead() {
        DecoderEmbedder<Object> session = session(true);
        session.offer(syn(1, false));
        session.offer(new DefaultSpdyWindowUpdateFrame(1, 1 << 20));
        session.offer(new DefaultSpdyWindowUpdateFrame(0, 1 << 20));
        for (int i = 0; i < 1_000; i++) {
            write(session, data(1, 16 * 1024, false));
            for (int j = 0; j < 32; j++) {
                session.offer(new DefaultSpdyWindowUpdateFrame(1, 512));
                session.offer(new DefaultSpdyWindowUpdateFrame(0, 512));
            }
        }
        expectLast("sent Data 1 16384");
    }

    @Test
    void shouldBoundStreamsThatAreResetAtOnce() {
        DecoderEmbedder<Object> session = session(true);
        int id = 1;
        for (int i = 0; i <= 200; i++, id += 2) {
            session.offer(syn(id, false));
            session.offer(new DefaultSpdyRstStreamFrame(id, SpdyStreamStatus.CANCEL));
        }
        expectLast("sent GoAway 401 PROTOCOL_ERROR", "sent end of the output");

        DecoderEmbedder<Object> patient = session(true);
        for (id = 1; id < 1000; id += 2) {
            patient.offer(syn(id, false));
            nanos.addAndGet(1_000_000_000);
            patient.offer(new DefaultSpdyRstStreamFrame(id, SpdyStreamStatus.CANCEL));
        }
        expectLast("got SynStream 999", "got RstStream 999 CANCEL");
    }

    @Test
    void shouldBoundStreamsThatItIsMadeToReset() {
        DecoderEmbedder<Object> session = session(true);
        for (int i = 0; i <= 200; i++) {
            session.offer(data(1, 1, false));
        }
        expectLast("sent RstStream 1 INVALID_STREAM", "sent GoAway 0 PROTOCOL_ERROR", "sent end of the output");
    }

    /** The peer has sent what its window allows before it receives the reset. */
    @Test
    void shouldNotBlameThePeerForFramesInTransitToAResetStream() {
        DecoderEmbedder<Object> session = session(true);
        session.offer(syn(1, false));
        write(session, new DefaultSpdyRstStreamFrame(1, SpdyStreamStatus.CANCEL));
        for (int i = 0; i < 500; i++) {
            session.offer(data(1, 100, false));
        }
        session.offer(new DefaultSpdyHeadersFrame(1));
        session.offer(data(1, 100, true));
        session.offer(syn(3, true));

        expectLast("sent RstStream 1 PROTOCOL_ERROR", "got SynStream 3");
    }

    @Test
    void shouldNotBlameThePeerForFramesInTransitToARefusedStream() {
        DecoderEmbedder<Object> session = session(true);
        for (int id = 1; id < 200; id += 2) {
            session.offer(syn(id, false));
        }
        session.offer(syn(201, false));
        for (int i = 0; i < 500; i++) {
            session.offer(data(201, 100, false));
        }
        session.offer(data(1, 10, true));

        expectLast("sent RstStream 201 INVALID_STREAM", "got Data 1 10 last");
    }

    @Test
    void shouldNotBlameThePeerForRequestsInTransitWhenItSentGoAway() {
        DecoderEmbedder<Object> session = session(true);
        session.offer(syn(1, false));
        session.getPipeline().getChannel().close();
        for (int id = 3; id < 1003; id += 2) {
            session.offer(syn(id, false));
        }
        session.offer(data(1, 10, true));

        expectLast("sent RstStream 1001 REFUSED_STREAM", "got Data 1 10 last");
    }

    /** 24 MB of pings exhausted a JVM of 256 MB. Clients are affected, too. */
    @Test
    void shouldCloseWithoutWaitingForAPeerThatDoesNotReadItsAnswers() {
        for (boolean server : new boolean[] {true, false}) {
            DecoderEmbedder<Object> session = session(server);
            isRead = false;
            for (int i = 0; i < 10_000; i++) {
                session.offer(new DefaultSpdyPingFrame(server ? 1 : 2));
            }
            assertEquals(4097 + 1, log.size());
            expectLast("close");
        }
    }

    /** The HTTP decoder above the session answers them. */
    @Test
    void shouldCloseIfThePeerDoesNotReadTheAnswersToItsBadRequests() {
        DecoderEmbedder<Object> session = httpSession();
        isRead = false;
        for (int i = 0; i < 10_000; i++) {
            SpdySynStreamFrame request = syn(2 * i + 1, true);
            request.setTruncated();
            session.offer(i % 2 == 0 ? request : syn(2 * i + 1, true));
        }
        assertEquals(4097 + 1, log.size());
        expectLast("close");
    }

    @Test
    void shouldBoundStreamsThatTheHttpDecoderIsMadeToReset() {
        DecoderEmbedder<Object> session = httpSession();
        for (int i = 0; i < 1_000; i++) {
            session.offer(httpRequest(2 * i + 1));
            session.offer(data(2 * i + 1, 17, false)); // more than the decoder accepts
        }
        assertEquals(
                SpdyAbuseGuard.MAX_RESETS,
                log.stream().filter(line -> line.contains("CANCEL")).count());
        assertEquals("sent end of the output", log.get(log.size() - 1));
    }

    private DecoderEmbedder<Object> httpSession() {
        return new DecoderEmbedder<>(
                new Wiring(),
                new SpdySessionHandler(SpdyVersion.SPDY_3_1, true, SpdyTimeouts.defaults(), null, nanos::get),
                new SpdyHttpDecoder(SpdyVersion.SPDY_3_1, 16),
                new SimpleChannelUpstreamHandler() {
                    @Override
                    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}
                });
    }

    private static SpdySynStreamFrame httpRequest(int id) {
        SpdySynStreamFrame frame = syn(id, false);
        int version = SpdyVersion.SPDY_3_1.version();
        SpdyHeaders.setMethod(version, frame, HttpMethod.POST);
        SpdyHeaders.setUrl(version, frame, "/");
        SpdyHeaders.setVersion(version, frame, HttpVersion.HTTP_1_1);
        SpdyHeaders.setHost(frame, "a");
        return frame;
    }
}
