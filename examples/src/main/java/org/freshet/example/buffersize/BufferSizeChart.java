package org.freshet.example.buffersize;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.AnnotationLine;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;

/** Draws two panels over the size of the receive buffer: the time of a request above, the decoder calls below. */
final class BufferSizeChart {
    private static final int WIDTH = 1000;
    private static final int PANEL_HEIGHT = 380;

    private final List<BufferSizeRow> set;
    private final BufferSizeRow tuned;

    private BufferSizeChart(List<BufferSizeRow> set, BufferSizeRow tuned) {
        this.set = set;
        this.tuned = tuned;
    }

    /** @param tuned the size chosen by the kernel, drawn as a separate point */
    static void save(List<BufferSizeRow> set, BufferSizeRow tuned, Path file) throws IOException {
        System.setProperty("java.awt.headless", "true");
        BufferSizeChart chart = new BufferSizeChart(set, tuned);
        BitmapEncoder.saveBitmap(List.of(chart.times(), chart.calls()), 2, 1, file.toString(), BitmapFormat.PNG);
    }

    private XYChart times() {
        XYChart chart = panel("request time (median), ms", BufferSizeRow::medianMillis);
        chart.setTitle("Requests of " + String.format("%,d", BufferSizeClient.MESSAGE_BYTES)
                + " bytes, by the size of the server's receive buffer");
        chart.getStyler().setYAxisLogarithmic(true).setYAxisMin(0.01).setYAxisMax(1000.0);
        return marked(chart, 0.014, 500);
    }

    private XYChart calls() {
        double most =
                set.stream().mapToDouble(BufferSizeRow::decoderCalls).max().orElse(0) + 1;
        XYChart chart = panel("frame decoder calls per request", BufferSizeRow::decoderCalls);
        chart.getStyler().setYAxisMin(0.0).setYAxisMax(most).setYAxisDecimalPattern("0.#");
        return marked(chart, most * 0.04, most * 0.93);
    }

    private XYChart panel(String title, ToDoubleFunction<BufferSizeRow> value) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(PANEL_HEIGHT)
                .xAxisTitle("requested receive buffer, bytes (doubling)")
                .yAxisTitle(title)
                .build();
        XYStyler style = chart.getStyler();
        style.setChartBackgroundColor(Color.WHITE).setLegendPosition(LegendPosition.InsideNE);
        style.setXAxisLogarithmic(true).setXAxisMin(800.0).setXAxisMax(1_000_000.0);
        style.setXAxisTicksVisible(false).setPlotGridVerticalLinesVisible(false);
        style.setAnnotationTextFont(style.getLegendFont());
        add(chart, "size set", set, value);
        add(chart, String.format("auto-tuned by the kernel: %,d B", tuned.actualBytes()), List.of(tuned), value);
        return chart;
    }

    private static void add(
            XYChart chart, String name, List<BufferSizeRow> rows, ToDoubleFunction<BufferSizeRow> value) {
        List<Integer> places = new ArrayList<>();
        List<Double> values = new ArrayList<>();
        for (BufferSizeRow row : rows) {
            places.add(row.askedBytes() > 0 ? row.askedBytes() : row.actualBytes());
            values.add(value.applyAsDouble(row));
        }
        chart.addSeries(name, places, values);
    }

    /** Labels the sizes at the height {@code sizes}, and draws a line at the size of the message. */
    private XYChart marked(XYChart chart, double sizes, double line) {
        for (BufferSizeRow row : set) {
            text(chart, String.format("%,d", row.askedBytes()), row.askedBytes() * 1.1, sizes);
        }
        chart.addAnnotation(new AnnotationLine(BufferSizeClient.MESSAGE_BYTES, true, false));
        text(chart, "the message", BufferSizeClient.MESSAGE_BYTES * 1.5, line);
        return chart;
    }

    private static void text(XYChart chart, String text, double x, double y) {
        chart.addAnnotation(new AnnotationText(text, x, y, false));
    }
}
