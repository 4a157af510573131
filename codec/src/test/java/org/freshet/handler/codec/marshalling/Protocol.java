package org.freshet.handler.codec.marshalling;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Locale;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.jboss.marshalling.MarshallerFactory;
import org.jboss.marshalling.Marshalling;
import org.jboss.marshalling.MarshallingConfiguration;
import org.jboss.marshalling.SimpleClassResolver;
import org.jboss.marshalling.UnmarshallingObjectInputFilter;

/** The two JBoss Marshalling protocols that every test here runs with. */
enum Protocol {
    RIVER,
    SERIAL;

    MarshallerFactory factory() {
        return Marshalling.getProvidedMarshallerFactory(name().toLowerCase(Locale.ROOT));
    }

    MarshallingConfiguration config() {
        MarshallingConfiguration config = new MarshallingConfiguration();
        config.setClassResolver(new SimpleClassResolver(Protocol.class.getClassLoader()));
        if (this == SERIAL) {
            config.setVersion(5);
        }
        return config;
    }

    /** @param pattern in the JDK's syntax */
    MarshallingConfiguration filtered(String pattern) {
        MarshallingConfiguration config = config();
        config.setUnmarshallingFilter(UnmarshallingObjectInputFilter.Factory.createFilter(pattern));
        return config;
    }

    MarshallerProvider marshallers() {
        return new DefaultMarshallerProvider(factory(), config());
    }

    UnmarshallerProvider unmarshallers() {
        return new DefaultUnmarshallerProvider(factory(), config());
    }

    UnmarshallerProvider unmarshallers(String pattern) {
        return new DefaultUnmarshallerProvider(factory(), filtered(pattern));
    }

    byte[] framed(Object... messages) {
        return encode(new MarshallingEncoder(marshallers()), messages);
    }

    byte[] bare(Object... messages) {
        return encode(new CompatibleMarshallingEncoder(marshallers()), messages);
    }

    static byte[] encode(ChannelDownstreamHandler encoder, Object... messages) {
        EncoderEmbedder<ChannelBuffer> embedder = new EncoderEmbedder<>(encoder);
        ChannelBuffer all = ChannelBuffers.dynamicBuffer();
        for (Object message : messages) {
            embedder.offer(message);
            all.writeBytes(embedder.poll());
        }
        byte[] bytes = new byte[all.readableBytes()];
        all.readBytes(bytes);
        return bytes;
    }

    static List<Object> decode(ChannelUpstreamHandler decoder, byte[] bytes) {
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(decoder);
        embedder.offer(ChannelBuffers.wrappedBuffer(bytes));
        return List.of(embedder.pollAll());
    }

    static Throwable failure(ChannelUpstreamHandler decoder, byte[] bytes) {
        return assertThrows(CodecEmbedderException.class, () -> decode(decoder, bytes))
                .getCause();
    }
}
