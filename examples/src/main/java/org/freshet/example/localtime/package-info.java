/** Protocol buffers over a stream. Read {@code LocalTime} first. */
package org.freshet.example.localtime;
