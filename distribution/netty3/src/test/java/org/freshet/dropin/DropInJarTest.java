package org.freshet.dropin;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/** The contents of the jar besides working classes. */
class DropInJarTest {
    /** A Freshet name in a class file or source, up to its end. */
    private static final Pattern OWN_NAME = Pattern.compile("org[./]freshet[./][\\w./]*");

    /** Names of system properties, loggers and events, which are the same in both jars. */
    private static final Set<String> PROPERTIES = Set.of(
            "org.freshet.AcceptPaused",
            "org.freshet.CloseRequested",
            "org.freshet.Connect",
            "org.freshet.Connection",
            "org.freshet.Drain",
            "org.freshet.LoopStatistics",
            "org.freshet.Overflow",
            "org.freshet.Stall",
            "org.freshet.TlsHandshake",
            "org.freshet.Unwritable",
            "org.freshet.UnobservedFailure",
            "org.freshet.access",
            "org.freshet.http",
            "org.freshet.lending",
            "org.freshet.raceCheck",
            "org.freshet.serialization.filter",
            "org.freshet.serialization.maxCollectionCost",
            "org.freshet.serialization.maxDepth",
            "org.freshet.sharability",
            "org.freshet.stallMillis",
            "org.freshet.strictOptions",
            "org.freshet.tls",
            "org.freshet.unobservedFailures",
            "org.freshet.writeBudget");

    @Test
    void shouldContainNoFreshetNamesExceptThoseForOperators() throws IOException {
        Set<String> names = new TreeSet<>();
        try (ZipFile jar = new ZipFile(DropIn.JAR.toFile())) {
            for (ZipEntry entry : jar.stream().toList()) {
                String text = entry.getName() + " " + new String(contentOf(jar, entry), ISO_8859_1);
                Matcher matcher = OWN_NAME.matcher(text);
                while (matcher.find()) {
                    names.add(matcher.group());
                }
            }
        }
        assertEquals(
                new TreeSet<>(PROPERTIES),
                names,
                "a new system property, logger or event needs a line here and among the excludes of the relocation in pom.xml");
    }

    /** Only {@code org.freshet.debug} also existed in Netty 3, under Netty's own name. */
    @Test
    void shouldReadTheDocumentedProperties() throws IOException {
        Set<String> documented = new TreeSet<>();
        Matcher matcher = Pattern.compile("-D(org\\.freshet\\.[\\w.]*\\w)")
                .matcher(Files.readString(Path.of("../../docs/operations/properties.md")));
        while (matcher.find()) {
            documented.add(matcher.group(1));
        }
        documented.remove("org.freshet.debug");
        Set<String> unknown = new TreeSet<>(documented);
        unknown.removeAll(PROPERTIES);
        assertEquals(Set.of(), unknown, "would be renamed in the jar");
        assertTrue(documented.size() > 5, documented::toString);
    }

    private static byte[] contentOf(ZipFile jar, ZipEntry entry) throws IOException {
        if (!entry.getName().endsWith(".class")) {
            return new byte[0];
        }
        try (InputStream content = jar.getInputStream(entry)) {
            return content.readAllBytes();
        }
    }

    /** Debuggers can find the line where they stop. */
    @Test
    void shouldContainTheSourceOfEachClass() throws Exception {
        Path sources = Path.of(DropIn.JAR.toString().replaceFirst("\\.jar$", "-sources.jar"));
        try (ZipFile jar = new ZipFile(DropIn.JAR.toFile());
                ZipFile sourceJar = new ZipFile(sources.toFile())) {
            assumeTrue(sourceJar.getEntry("org/jboss/netty/channel/Channel.java") != null, "-Dmaven.source.skip");
            Set<String> missing = jar.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.endsWith(".class"))
                    .map(name -> name.replaceFirst("(\\$.*)?\\.class$", ".java"))
                    .filter(name -> sourceJar.getEntry(name) == null)
                    .collect(Collectors.toCollection(TreeSet::new));
            // Classes that share a file with others.
            missing.removeIf(name -> name.endsWith("package-info.java"));
            assertEquals(Set.of(), missing);
            ZipEntry source = sourceJar.getEntry("org/jboss/netty/util/Version.java");
            try (InputStream content = sourceJar.getInputStream(source)) {
                String text = new String(content.readAllBytes(), UTF_8);
                assertTrue(text.contains("package org.jboss.netty.util;"), text);
                assertTrue(text.contains(versionId()), text);
            }
        }
    }

    @Test
    void shouldHaveTheManifestThatNetty3UsersNeed() throws IOException {
        try (JarFile jar = new JarFile(DropIn.JAR.toFile())) {
            assertNull(jar.getEntry("module-info.class"));
            Manifest manifest = jar.getManifest();
            assertEquals(
                    "org.jboss.netty.util.Version", manifest.getMainAttributes().getValue("Main-Class"));
        }
    }

    /** The name that the JDK derives for a module from Netty 3's jar. */
    @Test
    void shouldBeTheSameModuleAsNetty3() {
        ModuleFinder netty3 = ModuleFinder.of(DropIn.netty3());
        assertNotNull(netty3.find("netty").orElse(null));
        Configuration resolved = ModuleLayer.boot()
                .configuration()
                .resolve(ModuleFinder.of(DropIn.JAR), ModuleFinder.of(), List.of("netty"));
        assertTrue(resolved.findModule("netty").isPresent());
    }

    /** Read at run time, because the compiler copies Netty 3's constant into this class. */
    private static String versionId() throws ReflectiveOperationException {
        return (String)
                Class.forName("org.jboss.netty.util.Version").getField("ID").get(null);
    }

    @Test
    void shouldHaveAVersionOfNettysFollowedByFreshets() throws Exception {
        String pom = Files.readString(Path.of("pom.xml"));
        Matcher version = Pattern.compile("<version>(.*)</version>").matcher(pom);
        assertTrue(version.find());
        assertEquals("3.10.6.Final-freshet-" + version.group(1), versionId());
    }
}
