package org.freshet.channel;

/** The defaults of the drop-in jar, which is used by software whose sources nobody at hand can change. */
final class ChannelDefaults {
    private ChannelDefaults() {}

    /** Lets in what Netty 3 let in. Asked once in a JVM, when its first handler is added to a pipeline. */
    static String sharability() {
        SecondNetty.warnIfPresent();
        return "warn";
    }
}
