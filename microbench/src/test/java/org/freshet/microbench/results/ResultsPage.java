package org.freshet.microbench.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tables of a Markdown page, by the heading above them. Immutable. */
final class ResultsPage {
    /** A number as the pages write it: 1,744, 0.99 or 11.1. */
    private static final Pattern NUMBER = Pattern.compile("\\d+(?:,\\d{3})*(?:\\.\\d+)?");

    private final List<String> lines;

    private ResultsPage(List<String> lines) {
        this.lines = lines;
    }

    static ResultsPage read(Path file) throws IOException {
        return new ResultsPage(Files.readAllLines(file));
    }

    /** The rows of the first table below a heading, starting with the one with the column names. */
    List<List<String>> table(String heading) {
        List<List<String>> rows = new ArrayList<>();
        int at = lines.indexOf("## " + heading) + 1;
        if (at == 0) {
            throw new AssertionError("no heading: " + heading);
        }
        while (!lines.get(at).startsWith("|")) {
            at++;
        }
        for (; at < lines.size() && lines.get(at).startsWith("|"); at++) {
            if (!lines.get(at).startsWith("|---")) {
                rows.add(cells(lines.get(at)));
            }
        }
        return rows;
    }

    private static List<String> cells(String row) {
        return Arrays.stream(row.substring(1, row.length() - 1).split("\\|", -1))
                .map(String::strip)
                .toList();
    }

    /** All numbers outside code blocks, with the first line that contains each. */
    Map<String, String> numbers() {
        Map<String, String> numbers = new LinkedHashMap<>();
        boolean isCode = false;
        for (String line : lines) {
            isCode ^= line.startsWith("```");
            Matcher number = NUMBER.matcher(line);
            while (!isCode && number.find()) {
                numbers.putIfAbsent(number.group(), line);
            }
        }
        return numbers;
    }

    /** The first number of a text, without the commas between thousands. */
    static double number(String text) {
        Matcher number = NUMBER.matcher(text);
        if (!number.find()) {
            throw new AssertionError("no number: " + text);
        }
        return Double.parseDouble(number.group().replace(",", ""));
    }
}
