package org.freshet.channel.socket.oio;

import java.net.ServerSocket;
import java.util.Map;
import org.freshet.channel.socket.DefaultServerSocketChannelConfig;
import org.freshet.channel.socket.DefaultSocketChannelConfig;
import org.freshet.internal.accept.AcceptLimits;
import org.freshet.internal.options.ChildOptions;
import org.freshet.internal.options.OptionTable;

/** The settings of a listening blocking socket. Any thread may call it. */
final class OioServerSocketConfig extends DefaultServerSocketChannelConfig implements ChildOptions, AcceptLimits.Owner {
    static {
        AcceptLimits.options(OptionTable.<OioServerSocketConfig>of(DefaultServerSocketChannelConfig.class))
                .accepting()
                .ownedBy(OioServerSocketConfig.class);
    }

    private static final OptionTable<DefaultSocketChannelConfig> CHILD =
            OptionTable.of(DefaultSocketChannelConfig.class);

    private final AcceptLimits limits = new AcceptLimits();

    OioServerSocketConfig(ServerSocket socket) {
        super(socket);
    }

    @Override
    public AcceptLimits limits() {
        return limits;
    }

    @Override
    public void checkChildOptions(Map<String, Object> options) {
        CHILD.check(DefaultSocketChannelConfig.class, options);
    }
}
