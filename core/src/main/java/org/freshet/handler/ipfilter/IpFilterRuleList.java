package org.freshet.handler.ipfilter;

import java.net.UnknownHostException;
import java.util.ArrayList;

/**
 * Rules parsed from a comma-separated string, in order: {@code "+n:localhost, -c:192.168.0.0/27, -i:10.*"}. Each begins
 * with {@code +} to allow or {@code -} to refuse, followed by
 *
 * <ul>
 * <li>{@code c:} and a block of addresses in the syntax of {@link CIDR#newCIDR(String)}, or
 * <li>{@code i:} or {@code n:} and a pattern in the syntax of {@link PatternRule}.
 * </ul>
 */
public class IpFilterRuleList extends ArrayList<IpFilterRule> {
    private static final long serialVersionUID = 1L;

    /**
     * Parses rules; blanks around rules and empty rules are ignored.
     *
     * @throws IllegalArgumentException if a rule does not follow this syntax
     */
    public IpFilterRuleList(String rules) {
        for (String rule : rules.split(",")) {
            if (!rule.isBlank()) {
                add(read(rule.trim()));
            }
        }
    }

    private static IpFilterRule read(String rule) {
        boolean allow = rule.startsWith("+");
        if (!allow && !rule.startsWith("-")) {
            throw new IllegalArgumentException("a rule must begin with + or -: " + rule);
        }
        String set = rule.substring(1).trim();
        try {
            return set.startsWith("c:")
                    ? new IpSubnetFilterRule(allow, set.substring(2).trim())
                    : new PatternRule(allow, set);
        } catch (UnknownHostException | IllegalArgumentException e) {
            throw new IllegalArgumentException("not a valid rule: " + rule + " (" + e.getMessage() + ")", e);
        }
    }
}
