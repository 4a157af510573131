package org.freshet.handler.ipfilter;

import java.net.UnknownHostException;
import java.util.ArrayList;

/**
 * Rules read from one line of text, in their order, with commas between them: {@code "+n:localhost, -c:192.168.0.0/27,
 * -i:10.*"}. Each begins with {@code +} to let in or {@code -} to refuse, then
 *
 * <ul>
 * <li>{@code c:} and a block of addresses as {@link CIDR#newCIDR(String)} reads it, or
 * <li>{@code i:} or {@code n:} and a pattern as {@link PatternRule} tells.
 * </ul>
 */
public class IpFilterRuleList extends ArrayList<IpFilterRule> {
    private static final long serialVersionUID = 1L;

    /**
     * Reads rules; blanks around them and empty ones are ignored.
     *
     * @throws IllegalArgumentException if one of them is none of the above
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
