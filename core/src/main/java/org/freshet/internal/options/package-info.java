/**
 * How configs know their options: tables that map keys to methods, and the reports of keys that no table has.
 *
 * <p>Used by the configs of every transport and by bootstraps. It imports nothing from the channel packages, which use it.
 */
package org.freshet.internal.options;
