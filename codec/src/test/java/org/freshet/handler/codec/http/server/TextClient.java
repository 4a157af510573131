package org.freshet.handler.codec.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import java.util.function.Supplier;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.OutputShutdown;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http2.Http2TextClient;
import org.freshet.testing.MemoryChannel;

/** An in-memory client whose requests and answers are HTTP/1.1 text, whatever protocol is used below. */
public interface TextClient {
    /** The protocol, and so where handlers are located. */
    enum Wire {
        /** One pipeline for all requests, with a codec. */
        HTTP_1,
        /** One pipeline per request. */
        HTTP_2;

        /**
         * @param before creates the handlers below a codec, if there is one
         * @param handlers creates the handlers above it
         */
        TextClient connect(HttpLimits limits, Supplier<ChannelHandler[]> before, Supplier<ChannelHandler[]> handlers) {
            return this == HTTP_1
                    ? new OverHttp1(limits, before.get(), handlers.get())
                    : new Http2TextClient(limits, before, handlers);
        }
    }

    /** Receives text from the client, split anywhere. */
    void receive(String text);

    /** Returns what was sent to the client since the last call. */
    String sent();

    /** The channel that handlers write to: for HTTP/2, the stream of the last request. */
    Channel channel();

    /** Whether another request may be sent. */
    default boolean takesRequests() {
        return transport().isOpen();
    }

    /** The channel below everything. */
    MemoryChannel transport();

    /** The messages that reached the top since the last call. */
    List<Object> takeReceived();

    /** The failures that reached the top since the last call. */
    List<Throwable> takeCaught();

    /** See {@link Wire#HTTP_1}. */
    final class OverHttp1 implements TextClient {
        private final MemoryChannel channel;

        private OverHttp1(HttpLimits limits, ChannelHandler[] before, ChannelHandler[] handlers) {
            ChannelHandler[] all = new ChannelHandler[before.length + 1 + handlers.length];
            System.arraycopy(before, 0, all, 0, before.length);
            all[before.length] = new HttpServerCodec(limits);
            System.arraycopy(handlers, 0, all, before.length + 1, handlers.length);
            channel = MemoryChannel.connected(all);
        }

        /** With these handlers, none of which has to be a codec. */
        OverHttp1(ChannelHandler... all) {
            channel = MemoryChannel.connected(all);
        }

        @Override
        public void receive(String text) {
            channel.receive(ChannelBuffers.copiedBuffer(text, ISO_8859_1));
        }

        @Override
        public String sent() {
            StringBuilder text = new StringBuilder();
            for (Object message : channel.takeWritten()) {
                text.append(
                        message == OutputShutdown.INSTANCE ? "<end>" : ((ChannelBuffer) message).toString(ISO_8859_1));
            }
            return text.toString();
        }

        @Override
        public Channel channel() {
            return channel;
        }

        @Override
        public MemoryChannel transport() {
            return channel;
        }

        @Override
        public List<Object> takeReceived() {
            return channel.takeReceived();
        }

        @Override
        public List<Throwable> takeCaught() {
            return channel.takeCaught();
        }
    }
}
