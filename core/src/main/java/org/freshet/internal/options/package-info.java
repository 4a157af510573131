/**
 * How configs know their options: tables from keys to methods, and what is said of a key that no table has.
 *
 * <p>Used by the configs of every transport and by bootstraps; imports nothing of channels, which use it.
 */
package org.freshet.internal.options;
