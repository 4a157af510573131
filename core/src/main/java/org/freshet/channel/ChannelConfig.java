package org.freshet.channel;

import java.util.Map;
import org.freshet.buffer.ChannelBufferFactory;

/**
 * The settings of one channel.
 *
 * <p>Each setting has a method here or in a sub-interface, a key for {@link #setOption(String, Object)}, and a constant in
 * {@link ChannelOption} whose Javadoc states unit, range and default. Socket settings are written to and read from the live socket. Any
 * thread may use them; on a closed channel, socket settings fail with {@link ChannelException}.
 *
 * <p><b>Unknown keys.</b> If the config doesn't know a key, {@link #setOption(String, Object)} returns false and logs one warning that
 * names the nearest known key. With {@code -Dorg.freshet.strictOptions=true}, it throws {@link IllegalArgumentException} instead. If a
 * subclass overrides {@code setOption(String, Object)} to add its own keys, {@link #setOptions} warns only about keys that the override
 * refuses, too.
 */
public interface ChannelConfig {
    /**
     * Sets several options. Options that restrict each other, such as the two water marks, can be given in any order.
     *
     * @param options values by key
     * @throws IllegalArgumentException if a value has the wrong type or is out of range; options set before it stay set
     */
    void setOptions(Map<String, Object> options);

    /**
     * Sets one option by its key.
     *
     * @param key the name of the option
     * @param value the new value, in one of the forms that {@link ChannelOption} describes
     * @return false if the key is unknown; see the interface's description
     * @throws IllegalArgumentException if the value has the wrong type or is out of range
     * @throws ChannelException if the socket refuses
     */
    boolean setOption(String key, Object value);

    /**
     * Sets one option by its constant.
     *
     * @param option the option
     * @param value the new value
     * @param <T> its type
     * @return false if this config does not know the option
     * @throws IllegalArgumentException if the value is out of range
     * @throws ChannelException if the socket refuses
     */
    default <T> boolean setOption(ChannelOption<T> option, T value) {
        return setOption(option.key(), value);
    }

    /**
     * Returns one option, read from the live socket if it is a socket option.
     *
     * @param option the option
     * @param <T> its type
     * @return its value; null if it is not set, cannot be read, or is unknown to this config
     * @throws ChannelException if the socket cannot be read
     */
    default <T> T getOption(ChannelOption<T> option) {
        return CommonOptions.CHANNEL.get(this, option.key(), option.type());
    }

    /**
     * Returns all options that this config knows, with socket options read from the live socket.
     *
     * @return a new map of the values by key, without those that are null or not supported by the system
     * @throws ChannelException if the socket cannot be read
     */
    default Map<String, Object> getOptions() {
        return CommonOptions.CHANNEL.values(this);
    }

    ChannelBufferFactory getBufferFactory();

    /**
     * Sets the factory of the buffers for received data.
     *
     * @param bufferFactory not null
     * @see ChannelOption#BUFFER_FACTORY
     */
    void setBufferFactory(ChannelBufferFactory bufferFactory);

    /** Returns the factory of the pipelines of accepted channels; null if not set. */
    ChannelPipelineFactory getPipelineFactory();

    /**
     * Sets the factory of the pipelines of accepted channels.
     *
     * @param pipelineFactory the factory; server channels refuse null
     * @see ChannelOption#PIPELINE_FACTORY
     */
    void setPipelineFactory(ChannelPipelineFactory pipelineFactory);

    /**
     * Returns how long a connect attempt may take, in milliseconds; 0 means no limit, and on channels that do not connect it is always 0.
     */
    int getConnectTimeoutMillis();

    /**
     * Limits how long a connect attempt may take. Channels that do not connect ignore it.
     *
     * @param connectTimeoutMillis milliseconds; 0 for no limit
     * @throws IllegalArgumentException if negative
     * @see ChannelOption#CONNECT_TIMEOUT_MILLIS
     */
    void setConnectTimeoutMillis(int connectTimeoutMillis);
}
