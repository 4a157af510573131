package org.freshet.handler.ipfilter;

import java.net.UnknownHostException;
import java.util.ArrayList;

/**
 * Rules parsed from a string, in order, separated by commas: {@code "+n:localhost, -c:192.168.0.0/27, -i:10.*"}. Each
 * begins with {@code +} to allow or {@code -} to refuse, followed by
 *
 * <ul>
 * <li>{@code c:} and a block of addresses as {@link CIDR#newCIDR(String)} reads it, or
 * <li>{@code i:} or {@code n:} and a pattern as {@link PatternRule} describes it.
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
            throw new IllegalArgumentException("begins with neither + nor -: " + rule);
        }
        String set = rule.substring(1).trim();
        try {
            return set.startsWith("c:")
                    ? new IpSubnetFilterRule(allow, set.substring(2).trim())
                    : new PatternRule(allow, set);
        } catch (UnknownHostException | IllegalArgumentException e) {
            throw new IllegalArgumentException("not a rule: " + rule + " (" + e.getMessage() + ")", e);
        }
    }
}
