/**
 * What the tests of all modules share: waiting with a deadline ({@link org.freshet.testing.Await}), servers and clients of any transport
 * ({@link org.freshet.testing.Rig}) whose events are written down ({@link org.freshet.testing.Recorder}), peers that misbehave
 * by script ({@link org.freshet.testing.ScriptedPeer}), a channel without a transport ({@link
 * org.freshet.testing.MemoryChannel}), time that is turned by hand ({@link
 * org.freshet.testing.FakeClock}, {@link org.freshet.testing.FakeTimer}), log messages to look at ({@link
 * org.freshet.testing.CapturedLog}), randomness that can be repeated ({@link org.freshet.testing.Seeds}), and the check
 * after each class that nothing was left running ({@link org.freshet.testing.LeakCheck}).
 */
package org.freshet.testing;
