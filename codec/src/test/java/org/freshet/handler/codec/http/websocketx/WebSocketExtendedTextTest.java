package org.freshet.handler.codec.http.websocketx;

import static org.freshet.handler.codec.http.websocketx.Frames.concat;
import static org.freshet.handler.codec.http.websocketx.Frames.hex;
import static org.freshet.handler.codec.http.websocketx.Frames.masked;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Text that an extension has decoded is checked, too, whatever kind of buffer it is in. */
class WebSocketExtendedTextTest {
    /** Where an extension may put the content that it has decoded. */
    private enum Kind {
        ARRAY(content -> content),
        PART_OF_AN_ARRAY(content -> {
            ChannelBuffer larger = ChannelBuffers.buffer(content.readableBytes() + 5);
            larger.writeBytes(hex("ffff"));
            larger.writeBytes(content);
            larger.skipBytes(1);
            ChannelBuffer slice = larger.slice();
            slice.skipBytes(1);
            return slice;
        }),
        NO_ARRAY(content -> {
            ChannelBuffer direct = ChannelBuffers.directBuffer(content.readableBytes() + 5);
            direct.writeBytes(hex("ffff"));
            direct.writeBytes(content);
            direct.skipBytes(2);
            return direct;
        });

        private final UnaryOperator<ChannelBuffer> copy;

        Kind(UnaryOperator<ChannelBuffer> copy) {
            this.copy = copy;
        }
    }

    /** Uses the first reserved bit. */
    private record Copying(Kind kind) implements WebSocketExtension {
        @Override
        public int rsv() {
            return 4;
        }

        @Override
        public WebSocketFrame decode(WebSocketFrame frame) {
            frame.setRsv(0);
            frame.setOwnContent(kind.copy.apply(frame.content()));
            return frame;
        }

        @Override
        public WebSocketFrame encode(WebSocketFrame frame) {
            return frame;
        }

        @Override
        public void release() {}
    }

    private static MemoryChannel receiving(Kind kind, byte[]... frames) {
        MemoryChannel channel = MemoryChannel.connected(
                new WebSocket13FrameDecoder(true, false, HttpLimits.standard(), List.of(new Copying(kind))));
        channel.receive(ChannelBuffers.wrappedBuffer(concat(frames)));
        return channel;
    }

    private static void assertNotText(MemoryChannel channel) {
        assertEquals(1007, ((WebSocketFailure) channel.takeCaught().get(0)).closeCode());
    }

    @ParameterizedTest
    @EnumSource
    void shouldAcceptText(Kind kind) {
        MemoryChannel channel = receiving(
                kind,
                masked(0xc1, "Grüße"),
                masked(0xc1, ""),
                masked(0x41, hex("c3")),
                masked(0x80, hex("bc")),
                masked(0xc2, hex("ff")));
        assertEquals(
                List.of("Text 'Grüße'", "Text ''", "Text more c3", "Continuation bc", "Binary ff"),
                Frames.describe(channel.takeReceived()));
        assertEquals(List.of(), channel.takeCaught());
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseWhatIsNoText(Kind kind) {
        assertNotText(receiving(kind, masked(0xc1, hex("61 ff"))));
        assertNotText(receiving(kind, masked(0xc1, hex("61 c3"))));
        assertNotText(receiving(kind, masked(0x41, hex("61 ff"))));
        assertNotText(receiving(kind, masked(0x41, hex("ff 61"))));
        assertNotText(receiving(kind, masked(0x41, hex("61 c3")), masked(0x80, "a")));
    }

    /** The bit of one message says nothing about the next. */
    @Test
    void shouldCheckTheNextTextAsItArrives() {
        byte[] begun = masked(0x81, new byte[1000]);
        begun[8] ^= (byte) 0xff;
        assertNotText(receiving(Kind.ARRAY, masked(0xc1, "a"), Arrays.copyOf(begun, 9)));
    }
}
