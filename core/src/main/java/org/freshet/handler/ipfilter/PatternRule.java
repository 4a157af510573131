package org.freshet.handler.ipfilter;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.freshet.util.NetUtil;

/**
 * Allows or refuses addresses by their text form or host name. Immutable.
 *
 * <p>The pattern is a comma-separated list of alternatives. In each, {@code *} matches any characters and {@code ?}
 * matches one:
 *
 * <ul>
 * <li>{@code i:192.168.*}, {@code i:2001:db8:*} - the numeric address; an IPv6 address is matched both in its shortest
 *     form and with all eight groups written out,
 * <li>{@code n:*.example.org} - the host name returned by a reverse lookup of the address, ignoring case,
 * <li>{@code n:localhost} - the addresses to which the name {@code localhost} resolves when the rule is made, usually
 *     127.0.0.1 and ::1; neither other loopback addresses nor those of this machine's network interfaces.
 * </ul>
 *
 * <p>A reverse lookup blocks the channel's I/O thread, possibly for seconds, and the owner of the address controls its
 * result. Prefer blocks of addresses, as in {@link IpSubnetFilterRule}.
 */
public class PatternRule implements IpFilterRule, Comparable<Object> {
    private final boolean allow;
    private final String pattern;
    private final List<Predicate<InetAddress>> alternatives = new ArrayList<>();

    /**
     * Parses a pattern in the syntax above.
     *
     * @throws IllegalArgumentException if an alternative begins with neither {@code n:} nor {@code i:}, if nothing
     *     follows, or if it is {@code n:localhost} and that does not resolve
     */
    public PatternRule(boolean allow, String pattern) {
        this.allow = allow;
        this.pattern = pattern;
        for (String alternative : pattern.split(",", -1)) {
            alternatives.add(read(alternative.trim(), pattern));
        }
    }

    private static Predicate<InetAddress> read(String alternative, String whole) {
        String text = alternative.length() > 2 ? alternative.substring(2) : "";
        if (text.isEmpty() || !(alternative.startsWith("n:") || alternative.startsWith("i:"))) {
            throw new IllegalArgumentException(
                    "expected n:NAME or i:ADDRESS: \"" + alternative + "\" in \"" + whole + "\"");
        }
        if (alternative.startsWith("i:")) {
            Pattern numbers = wildcards(text);
            return address -> matchesNumbers(numbers, address);
        }
        if (text.equalsIgnoreCase("localhost")) {
            Set<InetAddress> addresses = addressesOfLocalhost(whole);
            return address -> addresses.contains(CIDR.unmapped(address));
        }
        Pattern name = wildcards(text);
        return address -> name.matcher(address.getHostName()).matches();
    }

    /** A rule that matches nothing could allow what it is meant to refuse, so an unresolvable name is an error. */
    private static Set<InetAddress> addressesOfLocalhost(String whole) {
        try {
            return Set.copyOf(List.of(InetAddress.getAllByName("localhost")));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "localhost does not resolve; name its addresses instead, as in i:127.0.0.1: \"" + whole + "\"", e);
        }
    }

    private static Pattern wildcards(String text) {
        StringBuilder regex = new StringBuilder();
        for (char c : text.toCharArray()) {
            regex.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(String.valueOf(c)));
        }
        return Pattern.compile(regex.toString(), Pattern.CASE_INSENSITIVE);
    }

    private static boolean matchesNumbers(Pattern numbers, InetAddress address) {
        InetAddress ip = CIDR.unmapped(address);
        String writtenOut = ip.getHostAddress().replaceFirst("%.*", ""); // a zone is not part of the address
        return numbers.matcher(writtenOut).matches()
                || numbers.matcher(NetUtil.toAddressString(ip)).matches();
    }

    /** Returns the pattern given to the constructor. */
    public String getPattern() {
        return pattern;
    }

    @Override
    public boolean isAllowRule() {
        return allow;
    }

    @Override
    public boolean isDenyRule() {
        return !allow;
    }

    @Override
    public boolean contains(InetAddress address) {
        for (Predicate<InetAddress> alternative : alternatives) {
            if (alternative.test(address)) {
                return true;
            }
        }
        return false;
    }

    /** Orders by pattern, and refusing rules before allowing ones. Anything but a pattern rule comes last. */
    @Override
    public int compareTo(Object other) {
        if (!(other instanceof PatternRule rule)) {
            return -1;
        }
        int byPattern = pattern.compareTo(rule.pattern);
        return byPattern != 0 ? byPattern : Boolean.compare(allow, rule.allow);
    }

    /** Returns whether the other makes the same decision with the same pattern. */
    @Override
    public boolean equals(Object other) {
        return other instanceof PatternRule rule && rule.allow == allow && rule.pattern.equals(pattern);
    }

    @Override
    public int hashCode() {
        return 31 * pattern.hashCode() + Boolean.hashCode(allow);
    }

    @Override
    public String toString() {
        return (allow ? "+" : "-") + pattern;
    }
}
