/**
 * JUnit tests of pipelines over a simulated network. Start with {@link org.freshet.testkit.SimulatedNetwork}.
 * {@link org.freshet.testkit.SimulationTest} runs a test with many seeds, {@link org.freshet.testkit.Faults} sets the
 * faults, and {@link org.freshet.testkit.TcpPeer} and {@link org.freshet.testkit.HttpPeer} follow scripts. To test a
 * single decoder without a network, use {@link org.freshet.handler.codec.embedder.DecoderSplitChecker}.
 */
package org.freshet.testkit;
