/** A program that is a module, for FourWaysTest; on the class path this file has no effect. */
module program {
    requires dev.heddle;
}
