/** Ways to run a handler that blocks. Read {@code SlowHandler}, then {@code Way}. */
package org.freshet.example.execution;
