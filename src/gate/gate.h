// SPDX-License-Identifier: GPL-3.0-or-later
/// Evaluates gates, the checks of a study, on recorded data.
#ifndef VB_GATE_GATE_H
#define VB_GATE_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How a gate makes one number of a recorded series y(x), x being time [s] or iterations. All but
/// the first three and `value` look at the window [from, to] only.
typedef enum vb_measure {
  VB_MEASURE_FIRST,
  VB_MEASURE_FINAL,
  VB_MEASURE_VALUE, ///< at x = from, linear between rows
  VB_MEASURE_MINIMUM,
  VB_MEASURE_MAXIMUM,
  VB_MEASURE_MAXIMUM_ABS, ///< of |y|
  VB_MEASURE_MEAN,
  VB_MEASURE_DRIFT,     ///< maximum of |y - y(first)|
  VB_MEASURE_FREQUENCY, ///< angular frequency [rad/s] of a damped oscillation about 0
  VB_MEASURE_DECAY,     ///< its factor per row
  VB_MEASURE_ARRIVAL,   ///< centroid of y^2 over x
  VB_MEASURE_SLOPE,     ///< of log |y| over log x, least squares
  VB_MEASURE_POLE,      ///< x at which y grows beyond bounds, such as a critical load: 1/y is 0
} vb_measure;

/// The condition that a gate's number must meet.
typedef enum vb_comparator {
  VB_CLOSE_TO, ///< |value - reference| <= tolerance (times |reference| where relative)
  VB_AT_MOST,  ///< value <= reference
  VB_AT_LEAST  ///< value >= reference
} vb_comparator;

/// How a gate combines the numbers of several runs.
typedef enum vb_combination {
  VB_SINGLE,      ///< one run, as it is
  VB_DIFFERENCE,  ///< of runs 0 and 1: value 0 - value 1
  VB_RATIO,       ///< value 0 / value 1
  VB_SURFACE_RMS, ///< of runs 0 and 1: the RMS distance of their surfaces, frame by frame; this
                  ///< series is then measured
  VB_SURFACE_HAUSDORFF, ///< likewise their greatest distance
  VB_OVER_DISTANCE, ///< value 0 over the greatest distance of a node of run 0 from where run 1 has
                    ///< it, in the last frames; `origin` is subtracted from both. 1 where value 0
                    ///< is not below `limit`
  VB_ORDER          ///< over runs of growing resolution: minus the least-squares slope of
           ///< log |value - limit| over log size; where `limit` is NaN, of the differences of
           ///< successive values over the coarser size
} vb_combination;

/// What is known of the band of a finding.
typedef enum vb_band_kind {
  VB_BAND_NONE,      ///< none holds: the settings are others, or the number depends on wall time
  VB_BAND_MISSING,   ///< none is stored
  VB_BAND_RANGE,     ///< from low to high
  VB_BAND_UNMEASURED ///< it is known that there is no number
} vb_band_kind;

/// What a finding measures at present (gate/band_file.h); each value in it is as expected.
typedef struct vb_band {
  vb_band_kind kind;
  double low, high; ///< of VB_BAND_RANGE, both inclusive
} vb_band;

/// What became of a finding, held against its band (gate/finding.h).
typedef enum vb_finding {
  VB_NO_FINDING,         ///< the gate is none
  VB_FINDING_EXPECTED,   ///< inside its band
  VB_FINDING_WORSE,      ///< outside, farther from what the gate asks
  VB_FINDING_BETTER,     ///< outside, nearer to it
  VB_FINDING_UNMEASURED, ///< no number
  VB_FINDING_NO_BAND,    ///< it has no band
  VB_FINDING_FREE        ///< its band does not hold
} vb_finding;

/// A gate: one number of the record, what it must be, and why.
typedef struct vb_gate {
  char *name;
  char *quantity; ///< dataset below /run ("energy/stretch", "frames/position"), "convergence/..",
                  ///< or one that is made of others ("ribbon/writhe", "balance/energy_gain", see
                  ///< gate/ribbon.h, gate/balance.h, gate/angular_momentum.h); "number" where
                  ///< found
  bool found;    ///< the number was found by the script that describes the run; nothing is measured
  double number; ///< that number
  int64_t row; ///< element of the second axis (node, segment, driver, body), -1 where there is none
  int component;     ///< of the third axis, -1 where there is none
  bool apart;        ///< the series is the distance of `row` to `other_row`, points of x, y, z
  int64_t other_row; ///< meaningful where apart
  double origin;     ///< subtracted from the series first
  vb_measure measure;
  double from; ///< window in x, or the x of VB_MEASURE_VALUE; -inf for none
  double to;   ///< +inf for none
  vb_combination combination;
  char **runs; ///< names of its runs; a gate of one run has that run's name
  size_t n_runs;
  double *sizes; ///< n_runs resolutions, for VB_ORDER
  double limit;  ///< of VB_ORDER and VB_OVER_DISTANCE; NaN for none
  vb_comparator comparator;
  double reference;
  double tolerance;
  bool relative;
  bool finding; ///< a miss is reported as a finding about the model, and fails nothing while the
                ///< number is in its band
  bool timed;   ///< of a finding: it depends on wall time, so that no band holds
  vb_band band; ///< of a finding
  char *reason; ///< of the reference and the tolerance
} vb_gate;

/// The verdict on a gate.
typedef struct vb_verdict {
  double value; ///< NaN where it could not be measured
  bool passed;
  vb_finding finding; ///< set where a study is run
  char note[160];     ///< why it could not be measured, or empty
} vb_verdict;

/// Size of the note of a verdict.
#define VB_NOTE_SIZE sizeof(((vb_verdict *)0)->note)

/// The words of a gate, as scripts say them and records tell them. Each table is in the order of
/// its enumeration and ends with a null.
extern const char *const vb_measure_words[];
extern const char *const vb_combination_words[];
extern const char *const vb_comparator_words[];

/// Frees what a gate holds and zeroes it, not the gate itself; a zeroed gate is fine.
void vb_gate_clear(vb_gate *gate);

/// Measures the quantity of `gate` in the files of its runs, `paths[i]` of `gate->runs[i]`, and
/// compares. A gate that cannot be measured fails: its value is NaN and its note says why.
void vb_gate_evaluate(const vb_gate *gate, const char *const *paths, vb_verdict *out);

/// Combines the numbers of several runs into one, as `gate->combination` says; `values` has
/// `gate->n_runs` of them. False where there is no such number; then `note` (VB_NOTE_SIZE bytes)
/// says why and `*out` is untouched.
bool vb_gate_combine(const vb_gate *gate, const double *values, double *out, char *note);

/// Whether `value` meets the gate's condition; a NaN never does.
bool vb_gate_compare(const vb_gate *gate, double value);

/// A verdict of failure that was not measured, for the reason `note`.
void vb_gate_fail(vb_verdict *out, const char *note);

/// Measures y(x) of `n` rows with growing x. `from` and `to` bound the window (a row within a
/// billionth of the series' length of a bound counts as inside). The mean is that of the rows; a
/// centroid weighs them by the trapezoid rule. Frequency and decay want uniform rows. False where
/// it cannot be measured; then `note` says why. `*out` is untouched on failure. `note` has room for
/// VB_NOTE_SIZE bytes.
bool vb_measure_series(const double *x, const double *y, size_t n, vb_measure measure, double from,
                       double to, double *out, char *note);

#endif
