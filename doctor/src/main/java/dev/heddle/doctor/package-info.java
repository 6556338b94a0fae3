/// The doctor: finds the cause when a program does not run as it should.
///
/// A [dev.heddle.doctor.Observation] is the data of one scheduler over some seconds. Each [dev.heddle.doctor.Rule]
/// recognises one cause from an observation alone. So a rule can be tested on made-up observations, and a recording can
/// be judged again. `docs/doctor.md` describes the causes for users.
@NullMarked
package dev.heddle.doctor;

import org.jspecify.annotations.NullMarked;
