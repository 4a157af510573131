package org.freshet.channel;

import java.util.AbstractMap;
import java.util.Iterator;
import java.util.Map.Entry;
import java.util.NoSuchElementException;
import java.util.Objects;

/**
 * A variable with a separate value for each channel, as {@link ThreadLocal} has for each thread. For handlers that serve many channels and
 * keep something for each:
 *
 * <pre>{@code
 * private static final ChannelLocal<User> USER = new ChannelLocal<>();
 *
 * USER.set(channel, user);
 * User user = USER.get(channel);
 * }</pre>
 *
 * <p>The values are stored in their channels. Reading one costs hardly more than reading a field, and values are garbage collected with the
 * channel, or some time after the {@code ChannelLocal} is. A write copies the channel's few values. A value must not refer to its own
 * {@code ChannelLocal} unless that is static; otherwise the channel keeps both alive.
 *
 * <p>For a channel that does not extend {@link AbstractChannel}, values are kept in a map here and removed when the channel is garbage
 * collected. A value that refers to its channel stays until you remove it.
 *
 * <p>Any thread may call any method; a change is visible to every later call.
 */
public class ChannelLocal<T> implements Iterable<Entry<Channel, T>> {
    /** Marks a channel in {@link #channels} that stores its value itself. */
    private static final Object CARRIED = new Object();

    private final LocalKey key = new LocalKey(this);

    /** All channels with a value, each mapped to {@link #CARRIED} or, if it cannot store one, to the value. */
    private final WeakChannelMap channels = new WeakChannelMap();

    /** Null if values stay when their channels close. */
    private final ChannelFutureListener remover;

    /** Creates a variable whose values stay when their channels close. */
    public ChannelLocal() {
        this(false);
    }

    /**
     * Creates a variable.
     *
     * @param removeOnClose whether a channel's value is removed when the channel closes, before {@code channelClosed} reaches the handlers
     */
    public ChannelLocal(boolean removeOnClose) {
        remover = removeOnClose ? future -> erase(future.getChannel()) : null;
    }

    /**
     * Creates the value of a channel that has none when {@link #get} is called. Returns null unless overridden, which means no value. If
     * several threads call {@code get} at the same time, each may run this; all get the value of the first.
     */
    protected T initialValue(Channel channel) {
        return null;
    }

    /** Returns the channel's value. If it has none, sets and returns the {@linkplain #initialValue initial value}. */
    public T get(Channel channel) {
        T value = look(channel);
        if (value != null) {
            return value;
        }
        T initial = initialValue(channel);
        if (initial == null) {
            return null;
        }
        T first = putIfAbsent(channel, initial);
        return first != null ? first : initial;
    }

    /**
     * Sets the channel's value; null removes it like {@link #remove}.
     *
     * @return the previous value, or null if the channel had no value
     */
    public T set(Channel channel, T value) {
        if (value == null) {
            return remove(channel);
        }
        Object previous = channel instanceof AbstractChannel carrier
                ? key.set(carrier, value)
                : channels.put(notNull(channel), value);
        if (previous == null) {
            keepTrackOf(channel);
        }
        return valueOf(previous);
    }

    /**
     * Sets the channel's value if it has none; with null, the same as {@link #get}.
     *
     * @return the existing value, or null if this one was set
     */
    public T setIfAbsent(Channel channel, T value) {
        return value == null ? get(channel) : putIfAbsent(channel, value);
    }

    /**
     * Removes the channel's value.
     *
     * @return the removed value; if the channel had no value, an {@linkplain #initialValue initial value}, which is not kept
     */
    public T remove(Channel channel) {
        T removed = erase(channel);
        return removed != null ? removed : initialValue(channel);
    }

    private T look(Channel channel) {
        return valueOf(channel instanceof AbstractChannel carrier ? key.get(carrier) : channels.get(notNull(channel)));
    }

    private T putIfAbsent(Channel channel, T value) {
        Object present = channel instanceof AbstractChannel carrier
                ? key.setIfAbsent(carrier, value)
                : channels.putIfAbsent(notNull(channel), value);
        if (present == null) {
            keepTrackOf(channel);
        }
        return valueOf(present);
    }

    private T erase(Channel channel) {
        Object removed =
                channel instanceof AbstractChannel carrier ? key.remove(carrier) : channels.remove(notNull(channel));
        if (removed != null) {
            loseTrackOf(channel);
        }
        return valueOf(removed);
    }

    private void keepTrackOf(Channel channel) {
        if (channel instanceof AbstractChannel) {
            channels.put(channel, CARRIED);
        }
        if (remover != null) {
            channel.getCloseFuture().addListener(remover);
        }
    }

    private void loseTrackOf(Channel channel) {
        if (remover != null) {
            channel.getCloseFuture().removeListener(remover);
        }
        if (channel instanceof AbstractChannel) {
            channels.remove(channel);
        }
        if (look(channel) != null) { // a thread whose entry was just removed has set a value again
            keepTrackOf(channel);
        }
    }

    /**
     * Iterates over the channels that have a value, in no particular order; weakly consistent. An entry's {@code setValue} calls
     * {@link #set}; the iterator can't remove entries.
     */
    @Override
    public Iterator<Entry<Channel, T>> iterator() {
        Iterator<Channel> all = channels.keys();
        return new Iterator<>() {
            private Entry<Channel, T> next = findNext();

            private Entry<Channel, T> findNext() {
                while (all.hasNext()) {
                    Channel channel = all.next();
                    T value = look(channel);
                    if (value != null) {
                        return new LocalEntry(channel, value);
                    }
                }
                return null;
            }

            @Override
            public boolean hasNext() {
                return next != null;
            }

            @Override
            public Entry<Channel, T> next() {
                Entry<Channel, T> current = next;
                if (current == null) {
                    throw new NoSuchElementException();
                }
                next = findNext();
                return current;
            }
        };
    }

    private final class LocalEntry extends AbstractMap.SimpleEntry<Channel, T> {
        private static final long serialVersionUID = 1L;

        LocalEntry(Channel channel, T value) {
            super(channel, value);
        }

        @Override
        public T setValue(T value) {
            ChannelLocal.this.set(getKey(), value);
            return super.setValue(value);
        }
    }

    private static Channel notNull(Channel channel) {
        return Objects.requireNonNull(channel, "channel");
    }

    @SuppressWarnings("unchecked") // only values of type T are stored under this key
    private T valueOf(Object stored) {
        return (T) stored;
    }
}
