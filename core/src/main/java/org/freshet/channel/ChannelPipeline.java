package org.freshet.channel;

import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * The handlers of one channel, in the order in which events reach them.
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
 * <p>Events from the wire enter at the first handler and travel up; requests enter at the last and travel down to the {@link ChannelSink}.
 * An event reaches only the handlers of its direction: above, C never sees a request and A never sees a received message. Each handler
 * decides whether the event goes on, with {@link ChannelHandlerContext#sendUpstream} or {@link ChannelHandlerContext#sendDownstream}. If a
 * handler doesn't pass an event on, it stops there.
 *
 * <h2>Failures</h2>
 *
 * If a handler throws, the exception travels up as an {@link ExceptionEvent}, starting at the first handler. If a downstream handler or the
 * sink throws, the request's future also fails: the caller of {@code write} sees the failure there, and nothing is thrown to it. An
 * exception event that no handler handles is logged once, with the channel and the handler that threw. So is an exception thrown by a
 * handler while it handles an exception event.
 *
 * <h2>Threads</h2>
 *
 * Handlers can be added, removed and replaced at any time and from any thread, also by handlers themselves. An event that is travelling at
 * that moment reaches every handler that stays, exactly once. A handler that was removed while it held an event can still send it on
 * through its context.
 *
 * <h2>Names</h2>
 *
 * Handlers have names that are unique within the pipeline. Methods that look a handler up by name, instance or class search from the first
 * handler. Looking up by class finds the first instance of that class or a subclass.
 *
 * <p>Methods that take a name, a handler or a class throw NullPointerException if it is null, unless they say otherwise. Methods that
 * change the pipeline throw {@link ChannelHandlerLifeCycleException} as described in {@link LifeCycleAwareChannelHandler}. Methods that add
 * a handler throw
 *
 * <ul>
 * <li>IllegalArgumentException if the name is taken, or if the handler is neither an upstream nor a downstream handler,
 * <li>{@link ChannelPipelineException} if the handler is in another place and must not be in two; see {@link ChannelHandler.Sharable}.
 * </ul>
 */
public interface ChannelPipeline {
    // ---- the channel ----

    /** Null until attached. */
    Channel getChannel();

    /** The transport's end of the pipeline. Until the pipeline is attached, a sink that refuses everything. Never null. */
    ChannelSink getSink();

    boolean isAttached();

    /**
     * Attaches this pipeline to its channel, permanently. Called by the channel.
     *
     * @throws IllegalStateException if it is already attached
     * @throws ChannelPipelineException if one of its handlers is in another channel's pipeline and must not be in two, see
     *     {@link ChannelHandler.Sharable}; the pipeline stays unattached then
     */
    void attach(Channel channel, ChannelSink sink);

    // ---- events ----

    /**
     * Sends an event to the first upstream handler, on the calling thread. If the pipeline has no such handler, the event is logged and
     * dropped.
     */
    void sendUpstream(ChannelEvent e);

    /**
     * Sends an event to the last downstream handler, on the calling thread, or to the sink if the pipeline has no downstream handler. If a
     * request reaches the end of a pipeline that is not attached yet, it is logged and its future fails.
     *
     * @throws IllegalArgumentException if {@code e} is a received message
     */
    void sendDownstream(ChannelEvent e);

    /**
     * Runs a task on the channel's I/O thread: immediately if that is the calling thread, otherwise soon.
     *
     * @return completes after the task has run; fails with the task's exception, or if the pipeline is not attached
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

    /** Returns the handler with that name; null if no handler has it, or if {@code name} is null. */
    ChannelHandler get(String name);

    /** Returns the context of the handler with that name; null if no handler has it. */
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
     * @throws NoSuchElementException if there is no handler with that name
     */
    ChannelHandler remove(String name);

    // ---- handlers by class ----

    /** Returns the first handler of a class; null if the pipeline has no such handler. */
    <T extends ChannelHandler> T get(Class<T> handlerType);

    /** Returns the context of the first handler of a class; null if the pipeline has no such handler. */
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
     * @throws NoSuchElementException if there is no handler of that class
     */
    <T extends ChannelHandler> T remove(Class<T> handlerType);

    // ---- a given handler ----

    /** Returns the context of this handler instance; null if it is not in this pipeline. */
    ChannelHandlerContext getContext(ChannelHandler handler);

    /**
     * Replaces a handler in one step: no event passes in between.
     *
     * @param newName may be the old one's name
     * @throws NoSuchElementException if {@code oldHandler} is not in this pipeline
     */
    void replace(ChannelHandler oldHandler, String newName, ChannelHandler newHandler);

    /**
     * Removes this handler instance.
     *
     * @throws NoSuchElementException if it is not in this pipeline
     */
    void remove(ChannelHandler handler);

    // ---- all handlers ----

    /** Returns the handlers' names, first to last; a copy. */
    List<String> getNames();

    /** Returns the handlers by name, first to last; a copy. */
    Map<String, ChannelHandler> toMap();
}
