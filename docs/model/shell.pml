/*
 * A shell between two goroutines (N16): an entry of the queue is always where a thief can find it, or runs.
 * The queue of processor 0 holds a parked thread. The shell's goroutine has ended; its machine leaves the shell
 * through user code (afterDone), where the system monitor may take the processor and the machine may be held up for
 * ever. Then another machine must be able to run the entry.
 *
 * Mutant: STASH  the shell takes the entry to inspect it, and keeps it on the machine when it is not a fresh goroutine.
 */
mtype = { KERNEL, USER, LOST };
mtype word = KERNEL;
bit queue = 1;                                   /* the parked thread's entry, on processor 0 */
bit stash, ran, held, handedOff, done;

active proctype Machine0() {
  /* FindRunnable.nextFresh, in the kernel: peek, and take only a fresh goroutine */
#ifdef STASH
  atomic { if :: queue -> queue = 0; stash = 1 :: else fi };
#endif
  word = USER;                                   /* the shell ends: the JDK's code after the goroutine */
  if
  :: held = 1; goto endheld                      /* descheduled, or blocked on interruptLock, for ever */
  :: true
  fi;
  atomic {
    if
    :: word == USER -> word = KERNEL
    :: else -> goto lost
    fi
  };
  atomic {                                       /* FindRunnable.find */
    if
    :: stash -> stash = 0; ran = 1
    :: !stash && queue -> queue = 0; ran = 1
    :: else
    fi
  };
lost:
  atomic { if :: stash -> stash = 0; ran = 1 :: else fi };   /* it would queue it globally */
  done = 1; goto over;
endheld:
  false;
over:
  skip
}

active proctype Monitor() {
  if
  :: atomic { word == USER -> word = LOST; handedOff = 1 }
  :: done
  fi
}

active proctype Machine1() {                     /* gets the processor by Machines.handOff */
  if
  :: handedOff ->
     atomic { if :: queue -> queue = 0; ran = 1 :: else fi };
     (held || done);
     assert(ran)                                 /* else: no thief can find it, and machine 0 may not come back */
  :: done && !handedOff -> assert(ran)
  fi
}
