package org.freshet.handler.ipfilter;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.freshet.util.NetUtil;

/**
 * Lets addresses in, or refuses them, by how they are written or called. Immutable.
 *
 * <p>The pattern is a list of alternatives with commas between them. In each, {@code *} stands for any characters and
 * {@code ?} for one:
 *
 * <ul>
 * <li>{@code i:192.168.*}, {@code i:2001:db8:*} - the address in numbers; an IPv6 address matches both in its shortest form
 *     and with all eight groups written out,
 * <li>{@code n:*.example.org} - the name that the name service knows for the address, in upper or lower case,
 * <li>{@code n:localhost} - any address of this machine, whatever it is called.
 * </ul>
 *
 * <p>Looking up a name holds up the channel's I/O thread, for seconds at worst, and lets the owner of the address have a
 * say. Blocks of addresses, as in {@link IpSubnetFilterRule}, are the better rule.
 */
public class PatternRule implements IpFilterRule, Comparable<Object> {
    private final boolean allow;
    private final String pattern;
    private final List<Predicate<InetAddress>> alternatives = new ArrayList<>();

    /**
     * Reads a pattern as told above.
     *
     * @throws IllegalArgumentException if an alternative begins with neither {@code n:} nor {@code i:}, or if nothing follows
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
                    "neither n:NAME nor i:ADDRESS: \"" + alternative + "\" in \"" + whole + "\"");
        }
        if (alternative.startsWith("i:")) {
            Pattern numbers = wildcards(text);
            return address -> matchesNumbers(numbers, address);
        }
        if (text.equalsIgnoreCase("localhost")) {
            return PatternRule::isOfThisMachine;
        }
        Pattern name = wildcards(text);
        return address -> name.matcher(address.getHostName()).matches();
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

    private static boolean isOfThisMachine(InetAddress address) {
        try {
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }

    /** As given to the constructor. */
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

    /** By pattern, then what refuses before what lets in; anything but a pattern rule comes last. */
    @Override
    public int compareTo(Object other) {
        if (!(other instanceof PatternRule rule)) {
            return -1;
        }
        int byPattern = pattern.compareTo(rule.pattern);
        return byPattern != 0 ? byPattern : Boolean.compare(allow, rule.allow);
    }

    /** Whether the other is a rule that does the same by the same pattern. */
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
