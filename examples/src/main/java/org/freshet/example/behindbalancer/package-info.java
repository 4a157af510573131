/** A server behind a load balancer that speaks the PROXY protocol. Start with {@link org.freshet.example.behindbalancer.BehindBalancer}. */
package org.freshet.example.behindbalancer;
