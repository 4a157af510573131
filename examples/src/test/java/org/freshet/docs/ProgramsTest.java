package org.freshet.docs;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Follows each page that shows whole programs, to the letter. Needs {@code bash}, {@code curl} and {@code openssl}. */
class ProgramsTest {
    private static final List<String> TOOLS = List.of("bash", "curl", "openssl");

    static Stream<MarkdownPage> pagesWithPrograms() throws IOException {
        return DocsTest.pages().filter(page -> page.javaCode().stream().anyMatch(MarkdownPage.Code::isProgram));
    }

    @ParameterizedTest
    @MethodSource("pagesWithPrograms")
    void shouldBehaveAsThePageSays(MarkdownPage page, @TempDir Path directory) throws Exception {
        assumeTrue(TOOLS.stream().allMatch(ProgramsTest::isInstalled), TOOLS::toString);
        try (PageSession session = new PageSession(directory)) {
            for (MarkdownPage.Block block : page.blocks()) {
                switch (block.kind()) {
                    case "##" -> session.endSection();
                    case "java" -> {
                        String program = String.join("\n", block.lines());
                        if (MarkdownPage.isProgram(program)) {
                            session.paste(program);
                        }
                    }
                    case "console" -> session.type(block.lines());
                    default -> {} // shown only as a fragment
                }
            }
            session.endSection();
        }
    }

    @Test
    void shouldFindPagesWithPrograms() throws IOException {
        assertTrue(pagesWithPrograms().count() > 10);
    }

    private static boolean isInstalled(String tool) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(directory -> new File(directory, tool).canExecute());
    }
}
