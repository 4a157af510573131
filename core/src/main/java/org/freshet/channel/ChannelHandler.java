package org.freshet.channel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Handles or intercepts the events of a channel. The sub-interfaces {@link ChannelUpstreamHandler} and
 * {@link ChannelDownstreamHandler} say in which direction; a handler implements one of them or both.
 *
 * <p>A handler may keep the state of its connection in plain fields, if each pipeline gets an instance of its own. A handler
 * without such state is better shared by all pipelines; then its class says so with {@link Sharable}. State of a connection
 * that a shared handler needs goes into the context's attachment or a {@link ChannelLocal}.
 */
public interface ChannelHandler {
    /**
     * Marks a class whose instances may be in several pipelines, or several times in one, at once. Subclasses inherit the mark.
     *
     * <p>A handler that is not marked belongs to one pipeline at a time: if it keeps state, two connections would mix it, and
     * such faults show under load only. What happens when it is added to a second pipeline depends on its class:
     *
     * <ul>
     * <li>Freshet's own handlers that keep state, such as frame decoders, and their subclasses are refused with a
     *     {@link ChannelPipelineException} that names the handler, both places and the remedy.
     * <li>Any other handler is let in with one warning for each class, because much software shares handlers that keep no state
     *     and does not mark them.
     * </ul>
     *
     * <p>The system property {@code org.freshet.sharability}, read once, changes this: {@code enforce} refuses them all,
     * {@code warn} lets them all in with the warning, {@code off} lets them in and does not check.
     *
     * <p>A handler is in a place from the time when its pipeline is attached to a channel, or when it is added to an attached
     * pipeline, until it is removed or replaced or its channel closes; at that point it is free before the close future completes
     * and before {@code channelClosed}. Thus a client may connect again with the handlers of one template, as long as one
     * connection ends before the next begins. A pipeline that was never attached, such as a bootstrap's template, does not
     * count. To add a handler twice to one pipeline is treated alike, attached or not.
     *
     * <p><a href="doc-files/handlers.html">The handlers of this library</a> by direction and sharability.
     */
    @Inherited
    @Documented
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Sharable {}

    /**
     * Marks a class whose {@code messageReceived} takes received messages by {@link Channels#borrow} and, as it is said there,
     * keeps none of them. If the first handler that gets the messages of a connection is so marked, a transport may lend
     * it the memory of a large read instead of copying the bytes to a buffer of their own: then nothing is allocated for them
     * and nothing copied. Handlers before it do not hinder that if they leave {@code messageReceived} of the Simple handlers as
     * it is, or are of Freshet's and pass messages on at once, such as those for time-outs and logging.
     *
     * <p>Other handlers notice nothing: {@link MessageEvent#getMessage()} gives them a buffer of their own. Subclasses do not inherit the
     * mark, for they may keep what their superclass does not.
     *
     * <p>Freshet's decoders for streams borrow, and {@code SslHandler} does; what they pass on is not lent. Those of SOCKS do not: they
     * leave the pipeline before large reads come.
     *
     * <p>The system property {@code org.freshet.lending}, read once, changes this: {@code off} lends nothing; {@code check}, for tests,
     * lends each read, however short, in memory of its own that is overwritten with 0xDB when the loan ends.
     */
    @Documented
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Borrower {}
}
