/**
 * Refuses connections by the peer's address. Start at {@link org.freshet.handler.ipfilter.IpFilterRuleHandler}, which takes
 * a list of rules, or at {@link org.freshet.handler.ipfilter.OneIpFilterHandler}, which allows each address one connection.
 *
 * <p>Addresses of IPv4 and IPv6 never match rules of the other kind; an IPv4-mapped IPv6 address is an IPv4 address. A rule
 * that cannot be understood is an error, since dropping it might open a door.
 */
package org.freshet.handler.ipfilter;
