package org.freshet.channel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Handles or intercepts the events of a channel; the sub-interfaces say in which direction. */
public interface ChannelHandler {
    /** One instance may sit in many pipelines at once: the handler keeps no state of a single channel. */
    @Inherited
    @Documented
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Sharable {}
}
