package dev.heddle.bench.kotlin

import dev.heddle.bench.peer.Job
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.ReceiveChannel
import kotlinx.coroutines.launch
import kotlinx.coroutines.selects.select

/** Two coroutines send a number to and fro over two rendezvous channels; each adds one. */
internal suspend fun CoroutineScope.pingPong(job: Job) {
    val ping = Channel<Int>()
    val pong = Channel<Int>()
    launch {
        for (value in ping) pong.send(value + 1)
    }
    var value = 0
    repeat(job.size()) {
        ping.send(value + 1)
        value = pong.receive()
    }
    ping.close()
    job.check(2L * job.size(), value.toLong())
}

/** A producer and a consumer with a buffer between them. */
internal suspend fun CoroutineScope.buffered(job: Job) {
    val values = Channel<Int>(job.width())
    launch {
        for (i in 1..job.size()) values.send(i)
        values.close()
    }
    var sum = 0L
    for (value in values) sum += value
    job.check(job.size().toLong() * (job.size() + 1) / 2, sum)
}

/** A number goes round a ring of coroutines; each adds one and passes it on. */
internal suspend fun CoroutineScope.ring(job: Job) {
    val laps = job.size() / job.width()
    val first = Channel<Int>()
    var last = first
    repeat(job.width()) { last = node(last) }
    var value = 0
    repeat(laps) {
        first.send(value)
        value = last.receive()
    }
    first.close()
    job.check(laps.toLong() * job.width(), value.toLong())
}

private fun CoroutineScope.node(source: ReceiveChannel<Int>): Channel<Int> {
    val out = Channel<Int>()
    launch {
        for (value in source) out.send(value + 1)
        out.close()
    }
    return out
}

/** The prime sieve: a chain of filters, one coroutine for each prime, with rendezvous channels between them. */
internal suspend fun CoroutineScope.sieve(job: Job) {
    var numbers = numbers(2..job.width())
    var prime = 0
    repeat(job.size()) {
        prime = numbers.receive()
        numbers = without(prime, numbers)
    }
    job.check(job.width().toLong(), prime.toLong()) // the last number is the last prime
}

private fun CoroutineScope.without(prime: Int, source: ReceiveChannel<Int>): Channel<Int> {
    val out = Channel<Int>()
    launch {
        for (value in source) if (value % prime != 0) out.send(value)
        out.close()
    }
    return out
}

private fun CoroutineScope.numbers(range: IntRange): Channel<Int> {
    val out = Channel<Int>()
    launch {
        for (i in range) out.send(i)
        out.close()
    }
    return out
}

/** One coroutine receives from four rendezvous channels, whichever is ready; four others send. */
internal suspend fun CoroutineScope.selectOfFour(job: Job) {
    val each = job.size() / 4
    val a = endless(each)
    val b = endless(each)
    val c = endless(each)
    val d = endless(each)
    var sum = 0L
    repeat(4 * each) {
        sum += select<Int> {
            a.onReceive { it }
            b.onReceive { it }
            c.onReceive { it }
            d.onReceive { it }
        }
    }
    job.check(4L * each * (each + 1) / 2, sum)
}

/** Not closed at its end: a select would find that ready again and again. */
private fun CoroutineScope.endless(last: Int): Channel<Int> {
    val out = Channel<Int>()
    launch {
        for (i in 1..last) out.send(i)
    }
    return out
}

private const val WORKERS = 100

/** One coroutine gives numbers to a hundred workers over one channel, another collects their squares from a second. */
internal suspend fun CoroutineScope.fanOut(job: Job) {
    val jobs = Channel<Int>(job.width())
    val results = Channel<Long>(job.width())
    repeat(WORKERS) {
        launch {
            for (value in jobs) results.send(value.toLong() * value)
        }
    }
    launch {
        for (i in 1..job.size()) jobs.send(i)
        jobs.close()
    }
    var sum = 0L
    repeat(job.size()) { sum += results.receive() }
    val n = job.size().toLong()
    job.check(n * (n + 1) / 2 * (2 * n + 1) / 3, sum)
}
