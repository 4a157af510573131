package org.freshet.channel;

/** The defaults of the drop-in jar. It is used by compiled software that can't be changed. */
final class ChannelDefaults {
    private ChannelDefaults() {}

    /**
     * Accepts shared handlers wherever Netty 3 did. Called once per JVM, when its first handler is added to a pipeline.
     */
    static String sharability() {
        SecondNetty.warnIfPresent();
        return "warn";
    }
}
