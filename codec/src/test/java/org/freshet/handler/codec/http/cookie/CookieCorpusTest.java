package org.freshet.handler.codec.http.cookie;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.freshet.handler.codec.http.Corpus;
import org.junit.jupiter.api.Test;

/** The behavior that browsers agree on, as collected by the IETF's http-state group. */
class CookieCorpusTest {
    private static final String HOST = "home.example.org";
    private static final String SET_BY = "/cookie-parser";

    /** Cases where Freshet differs, each with the reason. */
    private static final Map<String, String> REVIEWED = Map.of(
            "cookie-CHARSET0002", "a cookie's name is ASCII",
            "cookie-CHARSET0003", "a cookie's name is ASCII",
            "cookie-NAME0003", "a cookie's name does not begin with $, since RFC 2965's attributes do",
            "cookie-NAME0007", "same as NAME0003",
            "cookie-NAME0024", "same as NAME0003",
            "cookie-NAME0030", "a cookie's name has no blanks",
            "cookie-DISABLED_CHROMIUM0022", "a NUL drops the cookie; browsers differ",
            "cookie-DISABLED_CHROMIUM0023", "a CR drops the cookie; browsers differ",
            "cookie-DISABLED_PATH0029", "paths are compared as they are sent, by RFC 6265 5.1.4");

    @Test
    void shouldSendBackWhatBrowsersSendBack() throws IOException {
        TreeSet<String> different = new TreeSet<>();
        List<String> details = new ArrayList<>();
        for (Corpus.Case one : Corpus.read("cookies")) {
            if (one.detail().get("kind").equals("jar")) {
                Object sent = sentBack(one);
                if (!sent.toString().equals(inLatin1(one.detail().get("sent")))) {
                    different.add(one.id());
                    details.add(one.id() + ": " + one.text() + " -> " + sent + ", not "
                            + one.detail().get("sent"));
                }
            }
        }
        assertEquals(new TreeSet<>(REVIEWED.keySet()), different, () -> String.join("\n", details));
    }

    /** Headers are Latin-1 for Freshet, whatever charset their bytes were meant in. */
    private static String inLatin1(Object utf8) {
        return new String(utf8.toString().getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    private static List<List<String>> sentBack(Corpus.Case one) {
        CookieJar jar = new CookieJar();
        for (String header : one.text().split("\n")) {
            jar.set(header, HOST, SET_BY);
        }
        URI to = URI.create((String) one.detail().get("sent_to"));
        String host = to.getHost() == null ? HOST : to.getHost().toLowerCase(Locale.ROOT);
        return jar.sentTo(host, to.getRawPath());
    }

    @Test
    void shouldReadEveryDate() throws IOException {
        List<String> different = new ArrayList<>();
        for (Corpus.Case one : Corpus.read("cookies")) {
            if (one.detail().get("kind").equals("date")) {
                Instant date = CookieDates.parse(one.text());
                Object epoch = date == null ? null : date.getEpochSecond();
                if (epoch == null
                        ? one.detail().get("epoch") != null
                        : !epoch.equals(one.detail().get("epoch"))) {
                    different.add(one.id() + ": " + one.text() + " -> " + epoch + ", not "
                            + one.detail().get("epoch"));
                }
            }
        }
        assertEquals(List.of(), different);
    }
}
