/**
 * Refuses connections by the peer's address. Start at {@link org.freshet.handler.ipfilter.IpFilterRuleHandler}, which
 * takes a list of rules, or at {@link org.freshet.handler.ipfilter.OneIpFilterHandler}, which allows one connection per
 * address.
 *
 * <p>IPv4 and IPv6 addresses never match rules of the other kind; an IPv4-mapped IPv6 address counts as IPv4. A rule
 * that cannot be parsed is an error, since ignoring it could let peers in.
 */
package org.freshet.handler.ipfilter;
