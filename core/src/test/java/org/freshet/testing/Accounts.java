package org.freshet.testing;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.freshet.channel.Channel;
import org.freshet.channel.WriteAccount;

/**
 * The write accounts of the channels of a test. When a channel is closed, its handlers release everything they hold. A charge
 * that stays was lost by a handler; it would count forever while the channel is open.
 *
 * <p>Any thread may call this.
 */
final class Accounts {
    private static final Set<Channel> WATCHED = ConcurrentHashMap.newKeySet();

    private Accounts() {}

    static void watch(MemoryChannel channel) {
        WATCHED.add(channel);
    }

    /** Watches the channel if it is closed and not everything has been released. The others aren't kept from being collected. */
    static void watchClosed(Channel channel) {
        if (!channel.isOpen() && WriteAccount.waitingBytes(channel) != 0) {
            WATCHED.add(channel);
        }
    }

    /** A closed channel that has released everything may be collected. */
    static void forgetSettled(MemoryChannel closed) {
        if (WriteAccount.waitingBytes(closed) == 0) {
            WATCHED.remove(closed);
        }
    }

    /** Closes the {@link MemoryChannel}s. A test may leave them open, because they have no resource but their account. */
    static void closeAll() {
        for (Channel each : WATCHED) {
            if (each instanceof MemoryChannel channel) {
                channel.end();
            }
        }
    }

    /** Whether a closed channel has bytes charged. */
    static boolean areUnsettled() {
        WATCHED.removeIf(each -> WriteAccount.waitingBytes(each) == 0 || isChargedByTest(each));
        return !WATCHED.isEmpty();
    }

    private static boolean isChargedByTest(Channel channel) {
        return channel instanceof MemoryChannel ofTest && !ofTest.hasHandlers();
    }

    /** Describes the channels that have bytes charged, and forgets them. */
    static String takeUnsettled() {
        String text = WATCHED.stream()
                .map(each -> each + " is closed, and " + WriteAccount.waitingBytes(each) + " bytes are charged for "
                        + each.getPipeline() + '\n')
                .collect(Collectors.joining());
        WATCHED.clear();
        return text;
    }
}
