package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.SETTINGS;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.queue.BufferedWriteHandler;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A stream's water marks count the backlogs of its own handlers, as with a socket. */
class Http2StreamMarksTest {
    private static final int CHUNK_BYTES = 16 * 1024;

    private final BufferedWriteHandler buffered = new BufferedWriteHandler();

    /** The result of {@code isWritable()} at each {@code channelInterestChanged} of the stream. */
    private final List<Boolean> announced = new ArrayList<>();

    private final MemoryChannel connection = MemoryChannel.connected(
                    new Http2ServerHandler(() -> Channels.pipeline(buffered, new Answering())))
            .closeAfterEnd();

    private Channel stream;

    private final class Answering extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            stream = e.getChannel();
            HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            response.setChunked(true);
            stream.write(response);
            buffered.flush();
        }

        @Override
        public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
            announced.add(e.getChannel().isWritable());
        }
    }

    @AfterEach
    void close() {
        connection.close();
    }

    private void request() {
        FramePeer requests = new FramePeer(new SimpleChannelUpstreamHandler());
        for (byte[] sent : new byte[][] {Http2ServerHandler.PREFACE, frame(SETTINGS, 0, 0), requests.get(1, "/")}) {
            connection.receive(ChannelBuffers.wrappedBuffer(sent));
        }
    }

    /** Within the initial window of 64 KiB, so that everything is sent once it is flushed. */
    private void writeUpToTheMark() {
        stream.getConfig().setOption("writeBufferLowWaterMark", CHUNK_BYTES);
        stream.getConfig().setOption("writeBufferHighWaterMark", 2 * CHUNK_BYTES);
        stream.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[CHUNK_BYTES])));
        assertTrue(stream.isWritable());
        stream.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[CHUNK_BYTES])));
    }

    @Test
    void shouldNotBeWritableWhileAHandlerOfTheStreamHoldsMoreThanItsHighMark() {
        request();
        writeUpToTheMark();
        assertFalse(stream.isWritable());
        assertTrue(connection.isWritable());
        assertEquals(List.of(false), announced);
        buffered.flush();
        assertTrue(stream.isWritable());
        assertEquals(List.of(false, true), announced);
        assertEquals(0, WriteAccount.waitingBytes(stream));
    }

    /** For example, one that reads a file: its backlog may keep the stream unwritable although it could continue. */
    @Test
    void shouldNotifyHandlersThatHoldOutputWhenTheConnectionIsWritableAgain() {
        request();
        writeUpToTheMark();
        connection.turnWritable(false);
        assertEquals(List.of(false), announced);
        connection.turnWritable(true);
        assertEquals(List.of(false, false), announced);
    }

    @Test
    void shouldFollowTheConnectionWhateverIsQueuedOnTheStream() {
        request();
        connection.turnWritable(false);
        assertFalse(stream.isWritable());
        connection.turnWritable(true);
        assertTrue(stream.isWritable());
        assertEquals(List.of(false, true), announced);
    }
}
