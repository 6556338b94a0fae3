package dev.heddle.internal.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

/// What people read when this JVM is not one that Heddle can work with.
class AccessTest {

    @Test
    void nothingStandsInTheWayHere() {
        assertThat(Access.problem()).isNull();
        Access.require();
    }

    @Test
    void aFieldThatThisJdkDoesNotHaveIsNamed() throws NoSuchMethodException {
        Method offset = Jdk.class.getDeclaredMethod("offset", Class.class, String.class);
        offset.setAccessible(true);
        assertThatThrownBy(() -> offset.invoke(null, Thread.class, "noSuchField"))
                .cause()
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("Heddle does not know this JDK (" + Runtime.version()
                        + "): it has no java.lang.Thread.noSuchField as JDK 25 has; use JDK 25.");
    }

    @Test
    void aClassThatThisJdkDoesNotHaveIsNamed() throws NoSuchMethodException {
        Method classNamed = Jdk.class.getDeclaredMethod("classNamed", String.class);
        classNamed.setAccessible(true);
        assertThatThrownBy(() -> classNamed.invoke(null, "java.lang.NoSuchThing"))
                .cause()
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("it has no java.lang.NoSuchThing as JDK 25 has");
    }
}
