package org.freshet.channel;

import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * The handlers of one channel, in the order in which events meet them.
 *
 * <pre>
 *             application
 *                  ^
 *   last  +--------|--------------------+
 *         |  C  upstream                |          channel.write(m), close(), ...
 *         |        ^                    |                 |
 *         |  B  upstream    downstream &lt;-----------------+
 *         |        ^             |      |
 *         |        |             v      |
 *         |  A     |        downstream  |
 *   first +--------|-------------|------+
 *                  |             v
 *   transport   it happened   do it       (ChannelSink)
 * </pre>
 *
 * <p>What happens on the wire enters at the first handler and travels up; requests enter at the last and travel down to the
 * {@link ChannelSink}. An event meets only the handlers of its direction: above, C never sees a request and A never sees what
 * was received. Each handler decides whether the event goes on, by {@link ChannelHandlerContext#sendUpstream} or
 * {@link ChannelHandlerContext#sendDownstream}; an event that is not sent on ends there.
 *
 * <h2>Failures</h2>
 *
 * What a handler throws travels up as an {@link ExceptionEvent}, from the first handler on. What a downstream handler or the
 * sink throws also fails the request's future; the caller of {@code write} learns of it there; nothing is thrown to it. An
 * exception event that no handler handles is logged once, with the channel and the handler that threw; so is what a handler
 * throws while it handles an exception event.
 *
 * <h2>Threads</h2>
 *
 * Handlers can be added, removed and replaced at any time and from any thread, also by handlers themselves. An event that is on
 * its way meanwhile meets every handler that stays, exactly once. A handler that was removed while it held an event can still
 * send that on through its context.
 *
 * <h2>Names</h2>
 *
 * Handlers have names that are unique within the pipeline. Methods that look a handler up by name, instance or class search
 * from the first handler; by class means the first instance of that class or of a subclass.
 *
 * <p>All methods that take a name, a handler or a class throw NullPointerException if it is null, unless they say otherwise.
 * All methods that change the pipeline throw {@link ChannelHandlerLifeCycleException} as told in {@link
 * LifeCycleAwareChannelHandler}; all that add a handler throw
 *
 * <ul>
 * <li>IllegalArgumentException if the name is taken, or if the handler is for neither direction,
 * <li>{@link ChannelPipelineException} if the handler is in another place and may not be, see {@link ChannelHandler.Sharable}.
 * </ul>
 */
public interface ChannelPipeline {
    // ---- the channel ----

    /** Null until attached. */
    Channel getChannel();

    /** The transport's end of the pipeline; until the pipeline is attached, one that refuses everything. Never null. */
    ChannelSink getSink();

    boolean isAttached();

    /**
     * Attaches this pipeline to its channel, for good. Called by the channel.
     *
     * @throws IllegalStateException if it is attached already
     * @throws ChannelPipelineException if one of its handlers is in another channel's pipeline and may not be, see
     *     {@link ChannelHandler.Sharable}; it stays unattached then
     */
    void attach(Channel channel, ChannelSink sink);

    // ---- events ----

    /**
     * Sends an event to the first upstream handler, on the calling thread. If there is none, the event is logged and dropped.
     */
    void sendUpstream(ChannelEvent e);

    /**
     * Sends an event to the last downstream handler, on the calling thread, or to the sink if there is none. Before the
     * pipeline is attached a request that gets to its end is logged, and its future fails.
     *
     * @throws IllegalArgumentException if {@code e} is a received message
     */
    void sendDownstream(ChannelEvent e);

    /**
     * Runs a task on the channel's I/O thread: at once if the caller is that thread, else soon.
     *
     * @return completed after the task ran; failed with what it threw, or because the pipeline is not attached
     */
    ChannelFuture execute(Runnable task);

    // ---- the first handler ----

    /** The handler next to the transport; null if the pipeline is empty. */
    ChannelHandler getFirst();

    /** Adds a handler next to the transport. */
    void addFirst(String name, ChannelHandler handler);

    /**
     * Removes and returns the handler next to the transport.
     *
     * @throws NoSuchElementException if the pipeline is empty
     */
    ChannelHandler removeFirst();

    // ---- the last handler ----

    /** The handler next to the application; null if the pipeline is empty. */
    ChannelHandler getLast();

    /** Adds a handler next to the application. */
    void addLast(String name, ChannelHandler handler);

    /**
     * Removes and returns the handler next to the application.
     *
     * @throws NoSuchElementException if the pipeline is empty
     */
    ChannelHandler removeLast();

    // ---- handlers by name ----

    /** The handler of that name; null if there is none, and for null. */
    ChannelHandler get(String name);

    /** The context of the handler of that name; null if there is none. */
    ChannelHandlerContext getContext(String name);

    /**
     * Adds a handler on the transport's side of another one.
     *
     * @throws NoSuchElementException if there is no handler named {@code baseName}
     */
    void addBefore(String baseName, String name, ChannelHandler handler);

    /**
     * Adds a handler on the application's side of another one.
     *
     * @throws NoSuchElementException if there is no handler named {@code baseName}
     */
    void addAfter(String baseName, String name, ChannelHandler handler);

    /**
     * Replaces a handler in one step and returns the old one.
     *
     * @param newName may be the old one's name
     * @throws NoSuchElementException if there is no handler named {@code oldName}
     */
    ChannelHandler replace(String oldName, String newName, ChannelHandler newHandler);

    /**
     * Removes and returns a handler.
     *
     * @throws NoSuchElementException if there is no such name
     */
    ChannelHandler remove(String name);

    // ---- handlers by class ----

    /** The first handler of a class; null if there is none. */
    <T extends ChannelHandler> T get(Class<T> handlerType);

    /** The context of the first handler of a class; null if there is none. */
    ChannelHandlerContext getContext(Class<? extends ChannelHandler> handlerType);

    /**
     * Replaces the first handler of a class in one step and returns the old one.
     *
     * @param newName may be the old one's name
     * @throws NoSuchElementException if there is no handler of that class
     */
    <T extends ChannelHandler> T replace(Class<T> oldHandlerType, String newName, ChannelHandler newHandler);

    /**
     * Removes and returns the first handler of a class.
     *
     * @throws NoSuchElementException if there is none
     */
    <T extends ChannelHandler> T remove(Class<T> handlerType);

    // ---- a given handler ----

    /** The context of this very handler; null if it is not here. */
    ChannelHandlerContext getContext(ChannelHandler handler);

    /**
     * Replaces a handler in one step: no event passes in between.
     *
     * @param newName may be the old one's name
     * @throws NoSuchElementException if {@code oldHandler} is not here
     */
    void replace(ChannelHandler oldHandler, String newName, ChannelHandler newHandler);

    /**
     * Removes this very handler.
     *
     * @throws NoSuchElementException if it is not here
     */
    void remove(ChannelHandler handler);

    // ---- all handlers ----

    /** The handlers' names in order, first to last; a copy. */
    List<String> getNames();

    /** The handlers by name, in order, first to last; a copy. */
    Map<String, ChannelHandler> toMap();
}
