/*
 * A ring whose consumed slots are cleared, so that they do not keep dead threads alive (N4): no entry is lost or run
 * twice. Capacity 2, three entries; the owner puts and gets, a thief steals one.
 *
 * Mutants: THIEF_CLEARS   the thief clears the slot it took     USE_BEFORE_CAS  the thief keeps what it read although
 *                                                                the CAS on head failed
 */
#define CAPACITY 2
#define ENTRIES 3
byte slot[CAPACITY];
byte head, tail;                                 /* free-running */
byte cleared;                                    /* owner: slots below are null */
byte ran[ENTRIES + 1];

inline execute(e) { atomic { assert(e != 0); ran[e]++; assert(ran[e] == 1); e = 0 } }

active proctype Owner() {
  byte next = 1, h, e;
  do
  :: next <= ENTRIES ->                          /* put */
     h = head;
     if
     :: tail - h < CAPACITY ->
        do                                       /* clear lazily what was consumed, each slot once */
        :: cleared < h -> slot[cleared % CAPACITY] = 0; cleared++
        :: cleared >= h -> break
        od;
        slot[tail % CAPACITY] = next;
        tail++;                                  /* release */
        next++
     :: else -> goto take
     fi
  :: true ->
take:
     h = head;                                   /* get */
     if
     :: h == tail -> 
        if
        :: next > ENTRIES -> break
        :: else
        fi
     :: else ->
        e = slot[h % CAPACITY];
        atomic {
          if
          :: head == h -> head++
          :: else -> e = 0
          fi
        };
        if
        :: e != 0 -> execute(e)
        :: else
        fi
     fi
  od;
  (_nr_pr == 1);                                 /* the thief is done: everything ran, once */
  assert(ran[1] == 1 && ran[2] == 1 && ran[3] == 1)
}

active proctype Thief() {
  byte h, t, e, tries = 2;
  bit won;
  do
  :: tries > 0 ->
     tries--;
     h = head;
     t = tail;
     if
     :: t == h
     :: t != h ->
        e = slot[h % CAPACITY];
        atomic {
          if
          :: head == h -> head++; won = 1
          :: else -> won = 0
          fi
        };
#ifdef USE_BEFORE_CAS
        won = 1;
#endif
        if
        :: won ->
#ifdef THIEF_CLEARS
           slot[h % CAPACITY] = 0;
#endif
           execute(e)
        :: else -> e = 0
        fi
     fi
  :: tries == 0 -> break
  od
}
