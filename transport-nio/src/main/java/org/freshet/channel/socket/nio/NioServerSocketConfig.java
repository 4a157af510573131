package org.freshet.channel.socket.nio;

import java.nio.channels.ServerSocketChannel;
import java.util.Map;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.socket.DefaultServerSocketChannelConfig;
import org.freshet.internal.accept.AcceptLimits;
import org.freshet.internal.options.ChildOptions;
import org.freshet.internal.options.OptionTable;
import org.freshet.internal.write.WaterMarks;

/** The settings of a listening NIO channel. Any thread may read and write them. */
final class NioServerSocketConfig extends DefaultServerSocketChannelConfig implements ChildOptions, AcceptLimits.Owner {
    private static final OptionTable<NioServerSocketConfig> OPTIONS = AcceptLimits.options(
                    OptionTable.<NioServerSocketConfig>of(DefaultServerSocketChannelConfig.class))
            .accepting()
            .ownedBy(NioServerSocketConfig.class);

    private final AcceptLimits limits = new AcceptLimits();

    NioServerSocketConfig(ServerSocketChannel channel) {
        super(channel);
    }

    @Override
    public AcceptLimits limits() {
        return limits;
    }

    @Override
    public boolean setOption(String key, Object value) {
        return OPTIONS.set(this, key, value);
    }

    @Override
    public <T> T getOption(ChannelOption<T> option) {
        return OPTIONS.get(this, option.key(), option.type());
    }

    @Override
    public Map<String, Object> getOptions() {
        return OPTIONS.values(this);
    }

    @Override
    public void checkChildOptions(Map<String, Object> options) {
        NioOptions.SOCKET.check(NioSocketConfig.class, options);
        WaterMarks.DEFAULT.check(options);
    }
}
