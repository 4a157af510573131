/** A server that shows what its I/O loops do, as text for Prometheus and as a page with plots. */
package org.freshet.example.metrics;
