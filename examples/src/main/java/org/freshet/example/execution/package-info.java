/** Ways to run a blocking handler. Read {@code SlowHandler}, then {@code Way}. */
package org.freshet.example.execution;
