package org.freshet.channel;

/**
 * The aspect of a channel that a {@link ChannelStateEvent} is about. With the event's value and direction, it says what happened
 * (upstream) or what is requested (downstream):
 *
 * <table>
 * <caption>State, value and meaning</caption>
 * <tr><th>state</th><th>value</th><th>upstream: it happened</th><th>downstream: request</th></tr>
 * <tr><td>{@link #OPEN}</td><td>{@code true}</td><td>the channel was created</td><td>(never sent)</td></tr>
 * <tr><td>{@link #OPEN}</td><td>{@code false} or null</td><td>the channel is closed, permanently</td><td>close it</td></tr>
 * <tr><td>{@link #BOUND}</td><td>a {@code SocketAddress}</td><td>it is bound to this local address</td><td>bind to this local
 * address</td></tr>
 * <tr><td>{@link #BOUND}</td><td>null</td><td>it is unbound</td><td>unbind</td></tr>
 * <tr><td>{@link #CONNECTED}</td><td>a {@code SocketAddress}</td><td>it is connected to this peer</td><td>connect to this
 * peer</td></tr>
 * <tr><td>{@link #CONNECTED}</td><td>null</td><td>it is disconnected</td><td>disconnect</td></tr>
 * <tr><td>{@link #INTEREST_OPS}</td><td>an {@code Integer}</td><td>reading was suspended or resumed, or writability changed; ask the channel
 * which</td><td>set the interest to this value: {@link Channel#OP_READ} or {@link Channel#OP_NONE}</td></tr>
 * </table>
 */
public enum ChannelState {
    /** Whether the channel exists. */
    OPEN,

    /** Whether the channel has a local address. */
    BOUND,

    /** Whether the channel has a peer. */
    CONNECTED,

    /** Whether the channel reads, and whether it is writable. */
    INTEREST_OPS
}
