package org.freshet.internal.write;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.DefaultChannelConfig;
import org.freshet.internal.options.OptionTable;

/** The settings of a channel without a socket: those of every channel, and the water marks. Any thread may use them. */
public class WaterMarkedConfig extends DefaultChannelConfig {
    static {
        OptionTable.<WaterMarkedConfig>of(DefaultChannelConfig.class)
                .with(
                        ChannelOption.WRITE_BUFFER_HIGH_WATER_MARK,
                        config -> config.waterMarks().high(),
                        (config, bytes) -> config.marks.updateAndGet(now -> now.withHigh(bytes)))
                .with(
                        ChannelOption.WRITE_BUFFER_LOW_WATER_MARK,
                        config -> config.waterMarks().low(),
                        (config, bytes) -> config.marks.updateAndGet(now -> now.withLow(bytes)))
                .ownedBy(WaterMarkedConfig.class);
    }

    private final AtomicReference<WaterMarks> marks = new AtomicReference<>(WaterMarks.DEFAULT);

    public final WaterMarks waterMarks() {
        return marks.get();
    }

    @Override
    public final void setOptions(Map<String, Object> options) {
        super.setOptions(WaterMarks.inSafeOrder(options, waterMarks().low()));
    }
}
