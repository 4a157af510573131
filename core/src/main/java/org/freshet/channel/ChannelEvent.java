package org.freshet.channel;

/**
 * Something that happened to a channel, on its way up the pipeline, or a request to the channel, on its way down.
 *
 * <p>The type of an event determines its direction. {@link UpstreamMessageEvent}, {@link UpstreamChannelStateEvent},
 * {@link ExceptionEvent}, {@link WriteCompletionEvent} and {@link ChildChannelStateEvent} go up; {@link DownstreamMessageEvent} and
 * {@link DownstreamChannelStateEvent} go down. Applications may send events of their own types in either direction; a handler passes on
 * events of types it doesn't know.
 *
 * <p>Freshet's own events are immutable, so any thread may read them.
 */
public interface ChannelEvent {
    /** The channel that the event is about. Never null. */
    Channel getChannel();

    /**
     * The future of the request, for a downstream event. An upstream event reports something that has already happened, so its future has
     * always succeeded.
     */
    ChannelFuture getFuture();
}
