package org.freshet.channel;

/** Runs an action whenever its close future is requested, as another thread may do just then. */
public final class HookedChannel extends FakeChannel {
    public Runnable meanwhile = () -> {};

    public HookedChannel() {}

    @Override
    public ChannelFuture getCloseFuture() {
        Runnable once = meanwhile;
        meanwhile = () -> {};
        once.run();
        return super.getCloseFuture();
    }
}
