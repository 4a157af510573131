package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.LendingMemory;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An application's subclass of a codec doesn't know about lent memory, so it gets bytes that it may keep. */
class HttpCodecSubclassTest {
    private static final String CONTENT = "Content-Length: 20000\r\n\r\n" + "a".repeat(20_000);

    /** A handler below that passes on what it was lent. */
    @ChannelHandler.Borrower
    private static final class Below extends SimpleChannelUpstreamHandler {}

    private final LendingMemory memory = new LendingMemory(30_000);

    private boolean isLent(MemoryChannel channel, String bytes) {
        return memory.lend(channel, ChannelBuffers.copiedBuffer(bytes, ISO_8859_1));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotLendWhatAClientReceives(boolean isSubclass) {
        HttpClientCodec codec = isSubclass ? new HttpClientCodec() {} : new HttpClientCodec();
        MemoryChannel channel = MemoryChannel.connected(new Below(), codec);
        channel.write(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
        assertEquals(!isSubclass, isLent(channel, "HTTP/1.1 200 OK\r\n" + CONTENT));
        assertEquals(1 + 4, channel.takeReceived().size());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotLendWhatAServerReceives(boolean isSubclass) {
        HttpServerCodec codec = isSubclass ? new HttpServerCodec() {} : new HttpServerCodec();
        MemoryChannel channel = MemoryChannel.connected(new Below(), codec);
        assertEquals(!isSubclass, isLent(channel, "PUT / HTTP/1.1\r\n" + CONTENT));
        assertEquals(1 + 4, channel.takeReceived().size());
    }
}
