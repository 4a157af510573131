package org.freshet.docs;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page's statements about advisories, in OpenVEX 0.2.0 JSON. */
final class OpenVex {
    /** The published jars. */
    private static final List<String> PRODUCTS = List.of(
            "freshet-core", "freshet-codec", "freshet-transport-nio", "freshet-transport-oio", "freshet-netty3");

    private final SecurityPage page;

    OpenVex(SecurityPage page) {
        this.page = page;
    }

    @Override
    public String toString() {
        String[] revision = page.revision();
        return """
                {
                  "@context": "https://openvex.dev/ns/v0.2.0",
                  "@id": "https://github.com/freshet/freshet/docs/vex.openvex.json",
                  "author": "The Freshet authors",
                  "timestamp": "%sT00:00:00Z",
                  "version": %s,
                  "tooling": "SecurityPageTest, from docs/security/advisories.md",
                  "statements": [
                """.formatted(revision[1], revision[0])
                + page.advisories().stream().flatMap(OpenVex::statements).collect(Collectors.joining(",\n"))
                + "\n  ]\n}\n";
    }

    private static Stream<String> statements(SecurityPage.Advisory advisory) {
        return advisory.vulnerabilities().stream().map(vulnerability -> statement(vulnerability, advisory));
    }

    private static String statement(SecurityPage.Vulnerability vulnerability, SecurityPage.Advisory advisory) {
        String alias = vulnerability.alias();
        return "    {\n      \"vulnerability\": {\"name\": " + quoted(vulnerability.name())
                + (alias == null ? "" : ", \"aliases\": [" + quoted(alias) + "]")
                + "},\n      \"products\": ["
                + PRODUCTS.stream()
                        .map(product -> "{\"@id\": \"pkg:maven/org.freshet/" + product + "\"}")
                        .collect(Collectors.joining(", "))
                + "],\n"
                + status(advisory)
                + "\n    }";
    }

    private static String status(SecurityPage.Advisory advisory) {
        String answer = quoted((advisory.wrong() + " In Freshet: " + advisory.answer()).replace("`", ""));
        String justification = switch (advisory.status()) {
            case TESTED -> "vulnerable_code_not_present";
            case ABSENT -> "component_not_present";
            case UNKNOWN -> null;
        };
        return justification == null
                ? "      \"status\": \"under_investigation\",\n      \"status_notes\": " + answer
                : "      \"status\": \"not_affected\",\n      \"justification\": \"" + justification
                        + "\",\n      \"impact_statement\": " + answer;
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
