package org.freshet.microbench.compare.report;

import java.awt.Color;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.knowm.xchart.AnnotationLine;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws a {@link Figure.Curves}: two panels, one above the other, over the same axis. */
final class CurvePanels {
    private static final int WIDTH = 1200;
    private static final int HEIGHT = 420;

    /** Labels are placed to the right of the points, so that the marked line doesn't hide them. */
    private static final double LABEL_SHIFT = 1.1;

    private final String name;
    private final Map<String, Report.Cell> cells;
    private final Figure.Curves curves;

    /** The cells that have a place, in order of the places. */
    private final Map<String, Report.Cell> placed = new LinkedHashMap<>();

    CurvePanels(String name, Map<String, Report.Cell> cells, Figure.Curves curves) {
        this.name = name;
        this.cells = cells;
        this.curves = curves;
        curves.places().forEach((label, place) -> placed.put(label, cells.get(label)));
    }

    List<Chart<?, ?>> all() {
        return List.of(above(), below());
    }

    private XYChart above() {
        XYChart chart = panel(curves.metric());
        chart.setTitle(name);
        double least = Math.pow(10, Math.floor(Math.log10(extreme(curves.metric(), true))) - 0.5);
        double most = Math.pow(10, Math.ceil(Math.log10(extreme(curves.metric(), false))));
        chart.getStyler().setYAxisLogarithmic(true).setYAxisMin(least).setYAxisMax(most);
        return labelled(chart, least * 1.4, most * 0.7);
    }

    private XYChart below() {
        XYChart chart = panel(curves.below());
        double most = extreme(curves.below(), false) * 1.2;
        chart.getStyler().setYAxisMin(0.0).setYAxisMax(most);
        return labelled(chart, most * 0.05, most * 0.95);
    }

    private double extreme(Metric metric, boolean least) {
        var values = cells.values().stream()
                .flatMap(cell -> cell.peers().values().stream())
                .mapToDouble(samples -> samples.median(metric));
        return (least ? values.min() : values.max()).orElse(1);
    }

    private XYChart panel(Metric metric) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .xAxisTitle(curves.title())
                .yAxisTitle(metric.label())
                .build();
        XYStyler style = chart.getStyler();
        style.setXAxisLogarithmic(true).setXAxisMin(edge(true)).setXAxisMax(edge(false));
        style.setXAxisTicksVisible(false).setPlotGridVerticalLinesVisible(false);
        style.setAnnotationTextFont(style.getLegendFont());
        Color[] colors = style.getSeriesColors();
        Report.Cell unasked = cells.get(curves.unasked());
        int next = 0;
        for (Contender peer : unasked.peers().keySet()) {
            Color color = colors[next++ % colors.length];
            color(line(chart, peer, metric), color);
            Samples chosen = unasked.peers().get(peer);
            XYSeries point = chart.addSeries(
                    peer.label() + ", unasked",
                    new double[] {chosen.median(curves.chosen())},
                    new double[] {chosen.median(metric)});
            color(point, color).setMarker(SeriesMarkers.DIAMOND).setLineStyle(SeriesLines.NONE);
        }
        return chart;
    }

    private XYSeries line(XYChart chart, Contender peer, Metric metric) {
        List<Integer> across = new ArrayList<>();
        List<Double> values = new ArrayList<>();
        placed.forEach((label, cell) -> {
            across.add(curves.places().get(label));
            values.add(cell.peers().get(peer).median(metric));
        });
        return chart.addSeries(peer.label(), across, values);
    }

    private static XYSeries color(XYSeries series, Color color) {
        series.setLineColor(color);
        series.setMarkerColor(color);
        return series;
    }

    /** Returns a position to the left or right of all points and the mark. */
    private double edge(boolean left) {
        List<Double> all = new ArrayList<>(List.of((double) curves.mark()));
        curves.places().values().forEach(place -> all.add((double) place));
        cells.get(curves.unasked()).peers().values().forEach(samples -> all.add(samples.median(curves.chosen())));
        var values = all.stream().mapToDouble(Double::doubleValue);
        return left ? values.min().orElseThrow() * 0.7 : values.max().orElseThrow() * 1.7;
    }

    private XYChart labelled(XYChart chart, double placesAt, double markAt) {
        for (int place : curves.places().values()) {
            String text = String.format(Locale.ROOT, "%,d", place);
            chart.addAnnotation(new AnnotationText(text, place * LABEL_SHIFT, placesAt, false));
        }
        chart.addAnnotation(new AnnotationLine(curves.mark(), true, false));
        chart.addAnnotation(new AnnotationText(curves.markText(), curves.mark() * 1.8, markAt, false));
        return chart;
    }
}
