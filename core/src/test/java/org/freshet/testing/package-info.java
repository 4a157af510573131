/**
 * What the tests of all modules share: waiting with a deadline ({@link org.freshet.testing.Await}), servers and clients
 * of any transport ({@link org.freshet.testing.Rig}) whose events are recorded ({@link org.freshet.testing.Recorder}),
 * scripted peers that misbehave ({@link org.freshet.testing.ScriptedPeer}), a channel without a transport ({@link
 * org.freshet.testing.MemoryChannel}), time that a test controls ({@link org.freshet.testing.FakeClock}, {@link
 * org.freshet.testing.FakeTimer}), captured log messages ({@link org.freshet.testing.CapturedLog}), repeatable
 * randomness ({@link org.freshet.testing.Seeds}), and the check after each class that nothing was left running ({@link
 * org.freshet.testing.LeakCheck}).
 */
package org.freshet.testing;
