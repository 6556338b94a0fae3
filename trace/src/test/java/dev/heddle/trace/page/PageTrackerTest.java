package dev.heddle.trace.page;

import static dev.heddle.internal.trace.EventKind.*;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What the page is told about events of a recording.
final class PageTrackerTest {

    private static final int NONE = -1;

    private static List<String> events(Scene scene) throws IOException {
        return new Unpacked(scene.data("test", 2)).events;
    }

    /// Machine 0 has processor 0 and runs goroutine 1 in thread 30.
    private static Scene running() {
        return new Scene()
                .add(0, CHUNK, 0, 0, 0)
                .add(0, GO_CREATE, "test.Main", "", 1, 0)
                .add(0, GO_START_FRESH, "test.Main", "", 1, 30, 0);
    }

    @Test
    void anEventNamesTheProcessorTheGoroutineAndItsCreatorAndWaker() throws IOException {
        Scene scene = running()
                .add(0, GO_CREATE, "test.Worker", "", 2, 0)
                .add(0, GO_PARK, "", "", 0)
                .add(0, GO_START_FRESH, "", "", 2, 31, 0)
                .add(0, GO_READY, 30, 1)
                .add(0, GO_END);
        assertThat(events(scene))
                .containsExactly(
                        "0 pstart p0 m0 g0 0 0",
                        "2000 create p0 m0 g1 0 0",
                        "3000 start p0 m0 g1 0 0",
                        "4000 create p0 m0 g2 1 0",
                        "5000 park p0 m0 g1 0 0",
                        "6000 start p0 m0 g2 0 0",
                        "7000 ready p0 m0 g1 2 1",
                        "8000 end p0 m0 g2 0 0");
    }

    @Test
    void whatWasThereBeforeStandsAtTheBeginning() throws IOException {
        Scene scene = new Scene()
                .add(0, CHUNK, 0, 40, 0)
                .add(0, GO_READY, 41, 1)
                .add(0, GO_PARK, "", "", 6)
                .add(0, GO_START, 42, 1);
        assertThat(events(scene))
                .containsExactlyInAnyOrder(
                        "0 pstart p0 m0 g0 0 0",
                        "0 running p0 m0 g1 0 0",
                        "0 waiting p-1 m-1 g2 0 0",
                        "2000 ready p0 m0 g2 1 1",
                        "3000 park p0 m0 g1 1 0",
                        "0 runnable p-1 m-1 g3 0 0",
                        "4000 start p0 m0 g3 1 0");
    }

    @Test
    void earlierEventsOnlySayWhatThePageBeginsWith() throws IOException {
        Scene scene = running().add(0, GO_CREATE, "", "", 2, 0);
        long from = scene.now();
        scene.add(0, GO_END);
        PageData data =
                scene.data(new PageData.Builder().scheduler(0, "default", 2).from(from), "test");
        assertThat(new Unpacked(data).events)
                .containsExactly("0 pstart p0 m0 g0 0 0", "0 running p0 m0 g1 0 0", "0 end p0 m0 g1 0 0");
    }

    @Test
    void aStartThatRanNothingIsTakenBack() throws IOException {
        Scene scene = running()
                .add(0, GO_PARK, "", "", 0)
                .add(0, GO_START, 30, 1)
                .add(0, GO_VOID)
                .add(0, GO_READY, 30, 1);
        assertThat(events(scene)).contains("5000 empty p0 m0 g1 1 0", "7000 ready p0 m0 g1 0 1");
        assertThat(new Unpacked(scene.data("test", 2)).goroutines).containsExactly("G1 Main");
    }

    @Test
    void theReasonForAHandOffGoesToTheTake() throws IOException {
        Scene scene = running()
                .add(NONE, P_TAKEN, 0, 0)
                .add(NONE, HAND_OFF, 0, 0, 2, 12_000_000)
                .add(1, P_START, 0)
                .add(0, P_LOST, 0)
                .add(0, GO_PARK, "java.util.concurrent.locks.ReentrantLock", "", 16);
        Unpacked page = new Unpacked(scene.data("test", 2));
        assertThat(page.events)
                .endsWith(
                        "4000 taken p0 m0 g1 2 0",
                        "5000 monitor p0 m0 g1 1 12000",
                        "6000 pstart p0 m1 g0 0 0",
                        "8000 park p-1 m0 g1 0 0");
        assertThat(page.head.get("reasons")).isEqualTo(List.of("park · ReentrantLock"));
    }

    @Test
    void aLossThatTheMachineNoticesFirstCountsOnce() throws IOException {
        Scene scene = running().add(0, P_LOST, 0).add(NONE, P_TAKEN, 0, 0).add(NONE, HAND_OFF, 0, 0, 1, 20_000);
        assertThat(events(scene)).endsWith("4000 taken p0 m0 g1 1 0", "6000 monitor p0 m0 g1 2 20");
    }

    @Test
    void aMachineWithoutAProcessorGetsOneAgain() throws IOException {
        Scene scene = running()
                .add(0, GIVE_AWAY, 0)
                .add(0, P_STOP, 0)
                .add(0, P_START, 1)
                .add(0, GO_YIELD, 1);
        assertThat(events(scene))
                .endsWith("5000 taken p0 m0 g1 4 0", "6000 regain p1 m0 g1 0 0", "7000 yield p1 m0 g1 1 3");
    }

    @Test
    void stealsAndSpillsSayHowMany() throws IOException {
        Scene scene = running()
                .add(0, SPILL, 129)
                .add(1, P_START, 1)
                .add(1, STEAL, 0, 5, 1)
                .add(1, GLOBAL_TAKE, 3)
                .add(0, GLOBAL_TAKE, 4);
        assertThat(events(scene))
                .endsWith(
                        "4000 spill p0 m0 g0 0 129",
                        "5000 pstart p1 m1 g0 0 0",
                        "6000 steal p1 m1 g1 0 5",
                        "7000 global p1 m1 g0 0 3",
                        "8000 global p0 m0 g1 0 4");
    }

    @Test
    void aRequestForAMachineIsForTheNextThatBegins() throws IOException {
        Scene scene =
                running().add(0, M_WAKE, NONE).add(0, M_WAKE, 3).add(1, M_BEGIN).add(1, P_START, 1);
        assertThat(events(scene))
                .endsWith(
                        "4000 wake p1 m2 g0 0 0",
                        "5000 wake p-1 m1 g0 0 0",
                        "6000 begin p-1 m2 g0 0 0",
                        "7000 pstart p1 m2 g0 0 0");
    }

    @Test
    void aPauseOfTheCollectorStandsWhereItWas() throws IOException {
        Scene scene = running().pause(1_000_000).add(NONE, GC, "G1 Young", "", 500_000, 200_000);
        assertThat(events(scene)).contains("504000 gc p-1 m-1 g0 0 0", "704000 gcend p-1 m-1 g0 0 0");
    }

    @Test
    void aGapIsToldAndWhatFollowsIsShown() throws IOException {
        Scene scene = running().add(0, CHUNK, 1, 50, 77).add(0, GO_END);
        assertThat(events(scene))
                .endsWith(
                        "4000 lost p0 m0 g1 77 0",
                        "4000 pstop p0 m0 g0 0 0",
                        "4000 pstart p1 m0 g0 0 0",
                        "4000 start p1 m0 g2 0 0",
                        "5000 end p1 m0 g2 0 0");
    }

    @Test
    void severalSchedulersKeepTheirProcessorsTogether() throws IOException {
        Scene scene = new Scene()
                .add(3, 0, P_START, "", "", 0)
                .add(0, 0, P_START, "", "", 0)
                .add(3, 0, PROCS, "", "", 2)
                .add(3, 1, P_START, "", "", 1);
        PageData.Builder builder =
                new PageData.Builder().scheduler(0, "default", 1).scheduler(3, "batch", 1);
        Unpacked page = new Unpacked(scene.data(builder, "test"));
        assertThat(page.head.get("schedulers")).isEqualTo(List.of("batch", "default"));
        assertThat(page.head.get("ps")).hasToString("[[0, 0], [0, 1], [1, 0]]");
        assertThat(page.events)
                .containsExactly(
                        "1000 pstart p0 m0 g0 0 0",
                        "2000 pstart p2 m1 g0 0 0",
                        "3000 procs p0 m0 g0 2 0",
                        "4000 pstart p1 m2 g0 0 0");
    }

    @Test
    void bodiesHaveShortNamesThatStayDifferent() {
        assertThat(BodyNames.shortened(List.of(
                        "com.shop.Order",
                        "com.shop.Main$$Lambda/0x07a1",
                        "com.shop.Main$$Lambda/0x07b2",
                        "a.Task",
                        "b.Task",
                        "http-1.2 worker")))
                .containsExactly("Order", "Main λ1", "Main λ2", "a.Task", "b.Task", "http-1.2 worker");
    }
}
