/** Small programs, one page each. {@code examples/run} lists and runs them. Start with {@code echo}. */
package org.freshet.example;
