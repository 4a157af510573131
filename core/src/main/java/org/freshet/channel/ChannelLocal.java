package org.freshet.channel;

import java.util.AbstractMap;
import java.util.Iterator;
import java.util.Map.Entry;
import java.util.NoSuchElementException;
import java.util.Objects;

/**
 * A variable of which every channel has its own copy, as every thread has of a {@link ThreadLocal}. For handlers that
 * serve many channels and must keep something of each:
 *
 * <pre>{@code
 * private static final ChannelLocal<User> USER = new ChannelLocal<>();
 *
 * USER.set(channel, user);
 * User user = USER.get(channel);
 * }</pre>
 *
 * <p>The values are stored in their channels: reading costs hardly more than reading a field, and the values are collected
 * with the channel, or with the {@code ChannelLocal} some time after it. A write copies the channel's few
 * values. A value must not refer to its own {@code ChannelLocal} unless that is static; the channel would keep both.
 *
 * <p>For a channel that does not extend {@link AbstractChannel}, values are stored in a map here and are removed when the
 * channel is collected; a value that refers to its channel stays until it is removed.
 *
 * <p>Any thread may call any method; a change is visible to every later call.
 */
public class ChannelLocal<T> implements Iterable<Entry<Channel, T>> {
    /** Stands in {@link #channels} for a value that the channel stores itself. */
    private static final Object CARRIED = new Object();

    private final LocalKey key = new LocalKey(this);

    /** All channels that have a value, each with {@link #CARRIED} or, if it cannot store one, the value. */
    private final WeakChannelMap channels = new WeakChannelMap();

    /** Null if values stay when their channels close. */
    private final ChannelFutureListener remover;

    /** A variable whose values stay when their channels close. */
    public ChannelLocal() {
        this(false);
    }

    /**
     * Makes a variable.
     *
     * @param removeOnClose whether a channel's value is removed when the channel closes. It is then gone before {@code
     *     channelClosed} reaches the handlers.
     */
    public ChannelLocal(boolean removeOnClose) {
        remover = removeOnClose ? future -> erase(future.getChannel()) : null;
    }

    /**
     * Creates the value of a channel that has none when {@link #get} is called; null unless overridden, which leaves the
     * channel without. Threads that call at the same time may each run this; all get the value of the first.
     */
    protected T initialValue(Channel channel) {
        return null;
    }

    /** The channel's value; if it has none, its {@linkplain #initialValue initial one} from now on. */
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
     * Gives the channel a value; null removes it as {@link #remove} does.
     *
     * @return the value before, or null if there was none
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
     * Gives the channel a value unless it has one; null means {@link #get}.
     *
     * @return the value that was there, or null if this one was set
     */
    public T setIfAbsent(Channel channel, T value) {
        return value == null ? get(channel) : putIfAbsent(channel, value);
    }

    /**
     * Removes the channel's value.
     *
     * @return the value removed; if there was none, an {@linkplain #initialValue initial one} that is not kept
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
        if (look(channel) != null) { // set again meanwhile, by a thread whose traces were just removed
            keepTrackOf(channel);
        }
    }

    /**
     * Iterates over the channels that have a value, in no order; weakly consistent. An
     * entry's {@code setValue} is {@link #set}; entries cannot be removed here.
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
