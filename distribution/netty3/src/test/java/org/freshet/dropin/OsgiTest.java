package org.freshet.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import org.apache.felix.framework.FrameworkFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.launch.Framework;

/** The jar is the same OSGi bundle as Netty 3. */
class OsgiTest {
    private static Set<String> packages(String header) throws IOException {
        try (JarFile jar = new JarFile(DropIn.JAR.toFile())) {
            String value = jar.getManifest().getMainAttributes().getValue(header);
            return Arrays.stream(value.split(","))
                    .map(clause -> clause.strip().replaceFirst(";.*", ""))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    @Test
    void shouldExportNetty3sPackagesAndNewOnesButNoInternalOnes() throws IOException {
        Set<String> exported = packages("Export-Package");
        Set<String> present = new TreeSet<>();
        try (JarFile jar = new JarFile(DropIn.JAR.toFile())) {
            jar.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.endsWith(".class"))
                    .forEach(name ->
                            present.add(name.substring(0, name.lastIndexOf('/')).replace('/', '.')));
        }
        Set<String> internal = new TreeSet<>(present);
        internal.removeAll(exported);
        internal.removeIf(name ->
                name.matches(".*\\.(internal(\\..*)?|nio\\.(accept|loop|pool|receive|request|send)|http2\\.hpack)"));
        assertEquals(Set.of(), internal, "neither exported nor internal");
        exported.removeAll(present);
        assertEquals(Set.of(), exported, "exported but missing");
    }

    @Test
    void shouldImportThePackagesThatItsClassesUse() throws IOException {
        StringWriter out = new StringWriter();
        ToolProvider jdeps = ToolProvider.findFirst("jdeps").orElseThrow();
        jdeps.run(new PrintWriter(out), new PrintWriter(out), "-verbose:package", DropIn.JAR.toString());
        Set<String> used = new TreeSet<>();
        Matcher matcher = Pattern.compile("-> ([\\w.]+\\.[\\w.]+)").matcher(out.toString());
        while (matcher.find()) {
            String name = matcher.group(1);
            if (!name.startsWith("java.") && !name.startsWith("org.jboss.netty") && !name.matches("jdk\\.\\w+\\s*")) {
                used.add(name);
            }
        }
        used.add("jdk.jfr"); // its module has that name, too
        assertEquals(used, packages("Import-Package"));
    }

    @Test
    void shouldWorkInAFrameworkWithoutAnyOtherBundle(@TempDir Path storage) throws Exception {
        Framework framework =
                new FrameworkFactory().newFramework(Map.of("org.osgi.framework.storage", storage.toString()));
        framework.start();
        try {
            Bundle bundle = framework
                    .getBundleContext()
                    .installBundle(DropIn.JAR.toUri().toString());
            bundle.start();
            assertEquals("org.jboss.netty", bundle.getSymbolicName());
            Class<?> factory = bundle.loadClass("org.jboss.netty.channel.socket.nio.NioServerSocketChannelFactory");
            assertFalse(factory.getClassLoader() == OsgiTest.class.getClassLoader());
            Class<?> bootstrap = bundle.loadClass("org.jboss.netty.bootstrap.ServerBootstrap");
            Object server = bootstrap
                    .getConstructor(bundle.loadClass("org.jboss.netty.channel.ChannelFactory"))
                    .newInstance(factory.getConstructor().newInstance());
            Object channel = bootstrap
                    .getMethod("bind", java.net.SocketAddress.class)
                    .invoke(server, new InetSocketAddress("localhost", 0));
            assertEquals(
                    true,
                    bundle.loadClass("org.jboss.netty.channel.Channel")
                            .getMethod("isBound")
                            .invoke(channel));
            bootstrap.getMethod("shutdown").invoke(server);
            bootstrap.getMethod("releaseExternalResources").invoke(server);
        } finally {
            framework.stop();
            framework.waitForStop(60_000);
        }
    }
}
