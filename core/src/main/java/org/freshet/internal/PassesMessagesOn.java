package org.freshet.internal;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a handler class whose {@code messageReceived} or {@code handleUpstream} passes each received message on before it returns, and
 * doesn't keep the event. Not inherited.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface PassesMessagesOn {}
