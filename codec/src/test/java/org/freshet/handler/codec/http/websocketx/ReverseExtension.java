package org.freshet.handler.codec.http.websocketx;

import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.http.HttpLimits;

/** An extension for tests: message frames with RSV1 are reversed. It takes one parameter, {@code ok}. */
final class ReverseExtension implements WebSocketExtensionNegotiator {
    @Override
    public String name() {
        return "x-reverse";
    }

    @Override
    public Accepted accept(WebSocketExtensionSpec offer, HttpLimits limits) {
        boolean ok = offer.parameters().size() == 1
                && offer.parameters().get(0).name().equals("ok");
        return ok ? new Accepted(offer, new Reverse()) : null;
    }

    @Override
    public List<WebSocketExtensionSpec> offers() {
        return List.of(
                new WebSocketExtensionSpec("x-reverse").with("ok", "1"),
                new WebSocketExtensionSpec("x-reverse").with("ok", null));
    }

    @Override
    public WebSocketExtension agree(WebSocketExtensionSpec answer, HttpLimits limits) {
        if (accept(answer, limits) == null) {
            throw new WebSocketHandshakeException("not what was offered: " + answer);
        }
        return new Reverse();
    }

    static final class Reverse implements WebSocketExtension {
        private boolean reverses;
        int released;

        @Override
        public int rsv() {
            return 4;
        }

        @Override
        public WebSocketFrame decode(WebSocketFrame frame) {
            if (!(frame instanceof ContinuationWebSocketFrame)) {
                reverses = (frame.getRsv() & 4) != 0;
            }
            if (reverses) {
                frame.setOwnContent(reversed(frame.content()));
            }
            frame.setRsv(frame.getRsv() & 3);
            return frame;
        }

        @Override
        public WebSocketFrame encode(WebSocketFrame frame) {
            ChannelBuffer content = reversed(frame.content());
            int rsv = frame instanceof ContinuationWebSocketFrame ? 0 : 4;
            if (frame instanceof TextWebSocketFrame) {
                return new TextWebSocketFrame(frame.isFinalFragment(), rsv, content);
            }
            return frame instanceof BinaryWebSocketFrame
                    ? new BinaryWebSocketFrame(frame.isFinalFragment(), rsv, content)
                    : new ContinuationWebSocketFrame(frame.isFinalFragment(), rsv, content);
        }

        private static ChannelBuffer reversed(ChannelBuffer content) {
            byte[] bytes = new byte[content.readableBytes()];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = content.getByte(content.writerIndex() - 1 - i);
            }
            return ChannelBuffers.wrappedBuffer(bytes);
        }

        @Override
        public void release() {
            released++;
        }
    }
}
