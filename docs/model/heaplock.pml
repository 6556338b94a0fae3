/*
 * Timer callbacks and the lock of the timer heap (N7b, N17). Machine 0 runs a late timer whose callback takes a
 * thread's monitor; machine 1 arms a timer while it holds that monitor (afterYield of a timed Object.wait).
 * No deadlock: pan's check for invalid end states.
 *
 * Mutant: CALLBACK_UNDER_LOCK  callbacks run while the heap's lock is held, and arming a timer takes that lock.
 */
bit heap, monitor;                               /* the two locks */
bit due = 1, inbox;

active proctype Machine0() {                     /* DueTimers.run */
  bit fire;
  atomic { !heap -> heap = 1 };                  /* the try-lock succeeds */
  due = 0; fire = 1;
#ifndef CALLBACK_UNDER_LOCK
  heap = 0;
#endif
  atomic { !monitor -> monitor = 1 };            /* the callback: waitTimeoutExpired */
  monitor = 0;
#ifdef CALLBACK_UNDER_LOCK
  heap = 0;
#endif
  fire = 0
}

active proctype Machine1() {                     /* afterYield, holding the monitor */
  atomic { !monitor -> monitor = 1 };
#ifdef CALLBACK_UNDER_LOCK
  atomic { !heap -> heap = 1 };                  /* schedule() into the heap */
  inbox = 1;
  heap = 0;
#else
  inbox = 1;                                     /* schedule() pushes onto the lock-free inbox */
#endif
  monitor = 0
}
