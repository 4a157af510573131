package org.freshet.channel;

import java.util.Objects;

/** One scope within another. What either throws does not keep the other from being left. */
record NestedScopes(ChannelScope outer, ChannelScope inner) implements ChannelScope {
    private record Tokens(Object outer, Object inner) {}

    NestedScopes {
        Objects.requireNonNull(inner, "inner");
    }

    @Override
    public Object enter(Channel channel) {
        Object outerToken = outer.enter(channel);
        try {
            return new Tokens(outerToken, inner.enter(channel));
        } catch (Throwable t) {
            outer.exit(outerToken);
            throw t;
        }
    }

    @Override
    public void exit(Object token) {
        Tokens tokens = (Tokens) token;
        try {
            inner.exit(tokens.inner);
        } finally {
            outer.exit(tokens.outer);
        }
    }
}
