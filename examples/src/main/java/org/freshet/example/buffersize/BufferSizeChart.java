package org.freshet.example.buffersize;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.YAxisPosition;

/** Draws elapsed time and decoder calls against the size of the receive buffer. */
final class BufferSizeChart {
    private BufferSizeChart() {}

    static void save(List<BufferSizeRow> rows, Path file) throws IOException {
        double[] sizes = rows.stream().mapToDouble(BufferSizeRow::askedBytes).toArray();
        XYChart chart = new XYChartBuilder()
                .width(900)
                .height(500)
                .title("requests of " + BufferSizeClient.MESSAGE_BYTES + " bytes")
                .xAxisTitle("receive buffer asked for, bytes")
                .yAxisTitle("mean milliseconds a request")
                .build();
        chart.getStyler().setXAxisLogarithmic(true);
        chart.setYAxisGroupTitle(1, "frame decoder calls a request");
        chart.getStyler().setYAxisGroupPosition(1, YAxisPosition.Right);
        chart.getStyler().setYAxisMin(0, 0.0).setYAxisMin(1, 0.0);
        chart.addSeries(
                "milliseconds",
                sizes,
                rows.stream().mapToDouble(BufferSizeRow::meanMillis).toArray());
        chart.addSeries(
                        "decoder calls",
                        sizes,
                        rows.stream().mapToDouble(BufferSizeRow::decoderCalls).toArray())
                .setYAxisGroup(1);
        BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
    }
}
