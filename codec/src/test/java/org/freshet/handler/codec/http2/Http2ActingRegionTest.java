package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.DATA;
import static org.freshet.handler.codec.http2.FramePeer.setting;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.FileRegion;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A file region of a user's class is asked for its content, and meanwhile acts on the connection: windows and frames stay right. */
class Http2ActingRegionTest {
    private static final int WINDOW = 65_535;
    private static final int LENGTH = 40_000;

    /** A region gives no more at a time. */
    private static final int STEP = 10_000;

    /** Its octets are its positions. Counts the calls that are under way. */
    private static final class Region implements FileRegion {
        private final int length;
        private final Runnable action;
        private boolean isAsked;
        private boolean isInside;
        private boolean isReleased;

        Region(int length, Runnable action) {
            this.length = length;
            this.action = action;
        }

        @Override
        public long getPosition() {
            return 0;
        }

        @Override
        public long getCount() {
            return length;
        }

        @Override
        public long transferTo(WritableByteChannel target, long position) throws IOException {
            assertFalse(isInside, "asked while it answers");
            assertFalse(isReleased, "asked after its release");
            if (!isAsked) {
                isAsked = true;
                isInside = true;
                action.run();
                isInside = false;
            }
            int count = (int) Math.min(STEP, length - position);
            return target.write(ByteBuffer.wrap(octets(length), (int) position, count));
        }

        @Override
        public void releaseExternalResources() {
            isReleased = true;
        }
    }

    private static byte[] octets(int length) {
        byte[] octets = new byte[length];
        for (int i = 0; i < length; i++) {
            octets[i] = (byte) (i % 251);
        }
        return octets;
    }

    enum Act {
        CLOSE_OTHER,
        RESET_OTHER,
        WRITE_TO_OTHER,
        CLOSE_ITSELF,
        RESET_ITSELF,
        WRITE_TO_ITSELF,
        WRITE_TO_ITSELF_AND_CLOSE_OTHER,
        CHANGE_PRIORITY_AND_CLOSE_OTHER,
        AWAIT_OTHER,
        CLOSE_CONNECTION,
        REMOVE_HANDLER,
        DRAIN,
        CLOSE_ITSELF_AND_FAIL
    }

    private final StreamLog log = new StreamLog();
    private Http2ServerHandler handler = new Http2ServerHandler(log::pipeline);
    private FramePeer peer = FramePeer.client(handler);
    private final List<ChannelFuture> writes = new ArrayList<>();

    /** Both answers wait: the first stream's region, and as much of the second stream as the connection's window allows. */
    private void answerBoth(int length, Act act) {
        peer.send(setting(0x4, 0), peer.get(1, "/"), peer.get(3, "/"));
        answer(0, length + 100, new Region(length, () -> run(act)));
        answer(1, WINDOW + 100, ChannelBuffers.wrappedBuffer(octets(WINDOW)));
        peer.frames();
    }

    private void answer(int stream, int length, Object content) {
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        HttpHeaders.setContentLength(head, length);
        writes.add(log.channels.get(stream).write(head));
        writes.add(log.channels.get(stream).write(content));
    }

    private void run(Act act) {
        Http2StreamChannel own = (Http2StreamChannel) log.channels.get(0);
        Http2StreamChannel other = (Http2StreamChannel) log.channels.get(1);
        switch (act) {
            case CLOSE_OTHER -> other.close();
            case RESET_OTHER -> other.reset(Http2Error.CANCEL);
            case WRITE_TO_OTHER -> write(other);
            case CLOSE_ITSELF -> own.close();
            case RESET_ITSELF -> own.reset(Http2Error.CANCEL);
            case WRITE_TO_ITSELF -> write(own);
            case WRITE_TO_ITSELF_AND_CLOSE_OTHER -> {
                write(own);
                other.close();
            }
            case CHANGE_PRIORITY_AND_CLOSE_OTHER -> {
                own.setPriority(new Http2Priority(0, true));
                other.close();
            }
            case AWAIT_OTHER -> write(other).awaitUninterruptibly(1);
            case CLOSE_CONNECTION -> peer.channel.close();
            case REMOVE_HANDLER -> peer.channel.getPipeline().remove(handler);
            case DRAIN -> handler.drain();
            case CLOSE_ITSELF_AND_FAIL -> {
                own.close();
                throw new IllegalStateException("thrown by a test");
            }
        }
    }

    private ChannelFuture write(Channel stream) {
        ChannelFuture written = stream.write(ChannelBuffers.wrappedBuffer(new byte[100]));
        writes.add(written);
        return written;
    }

    /** Checks the frames since the last call, and returns the content of a stream. */
    private byte[] checkFrames(int streamId) {
        List<FramePeer.Frame> frames = peer.frames();
        FrameRules.check(frames, WINDOW);
        ChannelBuffer content = ChannelBuffers.dynamicBuffer();
        for (FramePeer.Frame frame : frames) {
            if (frame.type() == DATA && frame.streamId() == streamId) {
                content.writeBytes(frame.payload());
            }
        }
        byte[] octets = new byte[content.readableBytes()];
        content.readBytes(octets);
        return octets;
    }

    private static void assertBegins(byte[] content, int length) {
        for (int i = 0; i < Math.min(content.length, length); i++) {
            assertEquals((byte) (i % 251), content[i], "octet " + i);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepToWindowsAndOrderWhateverARegionDoes(Act act) {
        checkEnd(LENGTH, act);
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepToThemWhateverARegionOfOneFrameDoes(Act act) {
        checkEnd(100, act);
    }

    private void checkEnd(int length, Act act) {
        answerBoth(length, act);
        peer.send(setting(0x4, 1 << 20));
        assertBegins(checkFrames(1), length);
        checkWrites();
    }

    private void checkWrites() {
        peer.channel.close();
        for (ChannelFuture write : writes) {
            assertTrue(write.isDone());
        }
        log.channels.forEach(stream -> assertEquals(0, WriteAccount.waitingBytes(stream)));
        assertEquals(List.of(), peer.channel.takeCaught());
    }

    /** A listener of the first part acts, once that is sent or because the peer resets the stream. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldKeepToThemWhateverAListenerDoes(boolean isSent) {
        for (Act act : Act.values()) {
            log.channels.clear();
            writes.clear();
            handler = new Http2ServerHandler(log::pipeline);
            peer = FramePeer.client(handler);
            peer.send(setting(0x4, 0), peer.get(1, "/"), peer.get(3, "/"));
            answer(0, LENGTH, ChannelBuffers.wrappedBuffer(octets(1_000)));
            writes.get(1).addListener(part -> run(act));
            write(log.channels.get(0));
            answer(1, WINDOW + 100, ChannelBuffers.wrappedBuffer(octets(WINDOW)));
            peer.frames();
            peer.send(isSent ? setting(0x4, 1 << 20) : FramePeer.reset(1, Http2Error.CANCEL));
            assertTrue(writes.get(1).isDone(), act + ": " + peer.lines());
            checkFrames(1);
            checkWrites();
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"CLOSE_CONNECTION", "REMOVE_HANDLER", "DRAIN"})
    void shouldServeOthersAfterwards(Act act) {
        answerBoth(LENGTH, act);
        peer.send(setting(0x4, 1 << 20));
        peer.frames();
        peer.send(FramePeer.windowUpdate(0, WINDOW), peer.get(5, "/"));
        log.last().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        assertTrue(peer.lines().contains("HEADERS 5 :status=200 END"));
    }

    /** What waited for a window when the region was asked is sent before the close, as from any other stream. */
    @Test
    void shouldSendWhatAClosedStreamHasWritten() {
        answerBoth(LENGTH, Act.CLOSE_OTHER);
        peer.send(setting(0x4, 1 << 20));
        assertTrue(checkFrames(3).length > 0);
    }
}
