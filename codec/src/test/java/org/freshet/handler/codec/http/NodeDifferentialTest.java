package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Sends the same bytes to Freshet and to node. However they were changed, Freshet sees no request that node does not
 * see, and mistakes none for another: bytes that a proxy reads as content never become a request. Methods unknown to
 * node are left out.
 *
 * <p>{@code -Dfreshet.test.mutations=N} tries more, {@code -Dfreshet.test.seed=N} tries others.
 */
@Timeout(3600)
class NodeDifferentialTest {
    private static final int MUTATIONS = Integer.getInteger("freshet.test.mutations", 2000);

    /**
     * Bytes that node refuses and Freshet accepts, each for a reason. None of them changes where a message ends, so no
     * reader that accepts them could read their bytes as other requests.
     */
    private enum Reviewed {
        /** RFC 9110 5.6.3: a tab may surround a value, too. */
        TAB_BESIDE_A_VALUE("(?im)^(content-length|transfer-encoding|connection):[^\r\n]*\t"),

        /** RFC 9112 7.1.1: blanks may surround the semicolon and the equals sign of an extension. */
        BLANK_IN_CHUNK_EXTENSION("(?m)^[0-9A-Fa-f]+[^\r\n:]*([;=][ \t]|[ \t][;=])"),

        /** RFC 9110 6.5.1: a field that must not be in a trailer is dropped, not trusted. */
        CONNECTION_FIELD_IN_TRAILER(
                "(?im)^0+(;[^\\r\\n]*)?\\r\\n([^\\r\\n]+\\r\\n)*(content-length|transfer-encoding|connection):"),

        /** RFC 3986 3.1: a scheme consists of more than letters. */
        SCHEME_OF_A_TARGET(" [A-Za-z]+[0-9+.-][A-Za-z0-9+.-]*://");

        private final Pattern pattern;

        Reviewed(String pattern) {
            this.pattern = Pattern.compile(pattern);
        }

        static boolean explain(byte[] connection) {
            String text = new String(connection, ISO_8859_1);
            return Arrays.stream(values())
                    .anyMatch(reviewed -> reviewed.pattern.matcher(text).find());
        }
    }

    private enum Difference {
        NONE,
        REFUSED_BY_NODE,
        ANOTHER_HEAD,
        ANOTHER_CONTENT;

        boolean isHarmlessIn(byte[] connection) {
            return this == NONE || this == REFUSED_BY_NODE && Reviewed.explain(connection);
        }
    }

    /** The same requests in each build, since only differences that were tried are sure to be explained. */
    private static final long SEED = Long.getLong(Seeds.PROPERTY, 20_261_122);

    private final Random random = new Random(SEED);

    @Test
    void shouldNeverSeeMoreThanNode() throws Exception {
        RequestMutator mutator = new RequestMutator(random);
        int requests = 0;
        List<String> differences = new ArrayList<>();
        try (NodeReader node = new NodeReader()) {
            for (int i = 0; i < MUTATIONS; i++) {
                byte[] connection = mutator.next();
                List<SeenRequest> ours =
                        SeenRequest.by(new HttpRequestDecoder(), connection, random.nextInt(connection.length + 1));
                List<SeenRequest> theirs = node.read(connection);
                requests += ours.size();
                Difference difference = difference(node, ours, theirs);
                if (!difference.isHarmlessIn(connection)) {
                    differences.add(difference + ":\n" + SeenRequest.shown(connection) + "\nFreshet: " + ours
                            + "\nnode: " + theirs);
                }
            }
        }
        assertTrue(
                differences.isEmpty(),
                () -> differences.size() + " of " + MUTATIONS + " (seed " + SEED + "): "
                        + String.join("\n----\n", differences));
        assertTrue(requests > MUTATIONS / 2, "too few requests are valid for a conclusion: " + requests);
    }

    private static Difference difference(NodeReader node, List<SeenRequest> ours, List<SeenRequest> theirs) {
        for (int i = 0; i < ours.size(); i++) {
            SeenRequest our = ours.get(i);
            if (i >= theirs.size()) {
                return node.knowsMethod(our.method()) ? Difference.REFUSED_BY_NODE : Difference.NONE;
            }
            SeenRequest their = theirs.get(i);
            if (!our.head().equals(their.head())) {
                return Difference.ANOTHER_HEAD;
            }
            if (our.whole() && !their.whole()) {
                return Difference.REFUSED_BY_NODE;
            }
            if (our.whole() && our.length() != their.length()) {
                return Difference.ANOTHER_CONTENT;
            }
            if (our.maySwitchProtocol()) {
                return Difference.NONE;
            }
        }
        return Difference.NONE;
    }
}
