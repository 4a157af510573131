/** Events for JDK Flight Recorder, which may be missing from the JVM's image: {@code Flight} alone is to be called. */
package org.freshet.internal.flight;
