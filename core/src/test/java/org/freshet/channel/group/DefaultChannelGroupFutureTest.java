package org.freshet.channel.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.DefaultChannelFuture;
import org.freshet.channel.FakeChannel;
import org.freshet.channel.SucceededChannelFuture;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DefaultChannelGroupFutureTest {
    private final DefaultChannelGroup group = new DefaultChannelGroup();
    private final FakeChannel a = new FakeChannel();
    private final FakeChannel b = new FakeChannel();
    private final DefaultChannelFuture ofA = new DefaultChannelFuture(a, true);
    private final DefaultChannelFuture ofB = new DefaultChannelFuture(b, true);
    private final ChannelGroupFuture future = of(ofA, ofB);
    private final List<String> calls = new ArrayList<>();

    private ChannelGroupFuture of(ChannelFuture... members) {
        return new DefaultChannelGroupFuture(group, List.of(members));
    }

    private ChannelGroupFutureListener listener(String name) {
        return done -> calls.add(name);
    }

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    /** Done, complete success, partial success, partial failure, complete failure. */
    private static String answers(ChannelGroupFuture future) {
        StringBuilder answers = new StringBuilder();
        answers.append(future.isDone() ? 'D' : '-');
        answers.append(future.isCompleteSuccess() ? 'S' : '-');
        answers.append(future.isPartialSuccess() ? 's' : '-');
        answers.append(future.isPartialFailure() ? 'f' : '-');
        answers.append(future.isCompleteFailure() ? 'F' : '-');
        return answers.toString();
    }

    @Test
    void shouldReportTheStateOfItsMembers() {
        assertEquals("-----", answers(future));
        ofA.setSuccess();
        assertEquals("--s--", answers(future));
        ofB.setSuccess();
        assertEquals("DS---", answers(future));
    }

    @Test
    void shouldCountCancellationAsFailure() {
        ofA.setFailure(new IOException());
        assertEquals("---f-", answers(future));
        ofB.cancel();
        assertEquals("D---F", answers(future));
    }

    @Test
    void shouldBePartialSuccessAndPartialFailureWhenMembersDiffer() {
        ofA.setFailure(new IOException());
        ofB.setSuccess();
        assertEquals("D-sf-", answers(future));
    }

    @Test
    void shouldBeDoneImmediatelyWithoutMembers() throws Exception {
        ChannelGroupFuture empty = of();
        assertEquals("DS---", answers(empty));
        empty.addListener(listener("called"));
        assertEquals(List.of("called"), calls);
        assertSame(empty, empty.await());
        assertTrue(empty.await(0));
    }

    @Test
    void shouldBeDoneImmediatelyIfAllMembersAreDone() {
        assertEquals("DS---", answers(of(new SucceededChannelFuture(a), a.close())));
    }

    /** For any members completed in any order, the state after each step is that of Netty 3. */
    @Test
    void shouldBehaveLikeNetty3() {
        Random random = Seeds.random();
        for (int round = 0; round < 300; round++) {
            int count = random.nextInt(5);
            List<ChannelFuture> ours = new ArrayList<>();
            List<org.jboss.netty.channel.ChannelFuture> theirs = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ours.add(new DefaultChannelFuture(new FakeChannel(), true));
                theirs.add(new org.jboss.netty.channel.DefaultChannelFuture(peerChannel(i), true));
            }
            DefaultChannelGroupFuture our = new DefaultChannelGroupFuture(group, ours);
            org.jboss.netty.channel.group.DefaultChannelGroupFuture their =
                    new org.jboss.netty.channel.group.DefaultChannelGroupFuture(
                            new org.jboss.netty.channel.group.DefaultChannelGroup(), theirs);
            for (int step = 0; step <= count; step++) {
                String theirAnswers = (their.isDone() ? "D" : "-")
                        + (their.isCompleteSuccess() ? "S" : "-")
                        + (their.isPartialSuccess() ? "s" : "-")
                        + (their.isPartialFailure() ? "f" : "-")
                        + (their.isCompleteFailure() ? "F" : "-");
                assertEquals(theirAnswers, answers(our), "step " + step + " of " + count + ", seed " + Seeds.seed());
                if (step < count) {
                    int outcome = random.nextInt(3);
                    complete(ours.get(step), outcome);
                    switch (outcome) {
                        case 0 -> theirs.get(step).setSuccess();
                        case 1 -> theirs.get(step).setFailure(new IOException());
                        default -> theirs.get(step).cancel();
                    }
                }
            }
        }
    }

    private static void complete(ChannelFuture member, int outcome) {
        switch (outcome) {
            case 0 -> member.setSuccess();
            case 1 -> member.setFailure(new IOException());
            default -> member.cancel();
        }
    }

    private static org.jboss.netty.channel.Channel peerChannel(int id) {
        return (org.jboss.netty.channel.Channel) Proxy.newProxyInstance(
                DefaultChannelGroupFutureTest.class.getClassLoader(),
                new Class<?>[] {org.jboss.netty.channel.Channel.class},
                (proxy, method, args) -> {
                    assertEquals("getId", method.getName());
                    return id;
                });
    }

    @Test
    void shouldDescribeItsStateInWords() {
        ofA.setSuccess();
        assertEquals("DefaultChannelGroupFuture(1 succeeded, 0 failed of 2, " + group + ")", future.toString());
    }

    // ---- members ----

    @Test
    void shouldFindMembers() {
        assertSame(ofA, future.find(a));
        assertSame(ofB, future.find(b));
        assertSame(ofA, future.find(a.getId()));
        assertNull(future.find(new FakeChannel()));
        assertNull(future.find(new FakeChannel().getId()));
    }

    @Test
    void shouldFindMembersWithEqualIds() {
        FakeChannel one = new FakeChannel(7, null);
        FakeChannel other = new FakeChannel(7, null);
        ChannelFuture ofOne = new SucceededChannelFuture(one);
        ChannelFuture ofOther = new SucceededChannelFuture(other);
        ChannelGroupFuture twins = of(ofOne, ofOther);
        assertSame(ofOne, twins.find(one));
        assertSame(ofOther, twins.find(other));
        assertNull(twins.find(new FakeChannel(7, null)));
        assertTrue(twins.isCompleteSuccess());
    }

    @Test
    void shouldIterateInOrderWithoutRemoval() {
        Iterator<ChannelFuture> iterator = future.iterator();
        assertSame(ofA, iterator.next());
        assertThrows(UnsupportedOperationException.class, iterator::remove);
        assertSame(ofB, iterator.next());
        assertFalse(iterator.hasNext());
    }

    @Test
    void shouldNotFollowChangesOfTheCollection() {
        List<ChannelFuture> members = new ArrayList<>(List.of(ofA));
        ChannelGroupFuture copy = new DefaultChannelGroupFuture(group, members);
        members.add(ofB);
        ofA.setSuccess();
        assertEquals("DS---", answers(copy));
    }

    @Test
    void shouldRefuseNulls() {
        assertThrows(NullPointerException.class, () -> new DefaultChannelGroupFuture(null, List.of()));
        assertThrows(NullPointerException.class, () -> new DefaultChannelGroupFuture(group, null));
        assertThrows(NullPointerException.class, () -> new DefaultChannelGroupFuture(group, Arrays.asList(ofA, null)));
        assertThrows(NullPointerException.class, () -> future.addListener(null));
        assertThrows(NullPointerException.class, () -> future.removeListener(null));
    }

    // ---- listeners ----

    @Test
    void shouldCallListenersOnceAllAreDone() {
        future.addListener(done -> {
            assertSame(future, done);
            calls.add("a");
        });
        future.addListener(done -> {
            throw new IOException("thrown on purpose");
        });
        future.addListener(listener("b"));
        ofB.setSuccess();
        assertEquals(List.of(), calls);
        ofA.setFailure(new IOException());
        assertEquals(List.of("a", "b"), calls);
        future.addListener(listener("late"));
        assertEquals(List.of("a", "b", "late"), calls);
    }

    @Test
    void shouldNotCallRemovedListeners() {
        ChannelGroupFutureListener removed = listener("removed");
        future.addListener(removed);
        future.addListener(listener("kept"));
        future.removeListener(removed);
        future.removeListener(listener("unknown"));
        ofA.setSuccess();
        ofB.setSuccess();
        assertEquals(List.of("kept"), calls);
    }

    // ---- waiting ----

    @Test
    void shouldWakeWaitersWhenAllAreDone() throws Exception {
        List<Thread> waiters = new ArrayList<>();
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 4; i++) {
            int kind = i;
            Thread waiter = new Thread(() -> {
                try {
                    boolean done = switch (kind) {
                        case 0 -> future.await().isDone();
                        case 1 -> future.awaitUninterruptibly().isDone();
                        case 2 -> future.await(30_000);
                        default -> future.awaitUninterruptibly(30, TimeUnit.SECONDS);
                    };
                    assertTrue(done);
                } catch (Throwable t) {
                    failures.add(t);
                }
            });
            waiter.start();
            waiters.add(waiter);
        }
        ofA.setSuccess();
        ofB.setFailure(new IOException());
        for (Thread waiter : waiters) {
            waiter.join(30_000);
            assertFalse(waiter.isAlive(), "the waiter did not return");
        }
        assertEquals(List.of(), failures);
    }

    @Test
    void shouldGiveUpAfterTheTimeout() throws Exception {
        assertFalse(future.await(1));
        assertFalse(future.await(1, TimeUnit.MICROSECONDS));
        assertFalse(future.awaitUninterruptibly(1));
        assertFalse(future.awaitUninterruptibly(1, TimeUnit.MICROSECONDS));
    }

    @Test
    void shouldThrowInterrupts() {
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, future::await);
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> future.await(30_000));
        Thread.currentThread().interrupt();
        assertFalse(future.awaitUninterruptibly(1));
        assertTrue(Thread.interrupted());
    }

    @Test
    void shouldRefuseToWaitOnTheIoThreadOfAPendingMember() throws Exception {
        b.ioThread = Thread.currentThread();
        assertThrows(IllegalStateException.class, future::await);
        assertThrows(IllegalStateException.class, future::awaitUninterruptibly);
        assertThrows(IllegalStateException.class, () -> future.await(1));
        assertThrows(IllegalStateException.class, () -> future.awaitUninterruptibly(1, TimeUnit.SECONDS));
        assertFalse(future.await(0));
        ofB.setSuccess();
        assertFalse(future.await(1)); // the other one belongs to another thread
        ofA.setSuccess();
        assertSame(future, future.await());
    }

    @Test
    void shouldWaitEverywhereWithTheCheckerOff() throws Exception {
        a.ioThread = Thread.currentThread();
        DefaultChannelFuture.setUseDeadLockChecker(false);
        try {
            assertFalse(future.await(1));
        } finally {
            DefaultChannelFuture.setUseDeadLockChecker(true);
        }
    }
}
