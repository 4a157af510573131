package org.freshet.handler.codec.spdy;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The standard {@link SpdySettingsFrame}. */
public class DefaultSpdySettingsFrame implements SpdySettingsFrame {
    private record Setting(int value, boolean persist, boolean persisted) {}

    private final Map<Integer, Setting> settings = new TreeMap<>();
    private boolean clear;

    /** Without settings. */
    public DefaultSpdySettingsFrame() {}

    @Override
    public Set<Integer> getIds() {
        return settings.keySet();
    }

    @Override
    public boolean isSet(int id) {
        return settings.containsKey(id);
    }

    @Override
    public int getValue(int id) {
        Setting setting = settings.get(id);
        return setting == null ? -1 : setting.value;
    }

    @Override
    public void setValue(int id, int value) {
        setValue(id, value, false, false);
    }

    @Override
    public void setValue(int id, int value, boolean persistVal, boolean persisted) {
        if (id < 0 || id > SpdyWire.MAX_SETTING_ID) {
            throw new IllegalArgumentException("setting id not in 0.." + SpdyWire.MAX_SETTING_ID + ": " + id);
        }
        settings.put(id, new Setting(value, persistVal, persisted));
    }

    @Override
    public void removeValue(int id) {
        settings.remove(id);
    }

    @Override
    public boolean isPersistValue(int id) {
        Setting setting = settings.get(id);
        return setting != null && setting.persist;
    }

    @Override
    public void setPersistValue(int id, boolean persistValue) {
        settings.computeIfPresent(id, (key, old) -> new Setting(old.value, persistValue, old.persisted));
    }

    @Override
    public boolean isPersisted(int id) {
        Setting setting = settings.get(id);
        return setting != null && setting.persisted;
    }

    @Override
    public void setPersisted(int id, boolean persisted) {
        settings.computeIfPresent(id, (key, old) -> new Setting(old.value, old.persist, persisted));
    }

    @Override
    public boolean clearPreviouslyPersistedSettings() {
        return clear;
    }

    @Override
    public void setClearPreviouslyPersistedSettings(boolean clear) {
        this.clear = clear;
    }

    @Override
    public String toString() {
        FrameText text = FrameText.of(this);
        settings.forEach((id, s) ->
                text.line(id + ":" + s.value + " (persist value: " + s.persist + "; persisted: " + s.persisted + ")"));
        return text.toString();
    }
}
