package org.freshet.internal;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a class of handlers that overrides {@code messageReceived} or {@code handleUpstream} and passes each received message on
 * before it returns, without keeping the event. Not inherited.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface PassesMessagesOn {}
