package dev.heddle.internal.procs;

import dev.heddle.internal.settings.Settings;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The user's settings for processors.
///
/// | setting | meaning | bad value |
/// |---|---|---|
/// | `-Dheddle.procs=4` | that many; wins over `GOMAXPROCS` | refused: the program does not start |
/// | environment `GOMAXPROCS=4` | that many | ignored with one line: it may be meant for Go programs beside
/// this one |
/// | `-Dheddle.pin=0-3` or `auto` | pin processors to these CPUs, or to all that may be used | refused |
/// | `-Dheddle.containermaxprocs=0` | ignore cgroup quotas (Go's GODEBUG setting of that name) |
/// refused |
/// | `-Dheddle.updatemaxprocs=0` | decide once, at the start (likewise) | refused |
///
/// @param procs the number asked for, or 0 to decide by CPUs and quota
/// @param origin the setting or call that gave the number, such as `GOMAXPROCS=4`; empty if there was none
/// @param pin the CPUs to pin processors to, or null for no list
/// @param pinAuto whether to pin processors to all CPUs that may be used
/// @param followsQuota whether cgroup quotas count
/// @param updates whether the number, if it was not asked for, follows later changes of CPUs and quota
/// @param complaint one line about a value that was ignored, for the user to see, or null
public record ProcsSettings(
        int procs,
        String origin,
        @Nullable CpuSet pin,
        boolean pinAuto,
        boolean followsQuota,
        boolean updates,
        @Nullable String complaint) {

    /// The most processors that can be asked for: the kernel numbers them in 16 bits.
    public static final int MAX_PROCS = 65_535;

    /// Nothing asked for.
    public static final ProcsSettings NONE = new ProcsSettings(0, "", null, false, true, true, null);

    public ProcsSettings {
        if (procs < 0 || procs > MAX_PROCS) {
            throw new IllegalArgumentException("procs " + procs + " is not between 0 and " + MAX_PROCS);
        }
        if (pin != null && pin.isEmpty()) {
            throw new IllegalArgumentException("the list of CPUs to pin to is empty");
        }
    }

    /// The settings of this JVM.
    ///
    /// @throws IllegalArgumentException with one sentence for the user, if a value is refused
    public static ProcsSettings ofThisProcess() {
        return with(Map.of());
    }

    /// The settings that this JVM would have with these properties in place of its own.
    ///
    /// @throws IllegalArgumentException with one sentence for the user, if a value is refused
    public static ProcsSettings with(Map<String, String> properties) {
        return parse(
                Settings.procsVariable(),
                text(properties, Settings.PROCS),
                text(properties, Settings.PIN),
                text(properties, Settings.CONTAINER_MAX_PROCS),
                text(properties, Settings.UPDATE_MAX_PROCS));
    }

    private static @Nullable String text(Map<String, String> properties, String name) {
        String given = properties.get(name);
        return given != null ? given : Settings.text(name);
    }

    /// The settings in these texts, each null where it is not set; an empty text counts as not set.
    ///
    /// @throws IllegalArgumentException with one sentence for the user, if a value is refused
    static ProcsSettings parse(
            @Nullable String gomaxprocs,
            @Nullable String procsProperty,
            @Nullable String pinProperty,
            @Nullable String containerProperty,
            @Nullable String updateProperty) {
        int procs = 0;
        String origin = "";
        String complaint = null;
        if (gomaxprocs != null && !gomaxprocs.isEmpty()) {
            procs = number(gomaxprocs);
            origin = "GOMAXPROCS=".concat(gomaxprocs);
            if (procs == 0) {
                complaint = origin + " is ignored: it is not a number from 1 to " + MAX_PROCS;
                origin = "";
            }
        }
        if (procsProperty != null && !procsProperty.isEmpty()) {
            procs = number(procsProperty);
            origin = "-Dheddle.procs=".concat(procsProperty);
            if (procs == 0) {
                throw new IllegalArgumentException(origin + " is refused: it is not a number from 1 to " + MAX_PROCS);
            }
        }
        boolean pinAuto = "auto".equals(pinProperty);
        CpuSet pin = pinAuto || pinProperty == null || pinProperty.isEmpty() ? null : pin(pinProperty);
        boolean followsQuota = flag(Settings.CONTAINER_MAX_PROCS, containerProperty);
        boolean updates = flag(Settings.UPDATE_MAX_PROCS, updateProperty);
        return new ProcsSettings(procs, origin, pin, pinAuto, followsQuota, updates, complaint);
    }

    private static int number(String text) {
        long number = Decimal.parse(text.strip());
        return number <= MAX_PROCS ? (int) Math.max(0, number) : 0;
    }

    private static CpuSet pin(String list) {
        try {
            return CpuSet.parse(list);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("-Dheddle.pin is refused: " + e.getMessage() + " (or auto)", e);
        }
    }

    private static boolean flag(String name, @Nullable String value) {
        if (value == null || value.isEmpty() || value.equals("1")) {
            return true;
        }
        if (value.equals("0")) {
            return false;
        }
        throw new IllegalArgumentException("-D" + name + "=" + value + " is refused: it is neither 0 nor 1");
    }

    /// These settings with an explicit number, as a call of `Go.gomaxprocs(n)` makes them.
    public ProcsSettings withProcs(int number, String by) {
        if (number < 1) {
            throw new IllegalArgumentException("procs " + number + " is below 1");
        }
        return new ProcsSettings(number, by, pin, pinAuto, followsQuota, updates, null);
    }

    /// These settings without a number asked for.
    /// Go: SetDefaultGOMAXPROCS, which ignores the environment too.
    public ProcsSettings withDefaultProcs() {
        return new ProcsSettings(0, "", pin, pinAuto, followsQuota, updates, null);
    }

    /// Whether the number was asked for explicitly, so that changes of CPUs or quota do not affect it.
    public boolean isExplicit() {
        return procs > 0;
    }
}
