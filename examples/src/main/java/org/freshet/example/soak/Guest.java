package org.freshet.example.soak;

import java.net.InetSocketAddress;
import java.util.Random;
import org.freshet.channel.ChannelFactory;

/**
 * A client thread's view of one visit.
 *
 * @param factory the transport for polite clients
 * @param random the thread's own
 */
record Guest(SoakServer server, ChannelFactory factory, Random random, Ledger ledger) {
    private static final String LETTERS = "eeeetttaaooiinnsshhrrdlu \n";

    InetSocketAddress address(Service service) {
        return server.address(service);
    }

    /** Returns a whole number from 1 to {@code max}. */
    int upTo(int max) {
        return 1 + random.nextInt(max);
    }

    /** Returns text that depends only on the seed, and compresses like prose. */
    static String text(int seed, int length) {
        Random letters = new Random(seed);
        StringBuilder text = new StringBuilder(length);
        while (text.length() < length) {
            text.append(LETTERS.charAt(letters.nextInt(LETTERS.length())));
        }
        return text.toString();
    }
}
