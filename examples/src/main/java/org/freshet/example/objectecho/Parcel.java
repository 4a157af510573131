package org.freshet.example.objectecho;

import java.io.Serializable;
import java.time.LocalDate;
import java.util.List;

/** A class of the program's own, which the peers have agreed on. */
record Parcel(String sender, List<String> contents, LocalDate sent) implements Serializable {}
