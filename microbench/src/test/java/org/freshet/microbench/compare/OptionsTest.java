package org.freshet.microbench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class OptionsTest {
    private static final List<Option> KNOWN = List.of(
            Options.QUICK,
            Option.number("slices", 10, 5, "help"),
            new Option("size", "64", "help"),
            new Option("nodelay", "on,off", "help"));

    @Test
    void shouldUseDefaultsForMissingOptions() throws Exception {
        Options options = new Options(KNOWN, List.of("--size", "7,8"));
        assertEquals(10, options.number("slices", 1, 100));
        assertEquals(List.of(7, 8), options.numbers("size", 1, 100));
    }

    @Test
    void shouldUseQuickValuesForMissingOptions() throws Exception {
        Options options = new Options(KNOWN, List.of("--size", "7", "--quick"));
        assertEquals(5, options.number("slices", 1, 100));
        assertEquals(7, options.number("size", 1, 100));
        assertEquals(8, new Options(KNOWN, List.of("--slices", "8", "--quick")).number("slices", 1, 100));
    }

    @Test
    void shouldReadSwitches() throws Exception {
        assertEquals(List.of(true, false), new Options(KNOWN, List.of()).switches("nodelay"));
        Options wrong = new Options(KNOWN, List.of("--nodelay", "on,1"));
        var refusal = assertThrows(UsageException.class, () -> wrong.switches("nodelay"));
        assertEquals("--nodelay takes on, off or both: 1", refusal.getMessage());
    }
}
