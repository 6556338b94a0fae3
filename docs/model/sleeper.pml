/*
 * Timers and the machine that sleeps for them (N3, F39.15): no timer is armed while every machine sleeps without a
 * limit. Machine 0 has lost its processor in user code, arms a timer there, and comes to its scheduling point;
 * machine 1 owns the only processor and runs dry at any moment.
 *
 * Mutant: STOPM  as in Go, where a machine without a processor never runs user code: arming the timer wakes nobody,
 *                and the machine parks at once. (Either half of the rule alone would do in a system this small.)
 */
#define NO 7
bit  idle;                                       /* scheduler lock: the processor is on the idle list */
bit  idleM[2];                                   /* scheduler lock */
bit  pending;                                    /* scheduler lock: the processor waits for a machine; none can be made */
bit  granted[2];                                 /* the processor was granted to this machine, NONE -> NAP */
bit  permit[2];
bit  timer;                                      /* armed; TimerHeap's minimum, with N1's fence behind the push */
byte sleeper = NO;
bit  until;                                      /* the sleeper's announced deadline covers the timer */
bit  asleep[2], forTimer[2];                     /* for the property */
bit  pushing;

inline startIdleProcessor() {                    /* by whoever has no processor */
  atomic {
    if
    :: idle && idleM[0] -> idle = 0; idleM[0] = 0; granted[0] = 1; permit[0] = 1
    :: idle && idleM[1] -> idle = 0; idleM[1] = 0; granted[1] = 1; permit[1] = 1
    :: idle && !idleM[0] && !idleM[1] -> idle = 0; pending = 1
    :: !idle
    fi
  }
}

proctype Machine(byte me; bit hasP) {
  bit p = hasP, role;
  if
  :: p -> goto dry
  :: else
  fi;
  /* in user code without a processor: schedule() */
  atomic { timer = 1; pushing = 1 };
#ifndef STOPM
  if                                             /* wakeIfLaterThan */
  :: sleeper != NO ->
     if
     :: atomic { sleeper != NO && !until -> permit[sleeper] = 1 }
     :: else
     fi
  :: sleeper == NO -> startIdleProcessor()
  fi;
#endif
  pushing = 0;
#ifdef STOPM
  goto stop;
#endif
acquire:                                         /* acquireProcessor */
  atomic {
    if
    :: pending -> pending = 0; p = 1
    :: !pending && idle -> idle = 0; p = 1
    :: else -> goto stop
    fi
  };
dry:                                             /* findRunnable finds nothing; goIdle */
  atomic { idle = 1; p = 0 };
  /* sleepUntilNextTimer */
  if
  :: !timer -> goto stop
  :: timer
  fi;
  atomic {
    if
    :: sleeper == NO -> sleeper = me; role = 1
    :: else -> goto stop
    fi
  };
  if                                             /* after the role was taken */
  :: timer -> until = 1
  :: !timer
  fi;
  atomic { asleep[me] = 1; forTimer[me] = until };
  goto rest;
stop:                                            /* stopMachine */
  atomic {
    if
    :: pending -> pending = 0; p = 1; goto dry
    :: else -> idleM[me] = 1; asleep[me] = 1
    fi
  };
rest:
endrest:
  atomic { permit[me] -> permit[me] = 0; asleep[me] = 0; forTimer[me] = 0 };
  if
  :: role -> until = 0; sleeper = NO; role = 0; goto acquire
  :: !role && granted[me] -> granted[me] = 0; goto dry
  :: else -> asleep[me] = 1; goto rest           /* a stray permit */
  fi
}

/* Every machine sleeps, no permit is out, and the timer has nobody. */
proctype Property() {
endproperty:
  do
  :: atomic { timer && !pushing && asleep[0] && asleep[1] && !permit[0] && !permit[1] && !forTimer[0] && !forTimer[1] ->
       assert(false) }
  od
}

init { atomic { run Machine(0, 0); run Machine(1, 1); run Property() } }
