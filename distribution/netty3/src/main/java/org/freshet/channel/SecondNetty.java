package org.freshet.channel;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/** Looks for another jar with the same classes, which would be mixed with these one by one. */
final class SecondNetty {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(SecondNetty.class);

    private SecondNetty() {}

    /** Logs one warning that names each jar. */
    static void warnIfPresent() {
        Set<String> jars = jarsWith(Channel.class);
        if (jars.size() > 1) {
            logger.warn("Several jars contain " + Channel.class.getPackageName()
                    + ", and classes of all of them are mixed: " + String.join(", ", jars)
                    + ". Keep freshet-netty3 alone: exclude io.netty:netty from what depends on it.");
        }
    }

    private static Set<String> jarsWith(Class<?> type) {
        String file = type.getName().replace('.', '/') + ".class";
        Set<String> jars = new LinkedHashSet<>();
        try {
            for (URL url : Collections.list(loaderOf(type).getResources(file))) {
                jars.add(jarOf(url, file));
            }
        } catch (IOException e) {
            logger.debug("cannot look for a second Netty", e);
        }
        return jars;
    }

    private static ClassLoader loaderOf(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader != null ? loader : ClassLoader.getSystemClassLoader();
    }

    /** {@code jar:file:/lib/netty.jar!/org/...} is shortened to {@code file:/lib/netty.jar}. */
    private static String jarOf(URL url, String file) {
        String text = url.toString();
        String jar = text.substring(0, text.length() - file.length());
        return jar.startsWith("jar:") && jar.endsWith("!/") ? jar.substring(4, jar.length() - 2) : jar;
    }
}
