package org.freshet.handler.proxy;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.socks.SocksMessage;

/** Sends SOCKS messages. Stateless. */
final class SocksMessages {
    private SocksMessages() {}

    /** If the write fails, the connection has ended, and the handler is notified. */
    static void write(ChannelHandlerContext ctx, SocksMessage message) throws Exception {
        ChannelBuffer bytes = ChannelBuffers.dynamicBuffer();
        message.encodeAsByteBuf(bytes);
        ProxyHandler.sendToProxy(ctx, bytes);
    }
}
