package dev.heddle.internal.procs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CpuSetTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|0|1",
                "0-3|0-3|4",
                "0-3,7|0-3,7|5",
                "7,0-3|0-3,7|5",
                "0,1,2|0-2|3",
                "1-1|1|1",
                "0-3,2-5|0-5|6",
                "63-64|63-64|2",
                "65535|65535|1",
                "007|7|1"
            })
    void readsAndWritesListsAsTheKernelDoes(String list, String written, int size) {
        CpuSet set = CpuSet.parse(list);

        assertThat(set).hasToString(written).isEqualTo(CpuSet.parse(written));
        assertThat(set.size()).isEqualTo(size);
        assertThat(CpuSet.of(set.toArray())).isEqualTo(set).hasSameHashCodeAs(set);
    }

    @Test
    void theEmptyTextIsTheEmptySet() {
        assertThat(CpuSet.parse("")).isEqualTo(CpuSet.of()).hasToString("");
        assertThat(CpuSet.parse("").isEmpty()).isTrue();
        assertThat(CpuSet.of(0).isEmpty()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                ",|\"\" is neither a number nor a range",
                "0,|\"\" is neither a number nor a range",
                "0,,1|\"\" is neither a number nor a range",
                "-|\"-\" is neither a number nor a range",
                "0-|\"0-\" is neither a number nor a range",
                "-3|\"-3\" is neither a number nor a range",
                "0-1-2|\"0-1-2\" is neither a number nor a range",
                "0- 3|\"0- 3\" is neither a number nor a range",
                " 0|\" 0\" is neither a number nor a range",
                "0-7:2|\"0-7:2\" is neither a number nor a range",
                "all|\"all\" is neither a number nor a range",
                "+1|\"+1\" is neither a number nor a range",
                "\u0661|\"\u0661\" is neither a number nor a range",
                "3-0|the range 3-0 runs backwards",
                "65536|CPU 65536 is above 65535",
                "0-99999999|CPU 99999999 is above 65535",
                "99999999999999999999|\"99999999999999999999\" is neither a number nor a range",
            })
    void refusesAnythingElseWithOneSentence(String list, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CpuSet.parse(list))
                .withMessage("\"" + list + "\" is not a list of CPUs such as 0-3,7: " + why);
    }

    @Test
    void agreesWithAnOrdinarySet() {
        Random random = new Random(42);
        for (int round = 0; round < 200; round++) {
            BitSet model = new BitSet();
            random.ints(random.nextInt(40), 0, 200).forEach(model::set);
            BitSet other = new BitSet();
            random.ints(random.nextInt(40), 0, 200).forEach(other::set);
            CpuSet set = CpuSet.of(model.stream().toArray());

            assertThat(set.toArray()).isEqualTo(model.stream().toArray());
            assertThat(set.toMask()).isEqualTo(model.toLongArray());
            assertThat(CpuSet.parse(set.toString())).isEqualTo(set);
            for (int cpu = 0; cpu < 260; cpu++) {
                assertThat(set.contains(cpu)).isEqualTo(model.get(cpu));
                assertThat(set.next(cpu)).isEqualTo(model.nextSetBit(cpu));
            }
            BitSet rest = (BitSet) model.clone();
            rest.andNot(other);
            assertThat(set.minus(CpuSet.of(other.stream().toArray())).toArray())
                    .isEqualTo(rest.stream().toArray());
        }
    }

    @Test
    void hasNoNegativeCpus() {
        assertThat(CpuSet.of(0).contains(-1)).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CpuSet.of(-1))
                .withMessage("CPU -1 is not between 0 and 65535");
    }
}
