package org.freshet.microbench.compare.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The results of one comparison, and its circumstances. */
public final class Report {
    private final String name;
    private final Map<String, String> circumstances;
    private final List<Figure> figures;
    private final Function<ToDoubleFunction<Metric>, String> remarks;
    private final Map<String, Cell> cells = new LinkedHashMap<>();
    private String conclusion = "";

    /** One case: its metrics, and the results of each peer. Ratios are of the first metric. */
    record Cell(List<Metric> metrics, Map<Contender, Samples> peers) {
        Metric headline() {
            return metrics.get(0);
        }

        /** Returns the ratio of the peer's headline to the first peer's. */
        double ratio(Contender peer) {
            Samples first = peers.values().iterator().next();
            return peers.get(peer).ratioTo(first, headline());
        }
    }

    /**
     * An empty report on the comparison {@code name}.
     *
     * @param remarks returns a remark on a peer from its medians; empty text for none
     */
    public Report(
            String name,
            Map<String, String> circumstances,
            List<Figure> figures,
            Function<ToDoubleFunction<Metric>, String> remarks) {
        this.remarks = remarks;
        this.name = name;
        this.figures = List.copyOf(figures);
        this.circumstances = new LinkedHashMap<>(circumstances);
    }

    /** Adds one measurement of {@code peer} in a case. */
    public void add(String label, List<Metric> metrics, Contender peer, Map<Metric, Double> measurement) {
        if (!measurement.keySet().containsAll(metrics)) {
            throw new IllegalArgumentException(label + ", " + peer.label() + ": incomplete: " + measurement.keySet());
        }
        cells.computeIfAbsent(label, l -> new Cell(metrics, new LinkedHashMap<>()))
                .peers()
                .computeIfAbsent(peer, p -> new Samples())
                .add(measurement);
    }

    /** Sets the last paragraph of the text; empty by default. */
    public void conclude(String text) {
        conclusion = text;
    }

    /** Returns the circumstances and the tables, one per case. */
    public String text() {
        StringBuilder text = new StringBuilder();
        circumstances.forEach(
                (key, value) -> text.append(key).append(": ").append(value).append('\n'));
        cells.forEach((label, cell) ->
                text.append('\n').append(label).append('\n').append(table(cell)).append(remarksOn(cell)));
        return text.append(conclusion).toString();
    }

    /**
     * Writes NAME.json and plots, and returns the files written. A plot that cannot be drawn is left out, with a
     * message on stderr.
     */
    public List<Path> writeTo(Path directory) throws IOException {
        Files.createDirectories(directory);
        List<Path> written = new ArrayList<>();
        written.add(Files.writeString(directory.resolve(name + ".json"), json()));
        written.addAll(Plot.write(name, cells, figures, directory));
        return written;
    }

    private static Table table(Cell cell) {
        Table table = new Table();
        List<String> head = new ArrayList<>(List.of("", "ratio", "spread"));
        cell.metrics().forEach(metric -> head.add(metric.label()));
        table.row(head);
        cell.peers().forEach((peer, samples) -> {
            List<String> row = new ArrayList<>(List.of(
                    peer.label(),
                    number(cell.ratio(peer), 2) + "x",
                    number(100 * samples.spread(cell.headline()), 0) + "%"));
            cell.metrics().forEach(metric -> row.add(number(samples.median(metric), metric.decimals())));
            table.row(row);
        });
        return table;
    }

    private String remarksOn(Cell cell) {
        StringBuilder text = new StringBuilder();
        cell.peers().forEach((peer, samples) -> {
            text.append(verdictOn(cell, peer, samples));
            String remark = remarks.apply(samples::median);
            if (!remark.isEmpty()) {
                text.append(peer.label()).append(": ").append(remark).append('\n');
            }
        });
        return text.toString();
    }

    /** For settings of one server: whether they differ at all. */
    private static String verdictOn(Cell cell, Contender contender, Samples samples) {
        if (!(contender instanceof Setting)) {
            return "";
        }
        Contender first = cell.peers().keySet().iterator().next();
        String verdict = switch (samples.compareTo(cell.peers().get(first), cell.headline())) {
            case MORE -> "more than with ";
            case LESS -> "less than with ";
            case CANNOT_TELL -> "too close, or too few, to tell from ";
        };
        return contender == first
                ? ""
                : contender.label() + ": " + cell.headline().label() + " " + verdict + first.label() + '\n';
    }

    private static String number(double value, int decimals) {
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }

    private String json() {
        Map<String, Object> cases = new LinkedHashMap<>();
        cells.forEach((label, cell) -> cases.put(label, jsonOf(cell)));
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("comparison", name);
        root.put("circumstances", circumstances);
        root.put("cases", cases);
        return Json.of(root);
    }

    private Map<String, Object> jsonOf(Cell cell) {
        Map<String, Object> peers = new LinkedHashMap<>();
        cell.peers().forEach((peer, samples) -> {
            Map<String, Object> values = new LinkedHashMap<>();
            values.put("ratio", cell.ratio(peer));
            values.put("remark", remarks.apply(samples::median));
            for (Metric metric : cell.metrics()) {
                values.put(metric.key(), Map.of("median", samples.median(metric), "all", samples.all(metric)));
            }
            peers.put(peer.id(), values);
        });
        return peers;
    }
}
