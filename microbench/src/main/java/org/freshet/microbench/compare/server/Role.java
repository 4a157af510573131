package org.freshet.microbench.compare.server;

import java.util.Locale;

/** What a server does with what it receives. */
public enum Role {
    /** Every byte goes back as it came, through a pipeline of one handler. */
    ECHO,
    /** Each connection joins one group and is greeted; whatever comes in goes to the whole group. */
    FANOUT,
    /** As {@link #ECHO}, behind a TLS handler with an engine of the JDK's. */
    TLS,
    /** Each object is answered with another one, as {@code ObjectDialect} has it; nothing else is ever deserialized. */
    OBJECTS;

    /** The role's name on a command line. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The role of that name. */
    public static Role of(String id) {
        return valueOf(id.toUpperCase(Locale.ROOT));
    }
}
