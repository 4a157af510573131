package org.freshet.microbench.compare.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.freshet.microbench.compare.server.Peer;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.Styler;

/** Bars of the headline metric: a group for each case, a colour for each peer. Cases of other metrics have other files. */
final class Plot {
    private static final int WIDTH = 1000;
    private static final int WIDTH_PER_CASE = 90;
    private static final int HEIGHT = 600;

    private Plot() {}

    static List<Path> write(String name, Map<String, Report.Cell> cells, Path directory) throws IOException {
        System.setProperty("java.awt.headless", "true");
        Map<Metric, Map<String, Report.Cell>> byHeadline = new LinkedHashMap<>();
        cells.forEach((label, cell) -> byHeadline
                .computeIfAbsent(cell.headline(), m -> new LinkedHashMap<>())
                .put(label, cell));
        List<Path> written = new ArrayList<>();
        for (var group : byHeadline.entrySet()) {
            String file = written.isEmpty() ? name : name + "-" + group.getKey().key();
            Path path = directory.resolve(file + ".png");
            try {
                CategoryChart chart = chart(name, group.getKey(), group.getValue());
                BitmapEncoder.saveBitmap(chart, path.toString(), BitmapEncoder.BitmapFormat.PNG);
                written.add(path);
            } catch (LinkageError e) {
                // A JDK without its desktop libraries measures as well as any.
                System.err.println("no plot, this Java cannot draw: " + e);
            }
        }
        return written;
    }

    private static CategoryChart chart(String name, Metric headline, Map<String, Report.Cell> cells) {
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH + WIDTH_PER_CASE * cells.size())
                .height(HEIGHT)
                .title(name)
                .yAxisTitle(headline.label())
                .build();
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
        chart.getStyler().setXAxisLabelRotation(cells.size() > 2 ? 45 : 0);
        chart.getStyler().setYAxisMin(0.0);
        List<String> labels = List.copyOf(cells.keySet());
        Map<Peer, List<Double>> series = new LinkedHashMap<>();
        cells.values()
                .forEach(cell -> cell.peers()
                        .forEach((peer, samples) -> series.computeIfAbsent(peer, p -> new ArrayList<>())
                                .add(samples.median(headline))));
        series.forEach((peer, medians) -> chart.addSeries(peer.label(), labels, medians));
        return chart;
    }
}
