package org.freshet.microbench.results;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Rows of a table as horizontal bars, one group per row and one color per column, as an SVG picture. A cell such as
 * {@code 1.33x; borrowing 1.05x} has two bars, the second in a lighter color. For one thread.
 */
final class BarPlot {
    /** The page's background, so that the picture suits GitHub's light and dark mode. */
    enum Theme {
        LIGHT("#1f2328", "#59636e", "#8c959f", "#bc4c00", "#e8a06e", "#0969da", "#80bbff"),
        DARK("#f0f6fc", "#9198a1", "#6e7681", "#db6d28", "#8f4a1f", "#4493f8", "#1f5aa8");

        final String text;
        final String faint;
        private final Map<String, String> colors;

        Theme(
                String text,
                String faint,
                String netty3,
                String netty4,
                String frames,
                String freshet,
                String borrowing) {
            this.text = text;
            this.faint = faint;
            colors = Map.of(
                    "Netty 3.10.6", netty3,
                    "Netty 4.2 NIO", netty4,
                    "Netty 4.2 NIO, frames", frames,
                    "Freshet", freshet,
                    "Freshet, borrowing", borrowing);
        }
    }

    private record Bar(String series, String value) {}

    private static final int WIDTH = 720;
    private static final int LEFT = 10;
    private static final int LONGEST_BAR = 600;
    private static final int BAR_HEIGHT = 14;
    private static final int BAR_STEP = 18;
    private static final int LABEL_STEP = 24;
    private static final int GROUP_GAP = 10;
    private static final int TOP = 72;
    private static final double CHAR_WIDTH = 6.6;

    private final String title;
    private final Map<String, List<Bar>> groups = new LinkedHashMap<>();

    BarPlot(String title) {
        this.title = title;
    }

    /** @param columns the name of each cell; a cell gets no bar if it is empty or its column has no name */
    void add(String label, List<String> columns, List<String> cells) {
        List<Bar> bars = new ArrayList<>();
        for (int i = 0; i < cells.size(); i++) {
            if (!columns.get(i).isEmpty() && !cells.get(i).isEmpty()) {
                addCell(bars, columns.get(i), cells.get(i));
            }
        }
        groups.put(label, bars);
    }

    private static void addCell(List<Bar> bars, String column, String cell) {
        String[] parts = cell.split("; ");
        bars.add(new Bar(column, parts[0]));
        for (int i = 1; i < parts.length; i++) {
            int blank = parts[i].lastIndexOf(' ');
            bars.add(new Bar(column + ", " + parts[i].substring(0, blank), parts[i].substring(blank + 1)));
        }
    }

    String draw(Theme theme) {
        StringBuilder svg = new StringBuilder();
        int y = TOP;
        for (Map.Entry<String, List<Bar>> group : groups.entrySet()) {
            text(svg, LEFT, y, theme.faint, group.getKey());
            y += LABEL_STEP - BAR_HEIGHT;
            for (Bar bar : group.getValue()) {
                draw(svg, bar, y, theme);
                y += BAR_STEP;
            }
            y += GROUP_GAP + BAR_HEIGHT;
        }
        StringBuilder head = new StringBuilder();
        text(head, LEFT, 20, theme.text, title + " (lower is better)");
        legend(head, theme);
        return String.format(
                                Locale.ROOT,
                                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\""
                                        + " font-family=\"system-ui,sans-serif\" font-size=\"13\">%n<title>%s</title>%n",
                                WIDTH,
                                y - BAR_HEIGHT,
                                WIDTH,
                                y - BAR_HEIGHT,
                                title)
                        .replace("\r", "")
                + head + svg + "</svg>\n";
    }

    private void draw(StringBuilder svg, Bar bar, int y, Theme theme) {
        double length = LONGEST_BAR * ResultsPage.number(bar.value()) / longest();
        rectangle(svg, LEFT, y, length, color(bar.series(), theme));
        text(svg, LEFT + length + 6, y + BAR_HEIGHT - 3, theme.text, bar.value());
    }

    private double longest() {
        return groups.values().stream()
                .flatMap(List::stream)
                .mapToDouble(bar -> ResultsPage.number(bar.value()))
                .max()
                .orElseThrow();
    }

    private void legend(StringBuilder svg, Theme theme) {
        double x = LEFT;
        for (String series : groups.values().stream()
                .flatMap(List::stream)
                .map(Bar::series)
                .distinct()
                .toList()) {
            rectangle(svg, x, 32, BAR_HEIGHT, color(series, theme));
            text(svg, x + BAR_HEIGHT + 5, 43, theme.text, series);
            x += BAR_HEIGHT + 20 + CHAR_WIDTH * series.length();
        }
    }

    private static String color(String series, Theme theme) {
        String color = theme.colors.get(series);
        if (color == null) {
            throw new AssertionError("no colour for " + series);
        }
        return color;
    }

    private static void rectangle(StringBuilder svg, double x, double y, double width, String color) {
        svg.append(String.format(
                Locale.ROOT,
                "<rect x=\"%.0f\" y=\"%.0f\" width=\"%.1f\" height=\"%d\" rx=\"2\" fill=\"%s\"/>\n",
                x,
                y,
                width,
                BAR_HEIGHT,
                color));
    }

    private static void text(StringBuilder svg, double x, double y, String color, String text) {
        svg.append(
                String.format(Locale.ROOT, "<text x=\"%.0f\" y=\"%.0f\" fill=\"%s\">%s</text>\n", x, y, color, text));
    }
}
