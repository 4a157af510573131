package org.freshet.handler.codec.http.server.route;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.freshet.handler.codec.http.QueryStringDecoder;

/** Parses queries strictly, unlike the codec's decoder, which is as lenient as Netty 3. Stateless; any thread. */
final class QueryParameters {
    private static final int MAX_PARAMETERS = 1024;

    private QueryParameters() {}

    /** @throws HttpStatusException 400 if an escape is malformed, or if there are too many parameters */
    static Map<String, List<String>> of(String target) {
        int questionMark = target.indexOf('?');
        if (questionMark < 0 || questionMark == target.length() - 1) {
            return Map.of();
        }
        checkEscapes(target, questionMark);
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        int[] count = {0};
        new QueryStringDecoder(target, StandardCharsets.UTF_8, true, MAX_PARAMETERS + 1)
                .semicolonIsSeparator(false)
                .forEachParameter((name, value) -> {
                    if (++count[0] > MAX_PARAMETERS) {
                        throw HttpStatusException.badRequest(
                                "the query has more than " + MAX_PARAMETERS + " parameters");
                    }
                    parameters.computeIfAbsent(name, n -> new ArrayList<>(1)).add(value);
                });
        parameters.replaceAll((name, values) -> Collections.unmodifiableList(values));
        return Collections.unmodifiableMap(parameters);
    }

    private static void checkEscapes(String target, int from) {
        for (int at = target.indexOf('%', from); at >= 0; at = target.indexOf('%', at + 1)) {
            SafePath.checkEscape(target, at, target.length());
        }
    }
}
