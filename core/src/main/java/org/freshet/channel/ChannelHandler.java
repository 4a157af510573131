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
     * Marks a class whose instances may sit in many pipelines, or several times in one, at once. Subclasses inherit the mark.
     *
     * <p>An instance of any other class is <em>exclusive</em>: mixing the state of two connections is a bug that shows under
     * load only, so it is refused here with a {@link ChannelPipelineException}. The rule:
     *
     * <ul>
     * <li>An exclusive handler takes its seat when its pipeline is attached to a channel, or when it is added to an attached
     *     pipeline. A pipeline that was never attached, such as a bootstrap's template, seats nobody.
     * <li>It gives the seat up when it is removed or replaced, and when its channel closes, before the close future and
     *     {@code channelClosed} tell. A client may therefore connect again and again with the handlers of one template, as long
     *     as one connection ends before the next begins.
     * <li>While it has a seat, adding it to any pipeline and attaching a pipeline that holds it are refused; adding it twice to
     *     one pipeline is refused always.
     * </ul>
     *
     * <p><a href="doc-files/handlers.html">The handlers of this library</a> by direction and sharability.
     *
     * <p>Software that relied on the lack of this check can start with {@code -Dorg.freshet.sharability=warn} (let it in and log
     * each class once) or {@code off}; the default is {@code enforce}.
     */
    @Inherited
    @Documented
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Sharable {}
}
