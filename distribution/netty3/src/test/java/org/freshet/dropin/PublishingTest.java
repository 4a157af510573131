package org.freshet.dropin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/** What users and scanners read besides the code: the BOM, and the META-INF contents of the jars. */
class PublishingTest {
    private static final Path ROOT = Path.of("../..");
    private static final Path VEX = ROOT.resolve("docs/vex.openvex.json");

    @Test
    void shouldImportFreshetsVersionsAndNoOthers() throws IOException {
        String bom = Files.readString(ROOT.resolve("distribution/bom/pom.xml"));
        assertFalse(bom.contains("<parent>"), "a parent's dependencyManagement would be imported, too");
        assertEquals(versionOf("pom.xml"), versionOf("distribution/bom/pom.xml"));
        Matcher managed = Pattern.compile(
                        "(?s)<dependency>.*?<groupId>(.*?)</groupId>.*?<artifactId>(.*?)</artifactId>")
                .matcher(bom);
        Set<String> artifacts = new TreeSet<>();
        while (managed.find()) {
            artifacts.add(managed.group(1) + ":" + managed.group(2));
        }
        assertEquals(
                Set.of(
                        "org.freshet:freshet-core",
                        "org.freshet:freshet-codec",
                        "org.freshet:freshet-transport-nio",
                        "org.freshet:freshet-transport-oio",
                        "org.freshet:freshet-netty3",
                        "org.freshet:freshet-testkit"),
                artifacts);
    }

    private static String versionOf(String pom) throws IOException {
        String text = Files.readString(ROOT.resolve(pom));
        return text.replaceFirst("(?s).*?<version>(.*?)</version>.*", "$1");
    }

    @Test
    void shouldContainLicenceNoticeAndStatementsInTheJar() throws IOException {
        try (ZipFile jar = new ZipFile(DropIn.JAR.toFile())) {
            for (Map.Entry<String, Path> file : Map.of(
                            "META-INF/LICENSE", ROOT.resolve("LICENSE"),
                            "META-INF/NOTICE", ROOT.resolve("distribution/NOTICE"),
                            "META-INF/vex.openvex.json", VEX)
                    .entrySet()) {
                ZipEntry entry = jar.getEntry(file.getKey());
                assertEquals(
                        Files.readString(file.getValue()),
                        new String(jar.getInputStream(entry).readAllBytes(), UTF_8));
            }
        }
    }
}
