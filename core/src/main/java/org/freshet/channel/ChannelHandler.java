package org.freshet.channel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Handles or intercepts the events of a channel. A handler implements {@link ChannelUpstreamHandler}, {@link ChannelDownstreamHandler} or
 * both, depending on the direction.
 *
 * <p>If each pipeline gets its own instance, a handler can keep the state of its connection in plain fields. A stateless handler is better
 * shared by all pipelines; mark its class {@link Sharable}. If a shared handler needs state per connection, keep it in the context's
 * attachment or a {@link ChannelLocal}.
 */
public interface ChannelHandler {
    /**
     * Marks a class whose instances may be in several pipelines at the same time, or several times in one pipeline. Subclasses inherit the
     * mark.
     *
     * <p>An unmarked handler belongs to one pipeline at a time: if it has state, two connections would mix it up, and such bugs show only
     * under load. What happens when it is added to a second pipeline depends on its class:
     *
     * <ul>
     * <li>Freshet's own stateful handlers, such as frame decoders, and their subclasses are refused with a {@link ChannelPipelineException}
     *     that names the handler, both places and the remedy.
     * <li>Any other handler is accepted, with one warning per class, because a lot of software shares stateless handlers without marking
     *     them.
     * </ul>
     *
     * <p>The system property {@code org.freshet.sharability}, read once, changes this: {@code enforce} refuses them all, {@code warn}
     * accepts them all with the warning, {@code off} accepts them without checking.
     *
     * <p>A handler occupies its place from when its pipeline is attached to a channel, or when it is added to an attached pipeline, until
     * it is removed or replaced or its channel closes. On close it is released before the close future completes and before
     * {@code channelClosed}. So a client can reconnect with the handlers of one template as long as one connection ends before the next
     * begins. A pipeline that was never attached, such as a bootstrap's template, does not count. The same rules apply to adding a handler
     * twice to one pipeline, attached or not.
     *
     * <p>See the <a href="doc-files/handlers.html">list of this library's handlers</a> by direction and sharability.
     */
    @Inherited
    @Documented
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Sharable {}

    /**
     * Marks a class whose {@code messageReceived} takes received messages with {@link Channels#borrow} and keeps none of them, as described
     * there. If the first handler to get a connection's messages has this mark, a transport may lend it the memory of a large read instead
     * of copying the bytes into a new buffer: nothing is allocated and nothing copied. Handlers before it don't prevent this if they
     * inherit {@code messageReceived} from the Simple handlers unchanged, or if they are Freshet's own and pass messages on immediately,
     * such as those for time-outs and logging.
     *
     * <p>Other handlers don't notice: {@link MessageEvent#getMessage()} gives them their own buffer. Subclasses do not inherit the mark,
     * because they may keep messages that their superclass doesn't.
     *
     * <p>Freshet's stream decoders and {@code SslHandler} borrow; what they pass on is not lent. The SOCKS decoders don't borrow: they
     * leave the pipeline before there are large reads.
     *
     * <p>The system property {@code org.freshet.lending}, read once, changes this: {@code off} lends nothing; {@code check}, for tests,
     * lends every read, however short, in separate memory that is overwritten with 0xDB when the loan ends.
     */
    @Documented
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Borrower {}
}
