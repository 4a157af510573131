package org.freshet.channel;

/**
 * The peer has ended its output, so nothing more is received. Fired once, and only if {@link ChannelOption#ALLOW_HALF_CLOSURE} is set;
 * otherwise the channel closes. On a server's HTTP/2 stream that carries a CONNECT tunnel, it is fired without the option. Data sent to the
 * peer before and after it is still delivered. Immutable.
 */
public final class InputShutdownEvent extends UpstreamEvent {
    public InputShutdownEvent(Channel channel) {
        super(channel);
    }

    @Override
    public String toString() {
        return getChannel() + " INPUT_SHUTDOWN";
    }
}
