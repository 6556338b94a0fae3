/*
 * The machine that sleeps for timers and sockets (N3, F39.15): no timer is armed, and no socket in use, while every
 * machine sleeps for something else.
 *
 * As it is: machine 0 has lost its processor in user code, arms a timer there, and then unmounts its thread;
 * machine 1 owns the only processor and runs dry at any moment.
 * -DSOCKETS: each machine owns a processor. Machine 0 runs dry, and there is a timer to sleep for; the goroutine of
 * machine 1 is the first to use a socket (NetPoller.adopt), and then it runs dry.
 * -DINJECT: machine 0 owns the only processor and runs dry; there is a timer to sleep for. Machine 1 is blocked, and no
 * further machine can be made. A platform thread injects an entry: its processor waits for a machine (pending).
 *
 * Mutants: STOPM  as in Go, where a machine without a processor never runs user code: arming the timer wakes no M,
 *                 and the machine parks at once. (Either half of the rule alone would do in a system this small.)
 *          SOCKETS_BEFORE_ROLE   the sleeper reads `sockets` before it has the role
 *          ADOPT_WAKES_NOBODY    the thread that sets `sockets` does not check the sleeper
 *          PENDING_UNSEEN        the sleeper does not check for pending processors before it waits
 *          LAUNCH_WAKES_NOBODY   a processor becomes pending, and the sleeper is not woken
 */
#define NO 7
byte idle;                                       /* scheduler lock: processors on the idle list */
bit  idleM[2];                                   /* scheduler lock */
byte pending;                                    /* scheduler lock: processors without a machine; none can be made */
bit  granted[2];                                 /* a processor was granted to this machine, NONE -> NAP */
bit  permit[2];                                  /* of park and unpark, and of the descriptor that ends epoll_wait */
bit  timer;                                      /* armed; TimerHeap's minimum, with N1's fence behind the push */
bit  sockets;                                    /* NetPoller.pollers is set */
byte sleeper = NO;
bit  until;                                      /* the sleeper's announced deadline covers the timer */
bit  asleep[2], forTimer[2], inEpoll[2];         /* for the property */
bit  pushing, adopting, injecting;

inline startIdle() {                             /* Machines.startIdle, by a thread without a processor */
  atomic {
    if
    :: idle > 0 && idleM[0] -> idle--; idleM[0] = 0; granted[0] = 1; permit[0] = 1
    :: idle > 0 && idleM[1] -> idle--; idleM[1] = 0; granted[1] = 1; permit[1] = 1
    :: idle > 0 && !idleM[0] && !idleM[1] -> idle--; pending++
    :: idle == 0
    fi
  }
#ifndef LAUNCH_WAKES_NOBODY
  if                                             /* Machines.launch at the limit of threads; else Starter */
  :: atomic { pending > 0 && sleeper != NO -> permit[sleeper] = 1 }
  :: else
  fi
#endif
}

proctype Machine(byte me; bit hasP; bit adopts) {
  bit p = hasP, role, network, covered;
  if
  :: p && adopts ->                              /* NetPoller.adopt: on a virtual thread, in user code */
     sockets = 1;
#ifndef ADOPT_WAKES_NOBODY
     if
     :: atomic { sleeper != NO -> permit[sleeper] = 1 }   /* it sleeps for timers alone, or is about to */
     :: sleeper == NO
     fi;
#endif
     adopting = 0; goto dry
  :: p && !adopts -> goto dry
  :: else
  fi;
  /* in user code without a processor: KernelTimers.add */
  atomic { timer = 1; pushing = 1 };
#ifndef STOPM
  if                                             /* Sleeper.wakeIfLaterThan */
  :: sleeper != NO ->
     if
     :: atomic { sleeper != NO && !until -> permit[sleeper] = 1 }
     :: else
     fi
  :: sleeper == NO -> startIdle()
  fi;
#endif
  pushing = 0;
#ifdef STOPM
  goto stop;
#endif
acquire:                                         /* Machines.acquireAfterLoss; after a sleep: Machines.acquireIdle */
  atomic {
    if
    :: pending > 0 -> pending--; p = 1
    :: pending == 0 && idle > 0 -> idle--; p = 1
    :: else -> goto stop
    fi
  };
dry:                                             /* FindRunnable.find finds nothing: SpinCoordinator.goIdle */
  atomic { idle++; p = 0 };
  atomic {                                       /* Machines.acquirePending */
    if
    :: pending > 0 -> pending--; p = 1; goto dry
    :: else
    fi
  };
  /* Sleeper.sleep */
  network = sockets;
  if
  :: !network && !timer -> goto stop
  :: else
  fi;
  atomic {
    if
    :: sleeper == NO -> sleeper = me; role = 1
    :: else -> goto stop
    fi
  };
#ifndef SOCKETS_BEFORE_ROLE
  network = sockets;
#endif
  covered = timer;                               /* the deadline that is announced */
  until = covered;
  covered = timer;                               /* after the announcement */
  until = covered;
  if
  :: !network && !covered -> until = 0; sleeper = NO; role = 0; goto acquire   /* nothing to wait for */
  :: else
  fi;
#ifndef PENDING_UNSEEN
  if                                             /* after the role was taken */
  :: pending > 0 -> until = 0; sleeper = NO; role = 0; goto acquire
  :: else
  fi;
#endif
  atomic { asleep[me] = 1; forTimer[me] = covered; inEpoll[me] = network };
  goto rest;
stop:                                            /* Machines.stop */
  atomic {
    if
    :: pending > 0 -> pending--; p = 1; goto dry
    :: else -> idleM[me] = 1; asleep[me] = 1
    fi
  };
rest:
endrest:
  atomic { permit[me] -> permit[me] = 0; asleep[me] = 0; forTimer[me] = 0; inEpoll[me] = 0 };
  if
  :: role -> until = 0; sleeper = NO; role = 0; goto acquire
  :: !role && granted[me] -> granted[me] = 0; goto dry
  :: else -> asleep[me] = 1; goto rest           /* a stray permit */
  fi
}

/* Every machine sleeps, no permit is out, and no machine sleeps for the timer or the sockets. */
#define allAsleep (asleep[0] && asleep[1] && !permit[0] && !permit[1] && !pushing && !adopting)

proctype Property() {
endproperty:
  do
  :: atomic { timer && allAsleep && !forTimer[0] && !forTimer[1] -> assert(false) }
  :: atomic { sockets && allAsleep && !inEpoll[0] && !inEpoll[1] -> assert(false) }
#ifdef INJECT
  :: atomic { pending > 0 && allAsleep && !injecting -> assert(false) }
#endif
  od
}

proctype Injector() {                            /* Submitter.inject, by a platform thread */
  startIdle();
  injecting = 0
}

init {
  atomic {
#ifdef SOCKETS
    timer = 1; adopting = 1;
    run Machine(0, 1, 0); run Machine(1, 1, 1);
#elif defined(INJECT)
    timer = 1; injecting = 1; asleep[1] = 1;
    run Machine(0, 1, 0); run Injector();
#else
    run Machine(0, 0, 0); run Machine(1, 1, 0);
#endif
    run Property()
  }
}
