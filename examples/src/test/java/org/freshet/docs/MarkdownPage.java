package org.freshet.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page as GitHub renders it, as far as the tests need. */
record MarkdownPage(Path file, List<String> lines) {
    /**
     * A block of code, and the source file or program page named by the comment above it; empty if there is no comment.
     */
    record Code(String source, String text) {
        boolean isProgram() {
            return MarkdownPage.isProgram(text);
        }
    }

    /** A block between fences, in the language named by its fence, or the start of a section: {@code ##}. */
    record Block(String kind, List<String> lines) {}

    private static final Pattern SOURCE = Pattern.compile("<!-- (\\S+\\.(?:java|md)) -->");
    private static final Pattern HEADING = Pattern.compile("#+ +(.*)");
    private static final Pattern CELL = Pattern.compile("\\| *`([^`]+)`.*");

    /** A comment in a page lists class names from other projects: {@code <!-- others: Name Name -->}. */
    private static final Pattern OTHERS = Pattern.compile("<!-- others: ([^>]*) -->");

    static MarkdownPage read(Path file) {
        try {
            return new MarkdownPage(file, Files.readAllLines(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String text() {
        return String.join("\n", lines);
    }

    List<Code> javaCode() {
        List<Code> blocks = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).equals("```java")) {
                int end = lines.subList(i, lines.size()).indexOf("```") + i;
                Matcher source = SOURCE.matcher(i == 0 ? "" : lines.get(i - 1));
                blocks.add(new Code(
                        source.matches() ? source.group(1) : "", withoutIndentation(lines.subList(i + 1, end))));
                i = end;
            }
        }
        return blocks;
    }

    /** A program exists only on its page, and {@link ProgramsTest} runs it from there. */
    static boolean isProgram(String code) {
        return code.contains("public static void main(");
    }

    /** The fenced blocks with a language, and the section headings, in order. */
    List<Block> blocks() {
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.startsWith("## ")) {
                blocks.add(new Block("##", List.of()));
            } else if (line.startsWith("```")) {
                int end = lines.subList(i + 1, lines.size()).indexOf("```") + i + 1;
                blocks.add(new Block(line.substring(3), lines.subList(i + 1, end)));
                i = end;
            }
        }
        return blocks;
    }

    /** The lines between blocks of code. */
    String prose() {
        List<String> prose = new ArrayList<>();
        boolean isCode = false;
        for (String line : lines) {
            if (line.startsWith("```")) {
                isCode = !isCode;
            } else if (!isCode) {
                prose.add(line);
            }
        }
        return String.join("\n", prose);
    }

    boolean isOfAnotherLibrary(String name) {
        Matcher others = OTHERS.matcher(text());
        return others.find() && List.of(others.group(1).split(" ")).contains(name);
    }

    /** The code in the first column of the tables below a heading, without {@code -D} and values. */
    Set<String> firstColumn(String heading) {
        Set<String> cells = new TreeSet<>();
        boolean isBelow = false;
        for (String line : lines) {
            Matcher title = HEADING.matcher(line);
            Matcher cell = CELL.matcher(line);
            if (title.matches()) {
                isBelow = title.group(1).equals(heading);
            } else if (isBelow && cell.matches()) {
                cells.add(cell.group(1).replaceFirst("^-D", "").replaceFirst("=.*", ""));
            }
        }
        return cells;
    }

    Set<String> anchors() {
        Set<String> anchors = new TreeSet<>();
        for (String line : lines) {
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                anchors.add(heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'));
            }
        }
        return anchors;
    }

    /** Each line without leading blanks: a region of a file is indented deeper than on a page. */
    static String withoutIndentation(List<String> lines) {
        return String.join("\n", lines.stream().map(String::strip).toList());
    }

    @Override
    public String toString() {
        return file.normalize().toString();
    }
}
