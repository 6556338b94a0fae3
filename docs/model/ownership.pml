/*
 * The ownership of processors: one word per machine, seq | pid | state (N0, N2). At most one machine owns a processor,
 * an idle one has no owner, none is lost, and a taker affects only the interval that it judged.
 * Two processors, two machines, one taker that may sample, be late, and take; machines acquire, run, release, are
 * granted processors while they are parked, and lose them.
 *
 * Mutants: NO_PID  the taker compares the state alone       NO_SEQ  the taker compares state and pid, not the sequence
 *          BLIND_EXIT  the machine enters the kernel by a store instead of a CAS
 */
#define NM 2
#define NP 2
#define NO 7
#ifndef STEPS
#define STEPS 3                                  /* kernel sections per machine */
#endif
#ifndef LOOKS
#define LOOKS 2
#endif

mtype = { NONE, KERNEL, USER, NAP, LOST };

mtype state[NM] = NONE;                          /* the word; its three parts change only inside one atomic */
byte  pid_[NM] = NO;
byte  seq[NM];

byte machineOf[NP] = NO;                         /* Processor.machine: a hint, read without any order */
bit  idle[NP] = 1;                               /* scheduler lock */
bit  parked[NM];                                 /* scheduler lock: on the idle list of machines */
bit  transit[NP];                                /* with the taker */

#define owner(m, p)  (pid_[m] == p && (state[m] == KERNEL || state[m] == USER || state[m] == NAP))
#define owners(p)    (owner(0, p) + owner(1, p))

inline ownerOnly(p) {                            /* plain writes: tail, heap, counters */
  assert(owners(p) == 1 && owner(me, p) && !idle[p] && !transit[p])
}

proctype Machine(byte me) {
  byte p = NO, steps = STEPS;
  byte own;                                      /* ownWord's sequence */
  do
  :: steps > 0 ->
     steps--;
     if
     :: p == NO ->
        atomic {                                 /* acquire: takes an idle processor under the lock */
          if
          :: idle[0] -> idle[0] = 0; p = 0
          :: idle[1] -> idle[1] = 0; p = 1
          :: else
          fi;
          if
          :: p != NO -> seq[me]++; own = seq[me]; pid_[me] = p; machineOf[p] = me; state[me] = KERNEL
          :: else -> state[me] = NONE; pid_[me] = NO; parked[me] = 1   /* Machines.stop */
          fi
        };
        if
        :: p == NO ->                            /* Machines.parkUntilGranted */
endparked: state[me] != NONE;
           atomic {                              /* ProcessorOwner.receiveGrant: NAP -> KERNEL, from the granted word */
             if
             :: state[me] == NAP -> p = pid_[me]; own = seq[me]; state[me] = KERNEL
             :: else -> assert(state[me] == LOST); state[me] = NONE; pid_[me] = NO
             fi
           }
        :: else
        fi
     :: else
     fi;
     if
     :: p != NO ->
        ownerOnly(p);
        if
        :: atomic { seq[me]++; own = seq[me]; state[me] = USER };      /* exitKernel */
           atomic {                                                    /* enterKernel */
#ifdef BLIND_EXIT
             state[me] = KERNEL
#else
             if
             :: state[me] == USER && seq[me] == own -> state[me] = KERNEL
             :: else -> assert(state[me] == LOST); p = NO              /* the CAS of changeState fails */
             fi
#endif
           };
           if
           :: p != NO -> ownerOnly(p)
           :: else
           fi
        :: atomic { machineOf[p] = NO; state[me] = NONE; seq[me]++; pid_[me] = NO; idle[p] = 1; p = NO }  /* release */
        fi
     :: else
     fi
  :: steps == 0 -> break
  od;
  atomic {                                       /* goes on in user code for ever, or without a processor */
    if
    :: p != NO -> seq[me]++; state[me] = USER
    :: else
    fi
  }
}

proctype Taker() {                               /* Retaker.take, World.takeAll */
  byte m = NO, p, looks = LOOKS, seen, to;
  mtype judged;
  do
  :: looks > 0 ->
     looks--;
     if :: p = 0 :: p = 1 fi;
     m = machineOf[p];
     if
     :: m != NO ->
        atomic { judged = state[m]; seen = seq[m];                     /* the first sample: one 64-bit read */
          if
          :: (judged == USER || judged == NAP) && pid_[m] == p
          :: else -> m = NO
          fi
        };
        if
        :: m != NO ->                            /* reads /proc, is descheduled, decides */
           atomic {                              /* take */
             if
#ifdef NO_PID
             :: state[m] == judged -> state[m] = LOST; transit[p] = 1
#elif defined(NO_SEQ)
             :: state[m] == judged && pid_[m] == p -> assert(seq[m] == seen); state[m] = LOST; transit[p] = 1
#else
             :: state[m] == judged && pid_[m] == p && seq[m] == seen -> state[m] = LOST; transit[p] = 1
#endif
             :: else -> m = NO
             fi
           };
           if
           :: m != NO ->
              machineOf[p] = NO;
              atomic {                           /* Machines.handOff: grant to a parked machine, or to the idle list */
                transit[p] = 0; assert(!idle[p] && owners(p) == 0);
                if
                :: parked[0] -> to = 0
                :: parked[1] -> to = 1
                :: else -> to = NO
                fi;
                if
                :: to != NO -> assert(state[to] == NONE); parked[to] = 0; seq[to]++; pid_[to] = p; machineOf[p] = to;
                   state[to] = NAP
                :: else -> idle[p] = 1
                fi;
                to = NO
              }
           :: else
           fi
        :: else
        fi
     :: else
     fi;
     m = NO
  :: looks == 0 -> break
  od
}

#define wrong(p) (owners(p) + idle[p] + transit[p] != 1)

proctype Property() {
endproperty:
  do
  :: atomic { wrong(0) || wrong(1) -> assert(false) }
  od
}

init { atomic { run Machine(0); run Machine(1); run Taker(); run Property() } }
