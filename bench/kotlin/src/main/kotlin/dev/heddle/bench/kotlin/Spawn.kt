package dev.heddle.bench.kotlin

import dev.heddle.bench.peer.Job
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.async
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.SendChannel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch

/** Starts so many coroutines that do nothing, and waits for all. */
internal suspend fun spawn(job: Job) = coroutineScope {
    repeat(job.size()) { launch { } }
}

/** Fork and join: fib(n), with a coroutine for every call. */
internal suspend fun fib(job: Job) = job.check(job.width().toLong(), fib(job.size()).toLong())

private suspend fun fib(n: Int): Int {
    if (n < 2) return n
    return coroutineScope {
        val one = async { fib(n - 1) }
        val two = async { fib(n - 2) }
        one.await() + two.await()
    }
}

/** A tree of coroutines with ten children each; every leaf sends its number, every node the sum of its children. */
internal suspend fun CoroutineScope.skynet(job: Job) {
    val result = Channel<Long>()
    launch { node(0, job.size(), result) }
    job.check(job.size().toLong() * (job.size() - 1) / 2, result.receive())
}

private suspend fun CoroutineScope.node(number: Long, leaves: Int, parent: SendChannel<Long>) {
    if (leaves == 1) {
        parent.send(number)
        return
    }
    val children = Channel<Long>()
    val share = leaves / 10
    repeat(10) { i -> launch { node(number + i.toLong() * share, share, children) } }
    var sum = 0L
    repeat(10) { sum += children.receive() }
    parent.send(sum)
}
