package org.freshet.example.objectecho;

import java.io.Serializable;
import java.time.LocalDate;
import java.util.List;

/** One of the program's own classes, known to both peers. */
record Parcel(String sender, List<String> contents, LocalDate sent) implements Serializable {}
