package org.freshet.handler.codec.http.cookie;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Stores cookies as a browser does (RFC 6265 5.3 and 5.4), except for the list of public suffixes: a domain needs a
 * dot.
 */
final class CookieJar {
    private record Entry(String name, String value, String domain, boolean hostOnly, String path, boolean secure) {
        boolean isSame(Entry other) {
            return name.equals(other.name) && domain.equals(other.domain) && path.equals(other.path);
        }
    }

    private final List<Entry> entries = new ArrayList<>();

    void set(String header, String host, String requestPath) {
        Cookie cookie = ClientCookieDecoder.LAX.decode(header);
        if (cookie == null) {
            return;
        }
        String domain = cookie.domain() == null ? "" : cookie.domain().toLowerCase(Locale.ROOT);
        domain = domain.startsWith(".") ? domain.substring(1) : domain;
        if (!domain.isEmpty() && (!domainMatches(host, domain) || !domain.contains("."))) {
            return;
        }
        String path = cookie.path() == null || !cookie.path().startsWith("/") ? directory(requestPath) : cookie.path();
        String value = cookie.wrap() ? '"' + cookie.value() + '"' : cookie.value();
        boolean hostOnly = domain.isEmpty();
        Entry entry = new Entry(cookie.name(), value, hostOnly ? host : domain, hostOnly, path, cookie.isSecure());
        int known = indexOf(entry);
        boolean expired = cookie.maxAge() != Integer.MIN_VALUE && cookie.maxAge() <= 0;
        if (known >= 0) {
            entries.remove(known);
        }
        if (!expired) {
            entries.add(known < 0 ? entries.size() : known, entry);
        }
    }

    private int indexOf(Entry entry) {
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).isSame(entry)) {
                return i;
            }
        }
        return -1;
    }

    /** Names and values sent with a plaintext request, in order. */
    List<List<String>> sentTo(String host, String path) {
        List<List<String>> sent = new ArrayList<>();
        entries.stream()
                .filter(entry -> !entry.secure)
                .filter(entry -> entry.hostOnly ? entry.domain.equals(host) : domainMatches(host, entry.domain))
                .filter(entry -> pathMatches(path, entry.path))
                .sorted(Comparator.comparingInt(entry -> -entry.path.length()))
                .forEach(entry -> sent.add(List.of(entry.name, entry.value)));
        return sent;
    }

    private static boolean domainMatches(String host, String domain) {
        return host.equals(domain) || host.endsWith('.' + domain);
    }

    private static boolean pathMatches(String path, String cookiePath) {
        return path.equals(cookiePath)
                || path.startsWith(cookiePath) && (cookiePath.endsWith("/") || path.charAt(cookiePath.length()) == '/');
    }

    private static String directory(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? "/" : path.substring(0, slash);
    }
}
