/** Events for JDK Flight Recorder, which the JVM's image may lack. Only call {@code Flight}. */
package org.freshet.internal.flight;
