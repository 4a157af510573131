package org.freshet.handler.logging;

import java.net.SocketAddress;
import java.util.Objects;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelScope;
import org.freshet.channel.OriginalAddress;
import org.slf4j.MDC;
import org.slf4j.spi.MDCAdapter;

/**
 * Adds the channel to each log line through slf4j's MDC. While a thread works for a channel, the MDC has
 * {@value #CHANNEL}, the channel's id as in {@link Object#toString toString()}, and {@value #REMOTE}, the remote
 * address if known, or the client's behind a load balancer ({@link OriginalAddress}). A pattern such as {@code
 * %X{channel} %X{remote}} prints them. Your logging library must support MDC.
 *
 * <pre>{@code
 * ChannelScopes.install(new MdcScope());
 * }</pre>
 *
 * <p>Earlier values are restored afterwards. Any thread may use it.
 */
public final class MdcScope implements ChannelScope {
    public static final String CHANNEL = "channel";
    public static final String REMOTE = "remote";

    private final MDCAdapter mdc;

    /** The earlier values; null if there was no value. */
    private record Before(String channel, String remote) {}

    public MdcScope() {
        this(MDC.getMDCAdapter());
    }

    /** For tests. */
    MdcScope(MDCAdapter mdc) {
        this.mdc = Objects.requireNonNull(mdc, "mdc");
    }

    @Override
    public Object enter(Channel channel) {
        Before before = new Before(mdc.get(CHANNEL), mdc.get(REMOTE));
        SocketAddress remote = OriginalAddress.of(channel);
        set(CHANNEL, String.format("0x%08x", channel.getId()));
        set(REMOTE, remote == null ? null : remote.toString());
        return before;
    }

    @Override
    public void exit(Object token) {
        Before before = (Before) token;
        set(CHANNEL, before.channel);
        set(REMOTE, before.remote);
    }

    private void set(String key, String value) {
        if (value == null) {
            mdc.remove(key);
        } else {
            mdc.put(key, value);
        }
    }

    @Override
    public String toString() {
        return "MdcScope(" + CHANNEL + ", " + REMOTE + ")";
    }
}
