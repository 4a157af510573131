package org.freshet.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The contents of {@code docs/security.md} and the tables in {@code docs/security}. Rejects rows that it does not
 * understand.
 */
final class SecurityPage {
    private static final Pattern VULNERABILITY =
            Pattern.compile("(CVE-\\d{4}-\\d{4,}|GHSA(?:-\\w{4}){3})(?: \\((GHSA(?:-\\w{4}){3})\\))?");
    private static final Pattern CLASS = Pattern.compile("`([A-Z][a-z]\\w+)(?:\\.[\\w()]+)?`");
    private static final Pattern TEST = Pattern.compile("`(\\w+#\\w+)`");
    private static final Pattern LIMIT = Pattern.compile("`(\\w+)\\.((?:[\\w.]+(?:\\(\\))?)+)`");
    private static final Pattern AMOUNT =
            Pattern.compile("([\\d,]+)(?: (bytes|KiB|MiB|GiB|s))?(?: a second| \\(.*\\))?");
    private static final Pattern REVISION = Pattern.compile("version (\\d+) of (\\d{4}-\\d\\d-\\d\\d)");

    enum Status {
        TESTED,
        ABSENT,
        UNKNOWN
    }

    /** @param alias another identifier, or null */
    record Vulnerability(String name, String alias) {}

    /** @param proof the cell that names the tests */
    record Advisory(List<Vulnerability> vulnerabilities, String wrong, String answer, String proof, Status status) {}

    /** @param value in bytes, milliseconds or pieces */
    record Limit(String holder, String member, long value) {}

    private final String introduction;

    /** The introduction and the pages with tables. */
    private final String text;

    private final List<Advisory> advisories = new ArrayList<>();
    private final List<Limit> limits = new ArrayList<>();

    SecurityPage(String introduction, String advisories, String limits) {
        this.introduction = introduction;
        this.text = String.join("\n", introduction, advisories, limits);
        String head = "";
        for (String line : text.split("\n")) {
            if (!line.startsWith("|")) {
                head = "";
            } else if (head.isEmpty()) {
                head = line;
            } else if (!line.startsWith("|---")) {
                add(head, line.substring(1, line.length() - 1).split("\\|", -1));
            }
        }
    }

    private void add(String head, String[] cells) {
        for (int i = 0; i < cells.length; i++) {
            cells[i] = cells[i].trim();
        }
        if (head.startsWith("| Advisory |")) {
            advisories.add(advisory(cells));
        } else if (head.startsWith("| What | Default |")) {
            limits.add(limit(cells));
        } else {
            throw new AssertionError("an unknown table: " + head);
        }
    }

    private static Advisory advisory(String[] cells) {
        List<Vulnerability> vulnerabilities = new ArrayList<>();
        Matcher matcher = VULNERABILITY.matcher(cells[0]);
        while (matcher.find()) {
            vulnerabilities.add(new Vulnerability(matcher.group(1), matcher.group(2)));
        }
        String rest = VULNERABILITY.matcher(cells[0]).replaceAll("");
        if (!rest.replace(", ", "").isEmpty() && !rest.equals("no identifier")) {
            throw new AssertionError("neither identifiers nor none: " + cells[0]);
        }
        if (cells.length == 3) {
            return new Advisory(vulnerabilities, cells[1], cells[2], "", Status.ABSENT);
        }
        Status status = cells[3].equals("–") ? Status.UNKNOWN : Status.TESTED;
        return new Advisory(vulnerabilities, cells[1], cells[2], cells[3], status);
    }

    private static Limit limit(String[] cells) {
        Matcher matcher = LIMIT.matcher(cells[2]);
        if (!matcher.matches()) {
            throw new AssertionError("not a value of a class: " + cells[2]);
        }
        return new Limit(matcher.group(1), matcher.group(2), amount(cells[1]));
    }

    private static long amount(String written) {
        if (written.equals("none")) {
            return Long.MAX_VALUE;
        }
        Matcher matcher = AMOUNT.matcher(written);
        if (!matcher.matches()) {
            throw new AssertionError("not an amount: " + written);
        }
        long number = Long.parseLong(matcher.group(1).replace(",", ""));
        return number
                * switch (String.valueOf(matcher.group(2))) {
                    case "s" -> 1000;
                    case "KiB" -> 1 << 10;
                    case "MiB" -> 1 << 20;
                    case "GiB" -> 1 << 30;
                    default -> 1;
                };
    }

    static Set<String> testsIn(String text) {
        Set<String> tests = new TreeSet<>();
        Matcher matcher = TEST.matcher(text);
        while (matcher.find()) {
            tests.add(matcher.group(1));
        }
        return tests;
    }

    Set<String> tests() {
        return testsIn(text);
    }

    Set<String> classesOfTheIntroduction() {
        Set<String> classes = new TreeSet<>();
        Matcher matcher = CLASS.matcher(introduction);
        while (matcher.find()) {
            classes.add(matcher.group(1));
        }
        return classes;
    }

    List<Advisory> advisories() {
        return advisories;
    }

    List<Limit> limits() {
        return limits;
    }

    /** The version of the statements about advisories, and its date. */
    String[] revision() {
        Matcher matcher = REVISION.matcher(text);
        if (!matcher.find()) {
            throw new AssertionError("no version and date of the statements");
        }
        return new String[] {matcher.group(1), matcher.group(2)};
    }
}
