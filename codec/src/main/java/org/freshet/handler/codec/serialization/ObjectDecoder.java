package org.freshet.handler.codec.serialization;

import java.io.ObjectInputFilter;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferInputStream;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.frame.LengthFieldBasedFrameDecoder;

/**
 * Turns the bytes of {@link ObjectEncoder} into objects again.
 *
 * <h2>Which classes</h2>
 *
 * Reading an object runs code of its class, and the peer says which class that is. So each class, also of a part of an
 * object, must be allowed:
 *
 * <ul>
 * <li>by the {@link ObjectInputFilter} given to the constructor, or where none is given by {@code
 *     -Dorg.freshet.serialization.filter=PATTERN}, in the syntax of {@link ObjectInputFilter.Config#createFilter}; what it
 *     refuses is refused, what it leaves undecided is decided by the next two;
 * <li>or by a resolver from {@link ClassResolvers#allowList};
 * <li>or because it is a value type of the JDK (numbers, strings, dates, UUIDs, addresses and the like), one of its
 *     collections, or an array of these.
 * </ul>
 *
 * A refused class is an {@link java.io.InvalidClassException}, or a {@link ClassNotFoundException} where it is not in an allow
 * list; either names it and says what to do. The JVM-wide filter ({@code
 * jdk.serialFilter}) can refuse more, but allows nothing here. The collections of the JDK are safe in that they run no
 * foreign code, but a hostile peer can nest them such that hashing them takes for ever: where peers are hostile, give a
 * filter that allows no more than the protocol needs.
 *
 * <h2>Limits</h2>
 *
 * Bytes of an object: {@code maxObjectSize}. Depth: 500, or {@code -Dorg.freshet.serialization.maxDepth}. Array length: what
 * the bytes of the object can fill.
 *
 * <h2>Errors</h2>
 *
 * All become {@code exceptionCaught} events, and decoding goes on with the next object. Too many bytes: {@link
 * org.freshet.handler.codec.frame.TooLongFrameException}, after they were skipped. Bytes that are no object: an {@link
 * java.io.IOException}, mostly {@link java.io.StreamCorruptedException}. A class that is not there: {@link
 * ClassNotFoundException}.
 */
public class ObjectDecoder extends LengthFieldBasedFrameDecoder {
    static final int DEFAULT_MAX_OBJECT_SIZE = 1 << 20;

    private final SerialPolicy policy;

    /** Takes objects of up to 1 MiB. */
    public ObjectDecoder(ClassResolver classResolver) {
        this(DEFAULT_MAX_OBJECT_SIZE, classResolver);
    }

    /** @param maxObjectSize bytes of an object with its length field, 4 or more */
    public ObjectDecoder(int maxObjectSize, ClassResolver classResolver) {
        this(maxObjectSize, SerialPolicy.ofProperties(classResolver));
    }

    /**
     * @param maxObjectSize bytes of an object with its length field, 4 or more
     * @param filter decides about classes; called on the thread that decodes
     */
    public ObjectDecoder(int maxObjectSize, ClassResolver classResolver, ObjectInputFilter filter) {
        this(maxObjectSize, SerialPolicy.of(classResolver, filter));
    }

    private ObjectDecoder(int maxObjectSize, SerialPolicy policy) {
        super(maxObjectSize, 0, ObjectEncoder.LENGTH_FIELD_BYTES, 0, ObjectEncoder.LENGTH_FIELD_BYTES);
        this.policy = policy;
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
        ChannelBuffer frame = (ChannelBuffer) super.decode(ctx, channel, buffer);
        if (frame == null) {
            return null;
        }
        return CompactObjectInputStream.read(new ChannelBufferInputStream(frame), frame.readableBytes(), policy);
    }

    /** A slice: the bytes are used up at once. */
    @Override
    protected ChannelBuffer extractFrame(ChannelBuffer buffer, int index, int length) {
        return buffer.slice(index, length);
    }
}
