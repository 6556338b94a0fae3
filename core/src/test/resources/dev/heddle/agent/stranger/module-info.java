/** A module that does not require Heddle, for FourWaysTest. */
module stranger {}
