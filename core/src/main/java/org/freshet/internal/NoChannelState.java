package org.freshet.internal;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a base class of handlers whose fields hold no state of a single channel, so that the subclass determines whether instances may be
 * in several pipelines. Not inherited. A base class without fields needs no mark.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface NoChannelState {}
