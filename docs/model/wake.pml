/*
 * Submit, wake, spin, nap, park: no interleaving leaves runnable work that no machine will run.
 * README.md says what is proved, what is abstracted, and which Java method each step is.
 *
 * Scenario, set by the runner:
 *   -DNM=n       machines, 2 or 3                  -DNP=n       processors, 2 or 3
 *   -DRUNNING=n  machines 0..n-1 start in user code on processors 0..n-1, the others are parked
 *   -DBORN=n     machines n..NM-1 do not exist yet; the starter may make them, or fail for ever
 *   -DSUBMITS=n  submissions by goroutines         -DINJECTS=n  submissions by platform threads
 *   -DTAKES=n    processors taken away by a monitor
 *   -DTHEFTS=n   times that a machine which has work takes over threads that wait for their turn elsewhere
 *   -DYIELDS=n   yields by goroutines
 *   -DNAPS=0     without naps
 * Mutants are the other names after #if(n)def; each must make pan report an error.
 */
#ifndef NM
#define NM 2
#endif
#ifndef NP
#define NP 2
#endif
#ifndef RUNNING
#define RUNNING 1
#endif
#ifndef BORN
#define BORN NM
#endif
#ifndef SUBMITS
#define SUBMITS 1
#endif
#ifndef INJECTS
#define INJECTS 0
#endif
#ifndef TAKES
#define TAKES 0
#endif
#ifndef THEFTS
#define THEFTS 0
#endif
#ifndef YIELDS
#define YIELDS 0
#endif
#ifndef NAPS
#define NAPS 1
#endif

#define NO 7                                     /* no processor, no machine */

mtype = { NONE, KERNEL, USER, NAP, LOST };       /* the state of the ownership word (N0) */
mtype = { AWAKE, PARKED, NAPPING, HOG, UNBORN }; /* where a machine is: for the property, the protocol never reads it */

/* The ownership words. A taker's CAS compares state and pid; the sequence number is in ownership.pml. */
mtype state[NM] = NONE;
byte  held[NM] = NO;

byte ring[NP];                                   /* entries that other cores can see */
bit  runnext[NP];
byte yielded[NP];                                /* Processor.yielded: threads that yielded here, visible like a ring */
byte global;                                     /* scheduler lock */
bit  idleP[NP], idleM[NM];                       /* scheduler lock; idleProcessors is read without it */
bit  pending[NP], pendingToken[NP];              /* scheduler lock: processors that wait for a machine */
bit  grantToken[NM];                             /* the grant to this machine comes with the spinning token */
byte spinning;
bit  need;                                       /* needSpinning */
byte napper = NO;
bit  permit[NM];                                 /* of park and unpark */
bit  locked;                                     /* the scheduler lock, where a section has two steps others can see */

/* Store buffers (N1): what a release store wrote and other cores cannot see yet. A locked instruction drains them. */
byte tailBuffer[NM];
bit  napBuffer;

mtype at[NM] = AWAKE;
byte submitsLeft = SUBMITS, theftsLeft = THEFTS;
byte yieldsLeft = YIELDS;
bit  outsiderBusy, monitorBusy;

#if NP == 2
#define idleCount (idleP[0] + idleP[1])
#define queued    (global > 0 || ring[0] > 0 || ring[1] > 0)
#define lonely    (runnext[0] || runnext[1] || yielded[0] > 0 || yielded[1] > 0)
#define somePending (pending[0] || pending[1])
#else
#define idleCount (idleP[0] + idleP[1] + idleP[2])
#define queued    (global > 0 || ring[0] > 0 || ring[1] > 0 || ring[2] > 0)
#define lonely    (runnext[0] || runnext[1] || runnext[2] || yielded[0] > 0 || yielded[1] > 0 || yielded[2] > 0)
#define somePending (pending[0] || pending[1] || pending[2])
#endif
#if NM == 2
#define someIdleM (idleM[0] || idleM[1])
#else
#define someIdleM (idleM[0] || idleM[1] || idleM[2])
#endif
#define drain(m)  ring[held[m]] = ring[held[m]] + tailBuffer[m]; tailBuffer[m] = 0

/* ---- pieces; `atomic` ones are inside a section of the scheduler lock ---- */

inline popIdle(p) {                              /* atomic */
  if
  :: idleP[0] -> idleP[0] = 0; p = 0
  :: idleP[1] -> idleP[1] = 0; p = 1
#if NP > 2
  :: idleP[2] -> idleP[2] = 0; p = 2
#endif
  :: else -> p = NO
  fi
}

inline grant(m, p, token) {                      /* atomic. The machine is off the idle list; NONE -> NAP(p) */
  assert(state[m] == NONE); idleM[m] = 0; grantToken[m] = token; held[m] = p; state[m] = NAP
}

inline assign(p, token, m) {                     /* atomic; m = the machine to unpark after the unlock */
  if
  :: idleM[0] -> grant(0, p, token); m = 0
  :: idleM[1] -> grant(1, p, token); m = 1
#if NM > 2
  :: idleM[2] -> grant(2, p, token); m = 2
#endif
  :: else -> pending[p] = 1; pendingToken[p] = token; m = NO
  fi
}

inline wakeNapper() {
  atomic {
    if
    :: napper != NO && !napBuffer -> permit[napper] = 1; napper = NO
    :: else
    fi
  }
}

/* Machines.launch. If assign found no machine to unpark: a napper can come sooner than a new thread. */
inline unparkOr(m) {
  if
  :: atomic { m != NO -> permit[m] = 1; m = NO }
  :: m == NO ->
#ifdef START_LETS_NAP
     skip
#else
     wakeNapper()
#endif
  fi
}

inline startSpinner(p, m) {
  atomic {
    !locked -> popIdle(p);
    if
    :: p != NO -> need = 0; assign(p, 1, m)
    :: else -> locked = 1
    fi
  };
  if
  :: p != NO -> p = NO; unparkOr(m)
  :: p == NO ->
#ifdef NEED_BEFORE_TOKEN
     need = 1;
     atomic { assert(spinning > 0); spinning--; locked = 0 }
#else
     atomic { assert(spinning > 0); spinning-- };
#ifdef NEED_AFTER_UNLOCK
     locked = 0;
     need = 1
#else
     atomic { need = 1; locked = 0 }
#endif
#endif
  fi
}

/* SpinCoordinator.wakeProcessor, S2 to S5. */
inline wakeProcessor(lone, p, m) {
  if
  :: spinning > 0 ->                             /* S3 */
#ifndef NO_NAP_END
     if
     :: !lone -> wakeNapper()
     :: else
     fi
#else
     skip
#endif
  :: spinning == 0 ->
     if                                          /* S4 */
     :: idleCount > 0 -> go = 1
     :: idleCount == 0 ->
#ifndef NO_NEED
        need = 1;
        go = idleCount > 0
#else
        skip
#endif
     fi;
     if                                          /* S5: the token */
     :: atomic { go && spinning == 0 -> spinning = 1; drain(me) }
     :: go && spinning > 0 -> go = 0
     :: !go
     fi;
     if
     :: go -> go = 0; startSpinner(p, m)
     :: !go
     fi
  fi
}

/* Submitter.inject: a platform thread, or a machine without a processor (N3, N14). */
inline inject(p, m) {
  atomic {
    !locked -> global++; popIdle(p);
    if
    :: p != NO -> assign(p, 0, m)
    :: else
    fi
  };
  if
  :: p != NO -> p = NO; unparkOr(m)
  :: p == NO ->
#ifdef INJECT_LETS_NAP
     skip
#else
     wakeNapper()
#endif
  fi
}

proctype Machine(byte me) {
  byte p = NO, q = NO, m = NO;
  bit spin, lone, go;

  if
  :: at[me] == AWAKE -> p = held[me]; goto user
  :: at[me] == PARKED -> goto parked
  :: at[me] == UNBORN -> goto unborn
  fi;
unborn:
endunborn:                                       /* Starter: makes a machine, unless it fails for ever */
  atomic { somePending -> at[me] = AWAKE; goto stop };

  /* ---- FindRunnable.find: in KERNEL, with a processor ---- */
top:
#if THEFTS > 0
  if                                             /* FindRunnable.takeYielded: threads that wait for a turn elsewhere */
  :: atomic { theftsLeft > 0 && ring[(p + 1) % NP] > 1 -> theftsLeft--; ring[(p + 1) % NP] = ring[(p + 1) % NP] - 2 };
     ring[p]++;                                  /* one of the two; the other one runs */
#ifndef THEFT_WAKES_NOBODY
     wakeProcessor(0, q, m);
#endif
     goto execute
  :: true
  fi;
#endif
  atomic {                                       /* FindRunnable.findLocally: runNext, then the ring */
    drain(me);
    if
    :: runnext[p] -> runnext[p] = 0; goto execute
    :: !runnext[p] && ring[p] > 0 -> ring[p]--; goto execute
    :: else
    fi
  };
#if YIELDS > 0
  if                                             /* GlobalRunQueue.takeOver, when the yielded threads are many */
  :: atomic { yielded[p] > 0 && !locked -> q = yielded[p]; yielded[p] = 0; locked = 1 };
     atomic { global = global + q; q = NO; locked = 0 };
#ifndef MOVE_WAKES_NOBODY
     wakeProcessor(0, q, m);
#endif
     atomic {
       !locked ->
       if
       :: global > 0 -> global--; goto execute
       :: else
       fi
     }
  :: true
  fi;
#endif
  if                                             /* GlobalRunQueue.takeBatch: nothing there; first without the lock */
  :: global > 0
  :: global == 0 ->
     atomic {
       if
       :: yielded[p] > 0 -> yielded[p]--; goto execute
       :: else -> goto elsewhere
       fi
     }
  fi;
  atomic {                                       /* a share, or yielded threads, or both: all under the lock */
    !locked ->
    if
    :: global > 0 -> q = global / NP + 1; global = global - q
#if YIELDS > 0
    :: yielded[p] > 0 -> q = yielded[p]; yielded[p] = 0
    :: global > 0 && yielded[p] > 0 ->
       q = global / NP + 1; global = global - q; q = q + yielded[p]; yielded[p] = 0
#endif
    :: else -> goto elsewhere
    fi;
#ifndef BATCH_AFTER_UNLOCK
    locked = 1
#else
    skip
#endif
  };
  atomic { ring[p] = ring[p] + q - 1; lone = q == 1; q = NO; locked = 0 };   /* the first one runs here */
  if                                             /* FindRunnable.takeGlobalBatch: a napper scans without the lock */
#ifndef BATCH_LETS_NAP
  :: !lone -> wakeNapper()
#endif
  :: else -> lone = 0
  fi;
  goto execute;

elsewhere:
  if
  :: spin
  :: atomic { !spin && 2 * spinning < NP - idleCount -> spinning++; spin = 1 }; need = 0
  :: !spin && !(2 * spinning < NP - idleCount) -> goto idle
  fi;

  /* ---- Thief.steal; the last round takes a runNext whose owner has not switched ---- */
  atomic {
    q = (p + 1) % NP;
    if
    :: ring[q] > 0 -> ring[q]--; q = NO; goto execute
    :: ring[q] == 0 && runnext[q] -> runnext[q] = 0; q = NO; goto execute
    :: ring[q] == 0
    fi
  };
  atomic {                                       /* Thief.stealFrom: then threads that yielded there */
    if
    :: yielded[q] > 0 -> yielded[q]--; q = NO; goto execute
    :: else -> q = NO
    fi
  };
#if NP > 2
  atomic {
    q = (p + 2) % NP;
    if
    :: ring[q] > 0 -> ring[q]--; q = NO; goto execute
    :: ring[q] == 0 && runnext[q] -> runnext[q] = 0; q = NO; goto execute
    :: ring[q] == 0
    fi
  };
  atomic {                                       /* Thief.stealFrom: then threads that yielded there */
    if
    :: yielded[q] > 0 -> yielded[q]--; q = NO; goto execute
    :: else -> q = NO
    fi
  };
#endif

#if NAPS
  /* ---- nap, still counted as spinning (N13) ---- */
  if
  :: atomic {                                    /* announceNap */
       napper == NO -> napper = me;
#ifdef NAP_NO_FENCE
       napBuffer = 1
#else
       skip
#endif
     };
     state[me] = NAP;
#ifndef NO_SCAN_AFTER_NAP
     if
     :: global > 0 -> goto rise
     :: global == 0
     fi;
     if
     :: ring[(p + 1) % NP] > 0 -> goto rise
     :: ring[(p + 1) % NP] == 0
     fi;
#if YIELDS > 0
     if
     :: yielded[(p + 1) % NP] > 0 -> goto rise
     :: yielded[(p + 1) % NP] == 0
     fi;
#endif
#if NP > 2
     if
     :: ring[(p + 2) % NP] > 0 -> goto rise
     :: ring[(p + 2) % NP] == 0
     fi;
#if YIELDS > 0
     if
     :: yielded[(p + 2) % NP] > 0 -> goto rise
     :: yielded[(p + 2) % NP] == 0
     fi;
#endif
#endif
#endif
     atomic { napBuffer = 0; at[me] = NAPPING };
     atomic { permit[me] = 0; at[me] = AWAKE };  /* any time: unparked, or timed out. The property reads the permit */
rise:
     atomic {                                    /* withdrawNap */
       if
       :: napper == me -> napper = NO; napBuffer = 0
       :: else
       fi
     };
     atomic {                                    /* ProcessorOwner.exitNap */
       if
       :: state[me] == NAP -> state[me] = KERNEL; goto top
       :: else -> assert(state[me] == LOST); state[me] = NONE; held[me] = NO; p = NO; goto acquire
       fi
     }
  :: true                                        /* napped long enough, or another machine naps */
  fi;
#endif

idle:                                            /* SpinCoordinator.goIdle */
  atomic {                                       /* R2 */
    !locked ->
    if
    :: global > 0 -> goto top
#ifndef NO_NEED_CHECK
    :: global == 0 && !spin && need -> goto needed
#endif
    :: else
    fi;
    assert(ring[p] == 0 && !runnext[p] && yielded[p] == 0);
    idleP[p] = 1; p = NO; held[me] = NO; state[me] = NONE
  };
  if
  :: atomic { spin -> assert(spinning > 0); spinning--; spin = 0 }   /* R3 */
#ifdef NO_RECHECK
     ; goto stop
#endif
  :: else -> goto lookAtNeed
  fi;
  if                                             /* R4 */
  :: global > 0 -> goto again
  :: global == 0
  fi;
  if
  :: ring[0] > 0 || runnext[0] -> goto again
  :: ring[0] == 0 && !runnext[0]
  fi;
#if YIELDS > 0
  if                                             /* Processor.hasWork: the run queue first, then yielded threads */
  :: yielded[0] > 0 -> goto again
  :: yielded[0] == 0
  fi;
#endif
  if
  :: ring[1] > 0 || runnext[1] -> goto again
  :: ring[1] == 0 && !runnext[1]
  fi;
#if YIELDS > 0
  if                                             /* Processor.hasWork: the run queue first, then yielded threads */
  :: yielded[1] > 0 -> goto again
  :: yielded[1] == 0
  fi;
#endif
#if NP > 2
  if
  :: ring[2] > 0 || runnext[2] -> goto again
  :: ring[2] == 0 && !runnext[2]
  fi;
#if YIELDS > 0
  if                                             /* Processor.hasWork: the run queue first, then yielded threads */
  :: yielded[2] > 0 -> goto again
  :: yielded[2] == 0
  fi;
#endif
#endif
lookAtNeed:
  if
#ifndef NO_NEED_CHECK
  :: need -> goto again
  :: !need -> goto stop                          /* the role of sleeper comes before: sleeper.pml */
#else
  :: true -> goto stop
#endif
  fi;
again:                                           /* R5 */
  atomic {
    !locked -> popIdle(p);
    if
    :: p != NO -> held[me] = p; state[me] = KERNEL
#ifndef NO_NEED_AT_R5
    :: else -> need = 1
#else
    :: else -> goto stop
#endif
    fi
  };
  if                                             /* once more: it may have been put back before need was set */
  :: p != NO
  :: atomic {
       p == NO && !locked -> popIdle(p);
       if
       :: p != NO -> held[me] = p; state[me] = KERNEL
       :: else -> goto stop
       fi
     }
  fi;
needed:                                          /* becomeSpinning */
  atomic { spinning++; spin = 1 };
  need = 0;
  goto top;

  /* ---- Machines.acquireAfterLoss: the thread has unmounted, and the processor is gone (N3) ---- */
acquire:
  if
  :: atomic { spin -> assert(spinning > 0); spinning--; spin = 0 };  /* dropToken */
     need = 1
  :: else
  fi;
  atomic {
    !locked ->
    if
    :: pending[0] -> pending[0] = 0; p = 0; spin = pendingToken[0]; held[me] = p; state[me] = KERNEL; goto top
    :: pending[1] -> pending[1] = 0; p = 1; spin = pendingToken[1]; held[me] = p; state[me] = KERNEL; goto top
#if NP > 2
    :: pending[2] -> pending[2] = 0; p = 2; spin = pendingToken[2]; held[me] = p; state[me] = KERNEL; goto top
#endif
    :: else
    fi
  };
  atomic {
    !locked -> popIdle(p);
    if
    :: p != NO -> held[me] = p; state[me] = KERNEL; goto top
    :: else
    fi
  };

stop:                                            /* Machines.stop */
  atomic {
    !locked ->
    if
    :: pending[0] -> pending[0] = 0; p = 0; spin = pendingToken[0]; held[me] = p; state[me] = KERNEL; goto top
    :: pending[1] -> pending[1] = 0; p = 1; spin = pendingToken[1]; held[me] = p; state[me] = KERNEL; goto top
#if NP > 2
    :: pending[2] -> pending[2] = 0; p = 2; spin = pendingToken[2]; held[me] = p; state[me] = KERNEL; goto top
#endif
    :: else -> idleM[me] = 1; at[me] = PARKED
    fi
  };
parked:                                          /* Machines.parkUntilGranted */
endparked:
  atomic {
    permit[me] -> permit[me] = 0;
    if
    :: state[me] == NONE -> goto parked          /* a stray permit */
    :: else -> at[me] = AWAKE
    fi
  };
  atomic {                                       /* ProcessorOwner.receiveGrant */
    spin = grantToken[me]; grantToken[me] = 0;
    if
    :: state[me] == NAP -> p = held[me]; state[me] = KERNEL; goto top
    :: else -> assert(state[me] == LOST); state[me] = NONE; held[me] = NO;
#ifndef LOST_GRANT_PARKS
       goto acquire
#else
       skip
#endif
    fi
  };
  if
  :: atomic { spin -> spinning--; spin = 0 }; need = 1
  :: else
  fi;
  goto stop;

  /* ---- execute: a goroutine runs ---- */
execute:
  if
  :: atomic { spin -> assert(spinning > 0); spinning--; spin = 0 };  /* FindRunnable.find */
     wakeProcessor(0, q, m)
  :: else
  fi;
exit:
  tailBuffer[me] == 0 -> state[me] = USER;       /* a store buffer is first in, first out */
user:
  if
  :: atomic {                                    /* EntryPoints.ready, EntryPoints.spawn: enterKernel */
       submitsLeft > 0 -> submitsLeft--;
       if
       :: state[me] == USER -> state[me] = KERNEL
       :: else -> assert(state[me] == LOST || state[me] == NONE); state[me] = NONE; held[me] = NO; p = NO
       fi
     };
     if
     :: p == NO -> inject(q, m); goto user
     :: p != NO ->
        atomic {                                 /* putLocal: runNext, or the ring (displaced, or a yield of chaos) */
          if
          :: !runnext[p] -> runnext[p] = 1
          :: true ->
#ifdef NO_FENCE
             tailBuffer[me]++
#else
             ring[p]++
#endif
          fi;
          lone = ring[p] + tailBuffer[me] == 0
        };
        if
        :: lone -> lone = 0; wakeProcessor(1, q, m)
        :: else -> wakeProcessor(0, q, m)
        fi;
        goto exit
     fi
  :: atomic {                                    /* the goroutine ends, parks, yields: enterKernel */
       if
       :: state[me] == USER -> state[me] = KERNEL; goto top
       :: else -> assert(state[me] == LOST || state[me] == NONE); state[me] = NONE; held[me] = NO; p = NO; goto acquire
       fi
     }
#if YIELDS > 0
  :: atomic {                                    /* Submitter.yieldHere: wakes no machine, this one goes on at once */
       yieldsLeft > 0 -> yieldsLeft--;
       if
       :: state[me] == USER -> state[me] = KERNEL; yielded[p]++; goto top
       :: else -> assert(state[me] == LOST || state[me] == NONE); state[me] = NONE; held[me] = NO; p = NO
       fi
     };
     inject(q, m);
     goto acquire
#endif
  :: at[me] = HOG                                /* computes for ever */
  fi;
endhog:
  false
}

proctype StoreBuffer() {                         /* buffered stores reach memory some time */
endbuffer:
  do
  :: atomic { tailBuffer[0] > 0 -> drain(0) }
  :: atomic { tailBuffer[1] > 0 -> drain(1) }
  :: atomic { napBuffer -> napBuffer = 0 }
  od
}

proctype Outsider() {                            /* a platform thread submits */
  byte p = NO, m = NO, left = INJECTS;
  do
  :: left > 0 -> left--; outsiderBusy = 1; inject(p, m); outsiderBusy = 0
  :: left == 0 -> break
  od
}

#define takeable(m) (state[m] == USER || state[m] == NAP)

proctype Monitor() {                             /* takes processors from user code and from naps, and hands them off */
  byte v = NO, p = NO, m = NO, left = TAKES;
  mtype seen;
endmonitor:
  do
  :: atomic {                                    /* the first sample */
       left > 0 && (takeable(0) || takeable(1)) ->
       if
       :: takeable(0) -> v = 0
       :: takeable(1) -> v = 1
       fi;
       seen = state[v]; p = held[v]; left--
     };
     atomic {                                    /* take: any time later */
       if
       :: state[v] == seen && held[v] == p -> state[v] = LOST; monitorBusy = 1
       :: else -> v = NO; p = NO
       fi
     };
     if
     :: v != NO -> v = NO;
        atomic {                                 /* Machines.handOff */
          !locked ->
          if
          :: ring[p] > 0 || runnext[p] || yielded[p] > 0 || global > 0 || (spinning == 0 && idleCount == 0) ->
             assign(p, 0, m)
          :: else -> idleP[p] = 1; p = NO
          fi
        };
        if
        :: p != NO -> p = NO; unparkOr(m)
#ifndef HANDOFF_IGNORES_NEED
        :: p == NO && need ->                    /* as R4: the thread that made the processor idle reads need */
           atomic {                              /* Machines.startIdle: no token; the machine answers the need at R2 */
             !locked -> popIdle(p);
             if
             :: p != NO -> assign(p, 0, m)
             :: else
             fi
           };
           if
           :: p != NO -> p = NO; unparkOr(m)
           :: p == NO -> wakeNapper()
           fi
        :: p == NO && !need
#else
        :: p == NO
#endif
        fi;
        monitorBusy = 0
     :: v == NO
     fi
  :: left == 0 -> break
  od
}

/* ---- the property ---- */

#define quiet(m)   ((at[m] == PARKED && !permit[m]) || (at[m] == NAPPING && !permit[m]) || at[m] == HOG || at[m] == UNBORN)
#define owns(m)    (state[m] == KERNEL || state[m] == USER || state[m] == NAP)
#if NM == 2
#define allQuiet   (quiet(0) && quiet(1))
#define someParked (at[0] == PARKED || at[1] == PARKED)
#define someNap    (at[0] == NAPPING || at[1] == NAPPING)
#define someOwner  (owns(0) || owns(1))
#else
#define allQuiet   (quiet(0) && quiet(1) && quiet(2))
#define someParked (at[0] == PARKED || at[1] == PARKED || at[2] == PARKED)
#define someNap    (at[0] == NAPPING || at[1] == NAPPING || at[2] == NAPPING)
#define someOwner  (owns(0) || owns(1) || owns(2))
#endif
#define quiescent  (allQuiet && !outsiderBusy && !monitorBusy && !locked)
#define couldRun   (someParked && (idleCount > 0 || !someOwner))
#define stranded   (quiescent && ((queued && (someNap || couldRun)) || (lonely && !someNap && couldRun)))

proctype Property() {
endproperty:
  do
  :: atomic { stranded -> assert(false) }
  :: atomic { somePending && someIdleM -> assert(false) }
  od
}

init {
  byte i;
  atomic {
    do
    :: i < NM ->
       if
       :: i < RUNNING -> state[i] = USER; held[i] = i
       :: i >= RUNNING && i < BORN -> idleM[i] = 1; at[i] = PARKED
       :: else -> at[i] = UNBORN
       fi;
       i++
    :: else -> break
    od;
    i = RUNNING;
    do
    :: i < NP -> idleP[i] = 1; i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < NM -> run Machine(i); i++
    :: else -> break
    od;
#if defined(NO_FENCE) || defined(NAP_NO_FENCE)
    run StoreBuffer();
#endif
#if INJECTS > 0
    run Outsider();
#endif
#if TAKES > 0
    run Monitor();
#endif
    run Property()
  }
}
