package org.freshet.microbench.results;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.freshet.microbench.results.BarPlot.Theme;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every figure on a page comes from microbench/RESULTS.md, and the plots are drawn from its tables. */
class ResultsPageTest {
    private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "..");
    private static final String MAIN_TABLE = "In short";

    /** With this property the plots are written; without it they are compared. */
    private static final boolean WRITES = Boolean.getBoolean("freshet.plots.write");

    /** Columns without bars in a plot that compares servers. */
    private static final Set<String> NOT_DRAWN = Set.of("work", "handlers", "others", "bare NIO");

    private enum Plot {
        ECHO("Server CPU of an echo, bare NIO = 1.00x", MAIN_TABLE, "echo of .*"),
        HTTP("Server CPU of an HTTP request, us", MAIN_TABLE, "HTTP/\\S+ request.*"),
        MEMORY("Live heap of an idle connection, bytes", "Idle memory", ".*");

        private final String title;
        private final String heading;
        private final String rows;

        Plot(String title, String heading, String rows) {
            this.title = title;
            this.heading = heading;
            this.rows = rows;
        }

        private Path file(Theme theme) {
            return ROOT.resolve("docs/images/" + (name() + "-" + theme + ".svg").toLowerCase(Locale.ROOT));
        }
    }

    private static ResultsPage results() throws IOException {
        return ResultsPage.read(ROOT.resolve("microbench/RESULTS.md"));
    }

    @ParameterizedTest
    @EnumSource
    void shouldDrawEachPlotFromItsTable(Plot plot) throws IOException {
        List<List<String>> table = results().table(plot.heading);
        List<String> columns = table.get(0).stream()
                .map(name -> NOT_DRAWN.contains(name) ? "" : name)
                .toList();
        BarPlot drawing = new BarPlot(plot.title);
        for (List<String> row : table.subList(1, table.size())) {
            if (row.get(0).matches(plot.rows)) {
                drawing.add(row.get(0).replace(" `*`", "").replaceAll(", us$", ""), columns, row);
            }
        }
        for (Theme theme : Theme.values()) {
            if (WRITES) {
                Files.writeString(plot.file(theme), drawing.draw(theme));
            }
            assertEquals(
                    drawing.draw(theme),
                    Files.readString(plot.file(theme)).replace("\r", ""),
                    "draw it again with -Dfreshet.plots.write=true");
        }
    }

    @Test
    void shouldMatchTheRowsInTheReadme() throws IOException {
        List<List<String>> rows = ResultsPage.read(ROOT.resolve("README.md")).table("Measured");
        assertFalse(rows.size() < 5, rows::toString);
        List<List<String>> main = results().table(MAIN_TABLE);
        for (List<String> row : rows) {
            assertTrue(main.contains(row), () -> "not in the main table of the results: " + row);
        }
        assertTrue(rows.stream().anyMatch(row -> row.get(0).endsWith("`*`")), "a row in which Freshet loses");
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/comparison.md"})
    void shouldContainEveryFigureOfThePage(String page) throws IOException {
        Set<String> known = results().numbers().keySet();
        Map<String, String> shown = ResultsPage.read(ROOT.resolve(page)).numbers();
        shown.forEach((number, line) -> assertTrue(
                !number.matches(".*[.,].*") || known.contains(number),
                () -> number + " is not in the results: " + line));
    }
}
