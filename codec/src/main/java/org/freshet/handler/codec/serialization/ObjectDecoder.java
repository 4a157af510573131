package org.freshet.handler.codec.serialization;

import java.io.ObjectInputFilter;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.frame.LengthFieldBasedFrameDecoder;

/**
 * Decodes objects encoded by {@link ObjectEncoder}.
 *
 * <h2>Allowed classes</h2>
 *
 * <p>Reading an object runs code of its class, and the peer chooses the class. So the class of every object, and of
 * every part of it, must be allowed in one of these ways:
 *
 * <ul>
 * <li>by the {@link ObjectInputFilter} given to the constructor or, if none is given, by
 *     {@code -Dorg.freshet.serialization.filter=PATTERN}, in the syntax of
 *     {@link ObjectInputFilter.Config#createFilter}. If it refuses a class, that is final; if it leaves a class
 *     undecided, the next two decide;
 * <li>by a resolver from {@link ClassResolvers#allowList};
 * <li>as a value type of the JDK (numbers, strings, dates, UUIDs, addresses and the like), one of its collections, or
 *     an array of these.
 * </ul>
 *
 * <p>A refused class causes an {@link java.io.InvalidClassException}, or a {@link ClassNotFoundException} if it is not
 * in an allow list. Both name the class and say what to do. The JVM-wide filter ({@code jdk.serialFilter}) can refuse
 * more classes, but it allows none here.
 *
 * <h2>Limits</h2>
 *
 * <ul>
 * <li>Bytes of an object: {@code maxObjectSize}.
 * <li>Depth: 500, or {@code -Dorg.freshet.serialization.maxDepth}.
 * <li>Total length of an object's arrays and hash tables: as much as its bytes can fill.
 * <li>Time to hash and compare the elements of collections: before the first such collection is read, the object's
 *     bytes are scanned to compute the cost. Hash tables of numbers and strings may have any size. A
 *     {@link java.util.Hashtable}, {@link java.util.Set#of} or {@link java.util.Map#of}, or a hash table whose keys are
 *     collections themselves, may have some thousand elements. The default limit is 8,000,000 plus 16 per byte, where
 *     one unit is about one comparison of two numbers; {@code -Dorg.freshet.serialization.maxCollectionCost=N} sets
 *     another. Keys of classes allowed by a filter count by their fields; the cost of their own methods is not known.
 * </ul>
 *
 * <p>An object that exceeds one of the last three limits also causes an {@link java.io.InvalidClassException}.
 *
 * <h2>Errors</h2>
 *
 * <p>All errors become {@code exceptionCaught} events, and decoding continues with the next object. Too many bytes:
 * {@link org.freshet.handler.codec.frame.TooLongFrameException}, after they were skipped. Bytes that are not an object:
 * an {@link java.io.IOException}, usually {@link java.io.StreamCorruptedException}. A missing class:
 * {@link ClassNotFoundException}.
 */
@ChannelHandler.Borrower
public class ObjectDecoder extends LengthFieldBasedFrameDecoder {
    static final int DEFAULT_MAX_OBJECT_SIZE = 1 << 20;

    private final SerialPolicy policy;

    /** Accepts objects of up to 1 MiB. */
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

    /** Returns a slice: the object is read right away. */
    @Override
    protected ChannelBuffer extractFrame(ChannelBuffer buffer, int index, int length) {
        return buffer.slice(index, length);
    }
}
