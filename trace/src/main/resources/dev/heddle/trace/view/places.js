// Where a goroutine is, in one number: the kind of place in the upper bits, its index in the lower sixteen.
export const NOWHERE = 0, ON_P = 1, IN_NEXT = 2, IN_RING = 3, IN_GLOBAL = 4, PARKED = 5, LOOSE = 6, IN_HAND = 7, IN_YIELDED = 8;
/** Runnable, in a queue that the recording does not tell. */
export const UNKNOWN = 9;

export const place = (kind, index = 0) => (kind << 16) | (index & 0xffff);
export const kindOf = code => code >> 16;
export const indexOf = code => code & 0xffff;
