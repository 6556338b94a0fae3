package dev.heddle.bench.kotlin

import dev.heddle.bench.peer.Job
import dev.heddle.bench.peer.Lateness
import dev.heddle.bench.peer.Proc
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.yield

/** Coroutines that let each other go first. */
internal suspend fun yieldAgainAndAgain(job: Job) = coroutineScope {
    repeat(job.width()) {
        launch {
            repeat(job.size() / job.width()) { yield() }
        }
    }
}

/** Coroutines that count under one mutex. */
internal suspend fun lock(job: Job) {
    val mutex = Mutex()
    val each = job.size() / job.width()
    var counter = 0
    coroutineScope {
        repeat(job.width()) {
            launch {
                repeat(each) { mutex.withLock { counter++ } }
            }
        }
    }
    job.check(each.toLong() * job.width(), counter.toLong())
}

/** Many coroutines that sleep for a moment, and that is all. */
internal suspend fun sleepers(job: Job) = coroutineScope {
    repeat(job.size()) {
        launch { delay(job.width().toLong()) }
    }
}

/** How much memory a coroutine needs that waits. */
internal suspend fun memory(job: Job) = coroutineScope {
    val before = Proc.residentBytes()
    val gate = CompletableDeferred<Unit>()
    val arrived = AtomicInteger()
    repeat(job.size()) {
        launch {
            arrived.incrementAndGet()
            gate.await()
        }
    }
    while (arrived.get() < job.size()) delay(1)
    job.figure("bytes", (Proc.residentBytes() - before).toDouble() / job.size())
    gate.complete(Unit)
}

/** A coroutine that sleeps again and again among others that compute without a pause. */
internal suspend fun hogs(job: Job) {
    val lateness = Lateness(job)
    coroutineScope {
        launch {
            do {
                val due = lateness.due()
                delay(1)
            } while (lateness.woke(due))
        }
        repeat(lateness.hogs()) {
            launch { lateness.hog() }
        }
    }
    lateness.report()
}
