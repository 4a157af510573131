package org.freshet.handler.codec.http.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/**
 * Rules for which pages of other origins may read a server's responses (the CORS protocol of the Fetch standard), and
 * send more than simple requests. The first rule whose origin matches decides, in the order in which rules were added.
 *
 * <pre>{@code
 * CorsRules rules = CorsRules.builder()
 *         .allow("https://app.example", rule -> rule.methods("GET", "PUT").headers("X-Token").credentials(true))
 *         .allowAny(rule -> rule.methods("GET"))
 *         .build();
 * }</pre>
 *
 * <p>An origin is compared as a whole, including scheme and port; prefixes and suffixes never match. The origin
 * {@code null}, sent by sandboxed pages and files, only matches rules that name it. A rule that allows every origin
 * cannot allow credentials.
 *
 * <p>Immutable; any thread may use it.
 */
public final class CorsRules {
    private final List<Rule> rules;

    private CorsRules(List<Rule> rules) {
        this.rules = List.copyOf(rules);
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The rule for an origin, or null if nothing allows it. */
    Rule find(String origin) {
        for (Rule rule : rules) {
            if (rule.origins.test(origin)) {
                return rule;
            }
        }
        return null;
    }

    /** Sets what pages of some origins may do. Not thread-safe; later changes have no effect on rules already added. */
    public static final class Rule {
        private final Predicate<String> origins;
        final boolean anyOrigin;
        private final Set<String> methods = new TreeSet<>(Set.of("GET", "HEAD", "POST"));

        /** By name in lower case. */
        private final Map<String, String> headers = new LinkedHashMap<>();

        private boolean anyHeader;
        private final List<String> exposed = new ArrayList<>();
        private boolean credentials;
        private long maxAgeSeconds = -1;

        private Rule(Predicate<String> origins, boolean anyOrigin) {
            this.origins = origins;
            this.anyOrigin = anyOrigin;
        }

        private Rule(Rule other) {
            this(other.origins, other.anyOrigin);
            methods.clear();
            methods.addAll(other.methods);
            headers.putAll(other.headers);
            anyHeader = other.anyHeader;
            exposed.addAll(other.exposed);
            credentials = other.credentials;
            maxAgeSeconds = other.maxAgeSeconds;
        }

        /** Sets the methods that a preflight may ask for. Default: GET, HEAD and POST. */
        public Rule methods(String... names) {
            methods.clear();
            for (String name : names) {
                methods.add(HeaderSyntax.checkToken("a method", name));
            }
            return this;
        }

        /** Adds headers that a request may have, besides those that any page may send. Default: none. */
        public Rule headers(String... names) {
            for (String name : names) {
                headers.put(HeaderSyntax.checkName(name).toLowerCase(Locale.ROOT), name);
            }
            return this;
        }

        /** Sets whether a request may have any header. Default: false. */
        public Rule anyHeader(boolean allowed) {
            anyHeader = allowed;
            return this;
        }

        /** Adds response headers that a page may read, besides those that any page may. Default: none. */
        public Rule exposedHeaders(String... names) {
            for (String name : names) {
                exposed.add(HeaderSyntax.checkName(name));
            }
            return this;
        }

        /**
         * Sets whether requests may include cookies and other credentials. Default: false. Cannot be combined with
         * {@link Builder#allowAny}.
         */
        public Rule credentials(boolean allowed) {
            credentials = allowed;
            return this;
        }

        /**
         * Sets how long a browser may cache the response to a preflight. Default: not stated, which browsers treat as 5
         * s.
         */
        public Rule maxAge(Duration age) {
            if (age.isNegative()) {
                throw new IllegalArgumentException("maxAge is negative: " + age);
            }
            maxAgeSeconds = age.toSeconds();
            return this;
        }

        boolean allowsMethod(String method) {
            return methods.contains(method);
        }

        boolean allowsHeader(String name) {
            return anyHeader && HeaderSyntax.isToken(name) || headers.containsKey(name.toLowerCase(Locale.ROOT));
        }

        boolean allowsCredentials() {
            return credentials;
        }

        String methods() {
            return String.join(", ", methods);
        }

        String exposedHeaders() {
            return String.join(", ", exposed);
        }

        /** Negative if not set. */
        long maxAgeSeconds() {
            return maxAgeSeconds;
        }
    }

    /** Configures a rule. */
    public interface Settings {
        void apply(Rule rule);
    }

    /** Builds rules. Not thread-safe. */
    public static final class Builder {
        private final List<Rule> rules = new ArrayList<>();

        private Builder() {}

        /**
         * Allows one origin.
         *
         * @param origin as browsers send it: {@code https://host} in lower case, with the port unless it is the
         *     scheme's default, and without a path; or the text {@code null}
         */
        public Builder allow(String origin, Settings settings) {
            boolean known = origin.equals("null") || origin.matches("[a-z][a-z0-9+.-]*://[^/?#\\s\\p{Cntrl}A-Z]+");
            if (!known) {
                throw new IllegalArgumentException("not an origin, such as https://host:8443: " + origin);
            }
            return add(new Rule(origin::equals, false), settings);
        }

        /**
         * Allows the origins for which a test returns true; never {@code null}. Test the whole origin: an origin that
         * ends with {@code example.org} may be {@code evilexample.org}.
         */
        public Builder allowIf(Predicate<String> origins, Settings settings) {
            Objects.requireNonNull(origins, "origins");
            return add(new Rule(origin -> !origin.equals("null") && origins.test(origin), false), settings);
        }

        /** Allows all origins, including {@code null}, for content that is public anyway. */
        public Builder allowAny(Settings settings) {
            return add(new Rule(origin -> true, true), settings);
        }

        private Builder add(Rule rule, Settings settings) {
            settings.apply(rule);
            if (rule.anyOrigin && rule.credentials) {
                throw new IllegalArgumentException(
                        "any origin with credentials would let every page act for its visitors: name the origins");
            }
            rules.add(new Rule(rule));
            return this;
        }

        public CorsRules build() {
            return new CorsRules(rules);
        }
    }
}
