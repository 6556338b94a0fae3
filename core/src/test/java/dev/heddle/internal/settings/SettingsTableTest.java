package dev.heddle.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.internal.settings.SettingsTable.Setting;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The table lists the settings that are read, and the page shows the table.
class SettingsTableTest {

    private static final Path PAGE = Path.of("..", "docs", "settings.md");

    @Test
    void thePageShowsTheTable() throws IOException {
        assertThat(Files.readString(PAGE))
                .as("to write it again, at the project's root: java -cp core/target/classes"
                        + " dev.heddle.internal.settings.SettingsTable > docs/settings.md")
                .isEqualTo(SettingsTable.page());
    }

    @Test
    void everyPropertyHasARow() throws IllegalAccessException {
        List<String> properties = new ArrayList<>();
        for (Field field : Settings.class.getFields()) {
            if (field.getType() == String.class) {
                properties.add((String) field.get(null));
            }
        }

        assertThat(SettingsTable.all().stream().map(Setting::property))
                .contains("heddle.procs", "jdk.pollerMode")
                .containsExactlyInAnyOrderElementsOf(properties);
    }

    @Test
    void everyKeyOfTheDebugVariableHasARow() {
        assertThat(SettingsTable.all().stream()
                        .filter(it -> it.environment().startsWith("HEDDLE_DEBUG="))
                        .map(Setting::name))
                .containsExactlyElementsOf(Arrays.asList(Settings.debugKeys()));
    }
}
