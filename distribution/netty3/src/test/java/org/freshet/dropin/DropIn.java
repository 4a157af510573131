package org.freshet.dropin;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jboss.netty.channel.Channel;

/** The jar under test, and the jar it replaces. The tests are compiled against the latter. */
final class DropIn {
    static final Path JAR = Path.of(System.getProperty("freshet.drop-in.jar"));

    /** Contains jars that are on no test's class path. */
    private static final Path PEERS = JAR.resolveSibling("peers");

    private DropIn() {}

    static Path netty3() {
        return peer("netty");
    }

    static Path peer(String artifact) {
        return PEERS.resolve(artifact + ".jar");
    }

    /** The location of the Netty on this test's class path. */
    static Path inUse() throws URISyntaxException {
        URI jar = Channel.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI();
        return Path.of(jar);
    }

    /** Sees the JDK and these jars, but nothing of this test's class path. */
    static URLClassLoader loaderOf(Path... jars) throws Exception {
        List<URL> urls = new ArrayList<>();
        for (Path jar : jars) {
            urls.add(jar.toUri().toURL());
        }
        return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    /** A pipeline with one handler, of the Netty that the loader finds. */
    static void makePipeline(ClassLoader loader, Object handler) throws ReflectiveOperationException {
        Object pipeline = loader.loadClass("org.jboss.netty.channel.Channels")
                .getMethod("pipeline")
                .invoke(null);
        loader.loadClass("org.jboss.netty.channel.ChannelPipeline")
                .getMethod("addLast", String.class, loader.loadClass("org.jboss.netty.channel.ChannelHandler"))
                .invoke(pipeline, "handler", handler);
    }
}
