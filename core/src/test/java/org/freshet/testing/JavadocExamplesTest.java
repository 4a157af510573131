package org.freshet.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavadocExamplesTest {
    @TempDir
    Path sources;

    private void write(String name, String... example) throws IOException {
        String comment = "/**\n * A {@code class}.\n *\n * <pre>{@code\n * " + String.join("\n * ", example)
                + "\n * }</pre>\n */\n";
        Files.writeString(
                sources.resolve(name + ".java"), "package java.util;\n" + comment + "class " + name + " {}\n");
    }

    private JavadocExamples examples() {
        return JavadocExamples.in(sources.toString());
    }

    @Test
    void shouldCompileStatementsMembersAndClasses() throws IOException {
        write("Statements", "List<String> names = new ArrayList<>();", "...", "names.add(given);");
        write("Members", "@Override", "public String toString() {", "    return given;", "}");
        write("Classes", "public class One {", "    enum State { A }", "}", "class Two extends One {}");
        write("Mixed", "private static final int LIMIT = Math.max(1, 2);", "", "int limit = LIMIT + 1;");
        assertEquals(4, examples().given("String given;").compile());
    }

    @Test
    void shouldNameEachExampleThatDoesNotCompile() throws IOException {
        write("Good", "int good = 1;");
        write("Unparsable", "int = ;");
        write("Unknown", "int unknown = missing;");
        String message =
                assertThrows(AssertionError.class, () -> examples().compile()).getMessage();
        assertTrue(message.startsWith("2 of 3"), message);
        assertTrue(message.contains("Unparsable example") && message.contains("Unknown example"), message);
        assertTrue(message.contains("int unknown = missing;"), message);
        assertFalse(message.contains("Good"), message);
    }
}
