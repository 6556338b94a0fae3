/// The doctor: names the cause when work does not run as it should.
///
/// [dev.heddle.doctor.Observation] is what was seen of one scheduler during some seconds; each
/// [dev.heddle.doctor.Rule] knows one cause and says whether it is there, from that alone. So a rule can be
/// tested on made-up observations, and a recorded one judged again. `docs/doctor.md` describes the causes for
/// those who meet them.
@NullMarked
package dev.heddle.doctor;

import org.jspecify.annotations.NullMarked;
