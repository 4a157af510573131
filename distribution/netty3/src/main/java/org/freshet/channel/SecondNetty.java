package org.freshet.channel;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/** Looks for another jar with the same classes: the JVM would mix the classes of both. */
final class SecondNetty {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(SecondNetty.class);

    private SecondNetty() {}

    /** Logs one warning that lists the jars. */
    static void warnIfPresent() {
        Set<String> jars = jarsWith(Channel.class);
        if (jars.size() > 1) {
            logger.warn("Several jars contain " + Channel.class.getPackageName()
                    + ", so their classes get mixed: " + String.join(", ", jars)
                    + ". Keep only freshet-netty3: exclude io.netty:netty from the dependencies that bring it in.");
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
            logger.debug("cannot check for a second Netty on the class path", e);
        }
        return jars;
    }

    private static ClassLoader loaderOf(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader != null ? loader : ClassLoader.getSystemClassLoader();
    }

    /** Shortens {@code jar:file:/lib/netty.jar!/org/...} to {@code file:/lib/netty.jar}. */
    private static String jarOf(URL url, String file) {
        String text = url.toString();
        String jar = text.substring(0, text.length() - file.length());
        return jar.startsWith("jar:") && jar.endsWith("!/") ? jar.substring(4, jar.length() - 2) : jar;
    }
}
