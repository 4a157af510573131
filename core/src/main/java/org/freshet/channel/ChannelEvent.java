package org.freshet.channel;

/**
 * Something that happened to a channel, on its way up the pipeline, or a request to it, on its way down.
 *
 * <p>The type of an event determines its direction: {@link UpstreamMessageEvent}, {@link UpstreamChannelStateEvent},
 * {@link ExceptionEvent}, {@link WriteCompletionEvent} and {@link ChildChannelStateEvent} go up; {@link DownstreamMessageEvent}
 * and {@link DownstreamChannelStateEvent} go down. Applications may send events of their own types either way; a handler that
 * does not know a type passes it on.
 *
 * <p>Freshet's own events are immutable and may be read from any thread.
 */
public interface ChannelEvent {
    /** The channel that the event is about. Never null. */
    Channel getChannel();

    /**
     * The future of the request, for a downstream event. An upstream event reports what has happened: its future
     * has always succeeded.
     */
    ChannelFuture getFuture();
}
