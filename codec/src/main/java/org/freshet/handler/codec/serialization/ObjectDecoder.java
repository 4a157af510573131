package org.freshet.handler.codec.serialization;

import java.io.ObjectInputFilter;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.frame.LengthFieldBasedFrameDecoder;

/**
 * Decodes the objects that {@link ObjectEncoder} encodes.
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
 * jdk.serialFilter}) can refuse more, but allows nothing here.
 *
 * <h2>Limits</h2>
 *
 * <ul>
 * <li>Bytes of an object: {@code maxObjectSize}.
 * <li>Depth: 500, or {@code -Dorg.freshet.serialization.maxDepth}.
 * <li>Array lengths, of all arrays and hash tables of an object together: what its bytes can fill.
 * <li>Time to hash and compare the elements of collections while they are read: before the first such collection is read, the
 *     object's bytes are scanned for what this will cost. Hash tables of numbers and strings may be of any size; some thousand
 *     elements are allowed in a {@link java.util.Hashtable}, {@link java.util.Set#of} or {@link java.util.Map#of}, and of keys
 *     that are collections themselves. {@code -Dorg.freshet.serialization.maxCollectionCost=N} sets another limit than the
 *     default of 8,000,000 and 16 a byte, where N is about the number of comparisons of two numbers. Keys of classes that a
 *     filter allows count by their fields; what their own methods do is not known.
 * </ul>
 *
 * What goes beyond a limit is an {@link java.io.InvalidClassException} as well.
 *
 * <h2>Errors</h2>
 *
 * All become {@code exceptionCaught} events, and decoding goes on with the next object. Too many bytes: {@link
 * org.freshet.handler.codec.frame.TooLongFrameException}, after they were skipped. Bytes that are no object: an {@link
 * java.io.IOException}, mostly {@link java.io.StreamCorruptedException}. A class that is not there: {@link
 * ClassNotFoundException}.
 */
@ChannelHandler.Borrower
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
        return CompactObjectInputStream.read(frame, policy);
    }

    /** A slice: the bytes are used up at once. */
    @Override
    protected ChannelBuffer extractFrame(ChannelBuffer buffer, int index, int length) {
        return buffer.slice(index, length);
    }
}
