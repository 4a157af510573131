/** {@code RaceCheck} finds handlers that two threads are in at the same time. The pipeline calls it if the check is on. */
package org.freshet.internal.race;
