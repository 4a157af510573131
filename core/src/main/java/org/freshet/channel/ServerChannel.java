package org.freshet.channel;

public interface ServerChannel extends Channel {}
