package dev.heddle.bench.kotlin

import dev.heddle.bench.peer.Idiom
import dev.heddle.bench.peer.Job
import dev.heddle.bench.peer.Program
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runBlocking

/** Coroutines and channels of kotlinx.coroutines, on its default dispatcher. */
class KotlinIdiom : Idiom {

    override fun run(program: Program, job: Job) = program.run(job)

    override fun programs(): Map<String, Program> = mapOf(
        "spawn" to coroutine { spawn(it) },
        "fib" to coroutine { fib(it) },
        "skynet" to coroutine { skynet(it) },
        "pingpong" to coroutine { pingPong(it) },
        "buffered" to coroutine { buffered(it) },
        "ring" to coroutine { ring(it) },
        "sieve" to coroutine { sieve(it) },
        "select" to coroutine { selectOfFour(it) },
        "fanout" to coroutine { fanOut(it) },
        "yield" to coroutine { yieldAgainAndAgain(it) },
        "lock" to coroutine { lock(it) },
        "sleepers" to coroutine { sleepers(it) },
        "memory" to coroutine { memory(it) },
        "hogs" to coroutine { hogs(it) },
    )

    private fun coroutine(body: suspend CoroutineScope.(Job) -> Unit) =
        Program { job -> runBlocking(Dispatchers.Default) { body(job) } }
}
