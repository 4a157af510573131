package org.freshet.microbench.compare.report;

import java.util.ArrayList;
import java.util.List;

/** Rows of words in columns: the first is left-aligned, the others are right-aligned. */
public final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    /** Adds one row; all have the same number of cells. */
    public void row(List<String> cells) {
        rows.add(List.copyOf(cells));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            for (int column = 0; column < row.size(); column++) {
                String format = (column == 0 ? "%-" : "  %") + width(column) + "s";
                text.append(String.format(format, row.get(column)));
            }
            text.append(System.lineSeparator());
        }
        return text.toString();
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
}
