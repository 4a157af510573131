/**
 * A server under mixed load for minutes or hours, with every byte and every future checked. Start with
 * {@link org.freshet.example.soak.Soak}.
 */
package org.freshet.example.soak;
