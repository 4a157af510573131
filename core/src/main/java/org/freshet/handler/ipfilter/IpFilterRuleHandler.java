package org.freshet.handler.ipfilter;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;

/**
 * Allows or refuses connections with a list of rules: the first rule that contains the peer's address decides. An
 * address that matches no rule is allowed; to refuse it, end the list with {@code new IpSubnetFilterRule(false)}.
 *
 * <pre>{@code
 * // allows the office and this machine's localhost, and refuses every other address
 * new IpFilterRuleHandler(new IpFilterRuleList("+c:192.0.2.0/24, +n:localhost, -c:0.0.0.0/0, -c:::/0"));
 * }</pre>
 *
 * <p>One handler serves all pipelines. You may change rules at any time from any thread; they apply to connections made
 * afterwards. The methods that change rules work like those of {@link List}.
 */
@Sharable
public class IpFilterRuleHandler extends IpFilteringHandlerImpl {
    private final CopyOnWriteArrayList<IpFilterRule> rules = new CopyOnWriteArrayList<>();

    /**
     * Starts with a copy of the given rules.
     *
     * @param newList null means no rules
     */
    public IpFilterRuleHandler(List<IpFilterRule> newList) {
        if (newList != null) {
            addAll(newList);
        }
    }

    /** Starts without rules, so every peer is allowed. */
    public IpFilterRuleHandler() {}

    private static IpFilterRule notNull(IpFilterRule rule) {
        return Objects.requireNonNull(rule, "ipFilterRule");
    }

    private static Collection<IpFilterRule> notNull(Collection<IpFilterRule> rules) {
        rules.forEach(IpFilterRuleHandler::notNull);
        return rules;
    }

    public void add(IpFilterRule ipFilterRule) {
        rules.add(notNull(ipFilterRule));
    }

    public void add(int index, IpFilterRule ipFilterRule) {
        rules.add(index, notNull(ipFilterRule));
    }

    public void addAll(Collection<IpFilterRule> c) {
        rules.addAll(notNull(c));
    }

    public void addAll(int index, Collection<IpFilterRule> c) {
        rules.addAll(index, notNull(c));
    }

    /** Adds the rules that are not in the list yet and returns how many were added. */
    public int addAllAbsent(Collection<IpFilterRule> c) {
        return rules.addAllAbsent(notNull(c));
    }

    /** Adds the rule unless the list contains an equal one. Returns whether it was added. */
    public boolean addIfAbsent(IpFilterRule ipFilterRule) {
        return rules.addIfAbsent(notNull(ipFilterRule));
    }

    public void clear() {
        rules.clear();
    }

    public boolean contains(IpFilterRule ipFilterRule) {
        return rules.contains(ipFilterRule);
    }

    public boolean containsAll(Collection<IpFilterRule> c) {
        return rules.containsAll(c);
    }

    public IpFilterRule get(int index) {
        return rules.get(index);
    }

    public boolean isEmpty() {
        return rules.isEmpty();
    }

    public void remove(IpFilterRule ipFilterRule) {
        rules.remove(ipFilterRule);
    }

    public IpFilterRule remove(int index) {
        return rules.remove(index);
    }

    public void removeAll(Collection<IpFilterRule> c) {
        rules.removeAll(c);
    }

    public void retainAll(Collection<IpFilterRule> c) {
        rules.retainAll(c);
    }

    public IpFilterRule set(int index, IpFilterRule ipFilterRule) {
        return rules.set(index, notNull(ipFilterRule));
    }

    public int size() {
        return rules.size();
    }

    @Override
    protected boolean accept(ChannelHandlerContext ctx, ChannelEvent e, InetSocketAddress inetSocketAddress)
            throws Exception {
        InetAddress peer = inetSocketAddress.getAddress();
        for (IpFilterRule rule : rules) {
            if (rule.contains(peer)) {
                return rule.isAllowRule();
            }
        }
        return true;
    }
}
