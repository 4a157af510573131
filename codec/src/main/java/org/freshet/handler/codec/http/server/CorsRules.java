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
 * Which pages of other origins may read a server's answers (the CORS protocol of the Fetch standard), and send it more than
 * plain requests. Rules are looked at in the order in which they were added; the first whose origin fits decides.
 *
 * <pre>{@code
 * CorsRules rules = CorsRules.builder()
 *         .allow("https://app.example", rule -> rule.methods("GET", "PUT").headers("X-Token").credentials(true))
 *         .allowAny(rule -> rule.methods("GET"))
 *         .build();
 * }</pre>
 *
 * <p>An origin is compared as a whole, scheme and port included; nothing matches by prefix or suffix. The origin {@code
 * null}, which sandboxed pages and files send, matches only what names it. Any origin together with credentials is refused.
 *
 * <p>Immutable; any thread.
 */
public final class CorsRules {
    private final List<Rule> rules;

    private CorsRules(List<Rule> rules) {
        this.rules = List.copyOf(rules);
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The rule for an origin, or null if it is not allowed anything. */
    Rule find(String origin) {
        for (Rule rule : rules) {
            if (rule.origins.test(origin)) {
                return rule;
            }
        }
        return null;
    }

    /** What pages of some origins may do. Not thread-safe; final once the rules are built. */
    public static final class Rule {
        private final Predicate<String> origins;
        final boolean anyOrigin;
        private final Set<String> methods = new TreeSet<>(Set.of("GET", "HEAD", "POST"));

        /** By their names in lower case. */
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

        /** Methods that a preflight is told are allowed. Default: GET, HEAD and POST. */
        public Rule methods(String... names) {
            methods.clear();
            for (String name : names) {
                methods.add(HeaderSyntax.checkToken("a method", name));
            }
            return this;
        }

        /** Headers that a request may have beside those that any page may set. Default: none. */
        public Rule headers(String... names) {
            for (String name : names) {
                headers.put(HeaderSyntax.checkName(name).toLowerCase(Locale.ROOT), name);
            }
            return this;
        }

        /** Whether a request may have all headers that it asks for. Default: no. */
        public Rule anyHeader(boolean allowed) {
            anyHeader = allowed;
            return this;
        }

        /** Headers of answers that a page may read beside those that any page may. Default: none. */
        public Rule exposedHeaders(String... names) {
            for (String name : names) {
                exposed.add(HeaderSyntax.checkName(name));
            }
            return this;
        }

        /** Whether requests may come with cookies and the like. Default: no. Not together with any origin. */
        public Rule credentials(boolean allowed) {
            credentials = allowed;
            return this;
        }

        /** How long a browser may keep the answer to a preflight. Default: not stated, for which browsers take 5 s. */
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

        /** Negative if it is not stated. */
        long maxAgeSeconds() {
            return maxAgeSeconds;
        }
    }

    /** Sets what a rule allows. */
    public interface Settings {
        void apply(Rule rule);
    }

    /** Not thread-safe. */
    public static final class Builder {
        private final List<Rule> rules = new ArrayList<>();

        private Builder() {}

        /**
         * Allows one origin.
         *
         * @param origin as a browser sends it: {@code https://host} with a port if it is not the scheme's, in lower case, and
         *     no path; or {@code null}, in letters
         */
        public Builder allow(String origin, Settings settings) {
            boolean known = origin.equals("null") || origin.matches("[a-z][a-z0-9+.-]*://[^/?#\\s\\p{Cntrl}A-Z]+");
            if (!known) {
                throw new IllegalArgumentException("not an origin, such as https://host:8443: " + origin);
            }
            return add(new Rule(origin::equals, false), settings);
        }

        /**
         * Allows the origins for which a test is true; never {@code null}. Test the whole origin: one that ends with {@code
         * example.org} may be of {@code evilexample.org}.
         */
        public Builder allowIf(Predicate<String> origins, Settings settings) {
            Objects.requireNonNull(origins, "origins");
            return add(new Rule(origin -> !origin.equals("null") && origins.test(origin), false), settings);
        }

        /** Allows all origins, also {@code null}, for what is public anyway. */
        public Builder allowAny(Settings settings) {
            return add(new Rule(origin -> true, true), settings);
        }

        private Builder add(Rule rule, Settings settings) {
            settings.apply(rule);
            if (rule.anyOrigin && rule.credentials) {
                throw new IllegalArgumentException(
                        "any origin with credentials: every page could act for its visitors; name the origins");
            }
            rules.add(new Rule(rule));
            return this;
        }

        public CorsRules build() {
            return new CorsRules(rules);
        }
    }
}
