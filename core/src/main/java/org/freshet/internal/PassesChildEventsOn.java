package org.freshet.internal;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a handler class whose {@code handleUpstream} passes each event of a child channel on, and does nothing else with it. Not inherited. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface PassesChildEventsOn {}
