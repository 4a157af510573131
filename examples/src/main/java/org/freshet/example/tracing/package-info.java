/** A span for each HTTP request, with OpenTelemetry; see {@link org.freshet.example.tracing.TracingHandler}. */
package org.freshet.example.tracing;
