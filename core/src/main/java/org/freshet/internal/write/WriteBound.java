package org.freshet.internal.write;

import static org.freshet.channel.ChannelOption.WRITE_BUFFER_LIMIT;
import static org.freshet.channel.ChannelOption.WRITE_OVERFLOW;
import static org.freshet.channel.ChannelOption.WRITE_STALL_TIMEOUT_MILLIS;

import java.util.function.UnaryOperator;
import org.freshet.channel.WriteOverflow;
import org.freshet.internal.options.OptionTable;

/**
 * The maximum number of bytes that may wait on a channel, and the maximum time that its peer may take nothing. Immutable.
 *
 * @param limitBytes 0 for no limit
 * @param overflow what happens at the limit
 * @param stallMillis 0 for no limit
 */
public record WriteBound(int limitBytes, WriteOverflow overflow, int stallMillis) {
    public static final WriteBound NONE = new WriteBound(0, WriteOverflow.CLOSE, 0);

    /** A config with these settings. */
    public interface Config {
        WriteBound writeBound();

        /** Replaces the settings, without losing another thread's change. */
        void changeWriteBound(UnaryOperator<WriteBound> change);
    }

    public WriteBound withLimit(int bytes) {
        return new WriteBound(WRITE_BUFFER_LIMIT.convert(bytes), overflow, stallMillis);
    }

    public WriteBound withOverflow(WriteOverflow policy) {
        return new WriteBound(limitBytes, WRITE_OVERFLOW.convert(policy), stallMillis);
    }

    public WriteBound withStallMillis(int millis) {
        return new WriteBound(limitBytes, overflow, WRITE_STALL_TIMEOUT_MILLIS.convert(millis));
    }

    public static <C extends Config> OptionTable<C> limitOptions(OptionTable<C> table) {
        return table.with(
                        WRITE_BUFFER_LIMIT.key(),
                        WRITE_BUFFER_LIMIT::convert,
                        config -> config.writeBound().limitBytes(),
                        (config, bytes) -> config.changeWriteBound(bound -> bound.withLimit(bytes)))
                .with(
                        WRITE_OVERFLOW.key(),
                        WRITE_OVERFLOW::convert,
                        config -> config.writeBound().overflow(),
                        (config, policy) -> config.changeWriteBound(bound -> bound.withOverflow(policy)));
    }

    /** For connections. */
    public static <C extends Config> OptionTable<C> stallOption(OptionTable<C> table) {
        return table.with(
                WRITE_STALL_TIMEOUT_MILLIS.key(),
                WRITE_STALL_TIMEOUT_MILLIS::convert,
                config -> config.writeBound().stallMillis(),
                (config, millis) -> config.changeWriteBound(bound -> bound.withStallMillis(millis)));
    }
}
