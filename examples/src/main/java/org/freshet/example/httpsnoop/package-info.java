/** The parts of a request and a response. */
package org.freshet.example.httpsnoop;
