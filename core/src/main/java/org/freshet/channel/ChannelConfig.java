package org.freshet.channel;

import java.util.Map;
import org.freshet.buffer.ChannelBufferFactory;

/**
 * The settings of one channel.
 *
 * <p>Each setting has a method here or in a sub-interface, a key for {@link #setOption(String, Object)}, and a constant in
 * {@link ChannelOption} whose Javadoc states unit, range and default. Settings that belong to a socket are written to and read
 * from the live socket. They may be used from any thread; on a closed channel those of the socket fail with
 * {@link ChannelException}.
 *
 * <p><b>Unknown keys.</b> A key that the config does not understand makes {@link #setOption(String, Object)} return false, and
 * is logged once as a warning that names the nearest key it does understand. With {@code -Dorg.freshet.strictOptions=true} it
 * is an {@link IllegalArgumentException}. A subclass that overrides {@code setOption(String, Object)} to add keys of its own is
 * asked last: {@link #setOptions} warns only of what the whole of it refuses.
 */
public interface ChannelConfig {
    /**
     * Sets several options. Those that restrict each other, such as the two water marks, may come in any order.
     *
     * @param options values by key
     * @throws IllegalArgumentException when a value has a wrong type or is out of range; options set before it stay set
     */
    void setOptions(Map<String, Object> options);

    /**
     * Sets one option by its key.
     *
     * @param key the name of the option
     * @param value the new value, in one of the forms that {@link ChannelOption} describes
     * @return false when the key is unknown, see the interface's comment
     * @throws IllegalArgumentException when the value has a wrong type or is out of range
     * @throws ChannelException when the socket refuses
     */
    boolean setOption(String key, Object value);

    /**
     * Sets one option by its constant.
     *
     * @param option the option
     * @param value the new value
     * @param <T> its type
     * @return false when this config does not know the option
     * @throws IllegalArgumentException when the value is out of range
     * @throws ChannelException when the socket refuses
     */
    default <T> boolean setOption(ChannelOption<T> option, T value) {
        return setOption(option.key(), value);
    }

    /**
     * Reads one option, from the live socket where it belongs to it.
     *
     * @param option the option
     * @param <T> its type
     * @return its value; null when it is not set, cannot be read, or is unknown to this config
     * @throws ChannelException when the socket cannot be asked
     */
    default <T> T getOption(ChannelOption<T> option) {
        return CommonOptions.CHANNEL.get(this, option.key(), option.type());
    }

    /**
     * Reads all options that this config knows, from the live socket where they belong to it.
     *
     * @return a new map of the values by key, without those that are null or that the system does not support
     * @throws ChannelException when the socket cannot be asked
     */
    default Map<String, Object> getOptions() {
        return CommonOptions.CHANNEL.values(this);
    }

    ChannelBufferFactory getBufferFactory();

    /**
     * Sets what makes the buffers for received data.
     *
     * @param bufferFactory not null
     * @see ChannelOption#BUFFER_FACTORY
     */
    void setBufferFactory(ChannelBufferFactory bufferFactory);

    /** What makes the pipelines of accepted channels; null when not set. */
    ChannelPipelineFactory getPipelineFactory();

    /**
     * Sets what makes the pipelines of accepted channels.
     *
     * @param pipelineFactory the factory; null is refused by server channels
     * @see ChannelOption#PIPELINE_FACTORY
     */
    void setPipelineFactory(ChannelPipelineFactory pipelineFactory);

    /** How long a connect attempt may take, in milliseconds; 0 when without limit, and on channels that do not connect. */
    int getConnectTimeoutMillis();

    /**
     * Limits how long a connect attempt may take. Channels that do not connect ignore it.
     *
     * @param connectTimeoutMillis milliseconds; 0 for no limit
     * @throws IllegalArgumentException when negative
     * @see ChannelOption#CONNECT_TIMEOUT_MILLIS
     */
    void setConnectTimeoutMillis(int connectTimeoutMillis);
}
