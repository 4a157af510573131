package org.freshet.microbench.compare.report;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler;

/** Draws a report as PNG files: bars of each headline metric, and the additional figures. */
final class Plot {
    private static final int WIDTH = 1000;
    private static final int WIDTH_PER_CASE = 90;
    private static final int HEIGHT = 600;

    private final String name;
    private final Map<String, Report.Cell> cells;

    private Plot(String name, Map<String, Report.Cell> cells) {
        this.name = name;
        this.cells = cells;
    }

    /** Writes the first headline's bars as NAME.png, each other figure as NAME-METRIC.png. */
    static List<Path> write(String name, Map<String, Report.Cell> cells, List<Figure> figures, Path directory)
            throws IOException {
        System.setProperty("java.awt.headless", "true");
        Set<Figure> all = new LinkedHashSet<>();
        cells.values().forEach(cell -> all.add(new Figure.Bars(cell.headline())));
        all.addAll(figures);
        List<Path> written = new ArrayList<>();
        for (Figure figure : all) {
            String file =
                    written.isEmpty() ? name : name + "-" + figure.metric().key();
            Path path = directory.resolve((figure instanceof Figure.Curves ? name + "-curves" : file) + ".png");
            try {
                List<Chart<?, ?>> panels = new Plot(name, cells).panels(figure);
                BitmapEncoder.saveBitmap(panels, panels.size(), 1, path.toString(), BitmapEncoder.BitmapFormat.PNG);
                written.add(path);
            } catch (LinkageError e) {
                // A JDK without its desktop libraries is good enough for measuring.
                System.err.println("no plot, because this Java cannot draw: " + e);
            }
        }
        return written;
    }

    private List<Chart<?, ?>> panels(Figure figure) {
        List<Chart<?, ?>> panels = figure instanceof Figure.Curves curves
                ? new CurvePanels(name, cells, curves).all()
                : List.of(bars(figure.metric()));
        panels.forEach(panel -> panel.getStyler()
                .setChartBackgroundColor(Color.WHITE)
                .setLegendPosition(Styler.LegendPosition.OutsideE));
        return panels;
    }

    private CategoryChart bars(Metric metric) {
        Map<String, Report.Cell> shown = having(metric);
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH + WIDTH_PER_CASE * shown.size())
                .height(HEIGHT)
                .title(name)
                .yAxisTitle(metric.label())
                .build();
        chart.getStyler().setXAxisLabelRotation(shown.size() > 2 ? 45 : 0);
        chart.getStyler().setYAxisMin(0.0);
        List<String> labels = List.copyOf(shown.keySet());
        for (Contender peer : peersOf(shown)) {
            // A peer that did not run a case has no bar there.
            List<Double> medians = new ArrayList<>();
            shown.values().forEach(cell -> medians.add(median(cell, peer, metric)));
            chart.addSeries(peer.label(), labels, medians);
        }
        return chart;
    }

    private Map<String, Report.Cell> having(Metric metric) {
        Map<String, Report.Cell> shown = new LinkedHashMap<>(cells);
        shown.values().removeIf(cell -> !cell.metrics().contains(metric));
        return shown;
    }

    private static Set<Contender> peersOf(Map<String, Report.Cell> shown) {
        return shown.values().stream()
                .flatMap(cell -> cell.peers().keySet().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static Double median(Report.Cell cell, Contender peer, Metric metric) {
        Samples samples = cell.peers().get(peer);
        return samples == null ? null : Double.valueOf(samples.median(metric));
    }
}
