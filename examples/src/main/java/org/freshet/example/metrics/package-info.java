/** A server that shows metrics of its I/O loops, as text for Prometheus and as a page with plots. */
package org.freshet.example.metrics;
