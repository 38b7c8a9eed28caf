// SPDX-License-Identifier: GPL-3.0-or-later
/// Statistics of lists of timings: medians with confidence intervals, margins, verdicts, fits. Pure
/// functions; all inputs must be finite.
#ifndef VB_BASE_STATISTICS_H
#define VB_BASE_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

/// The value below which a part `q` (0 to 1) of the `n` values lies, linear between order
/// statistics; NaN where there are none or memory is out. The list keeps its order.
double vb_quantile(const double *values, size_t n, double q);

/// The correlation of each value with the next, -1 to 1; 0 for fewer than 3 values or equal ones.
double vb_autocorrelation(const double *values, size_t n);

/// A median and an interval that holds the true one.
typedef struct vb_interval {
  double median;
  double low;  ///< minus infinity where there are too few values for an interval
  double high; ///< plus infinity there
  double autocorrelation;
  size_t low_rank;  ///< of the order statistic that is `low`, counted from 1; 0 where there is none
  size_t high_rank; ///< likewise
} vb_interval;

/// The rank, from 1, of the order statistic that bounds the narrowest interval of the median of `n`
/// independent values of which at least `coverage` hold it: that interval is from this rank to
/// n + 1 - rank (binomial with even chances). 0 where no interval holds so often.
size_t vb_median_rank(size_t n, double coverage);

/// The median of values in the order they were measured, with its 95 % interval from order
/// statistics. A positive lag-1 autocorrelation r makes n values worth only n (1 - r) / (1 + r), so
/// the ranks are moved outward by the root of (1 + r) / (1 - r). NaN in all where n is 0 or memory
/// is out.
vb_interval vb_median_interval(const double *values, size_t n);

/// The same for values that are known to be independent, as those of separate launches.
vb_interval vb_median_interval_independent(const double *values, size_t n);

/// Half the interval's width over the median; infinite where there is no interval.
double vb_relative_width(const vb_interval *interval);

/// What a comparison of B with A came to. FASTER: B is.
typedef enum vb_comparison {
  VB_COMPARED_SAME,
  VB_COMPARED_FASTER,
  VB_COMPARED_SLOWER,
  VB_COMPARED_INCONCLUSIVE
} vb_comparison;

/// "SAME", "FASTER", "SLOWER", "INCONCLUSIVE".
const char *vb_comparison_word(vb_comparison comparison);

/// Least margin of a comparison (natural logarithm of a ratio of times).
#define VB_MIN_MARGIN 0.01

/// The margin within which two equal builds come out on this machine, from the log-ratios of `n`
/// pairs of launches of one build: max(VB_MIN_MARGIN, 1.25 times the 95th percentile of their
/// magnitudes). It is that of single pairs, so the median of several lies well within it. Infinite
/// where n is 0.
double vb_comparison_margin(const double *log_ratios, size_t n);

/// Judges the log-ratios ln(time of B / time of A) of pairs of launches. SLOWER or FASTER: the
/// median is beyond the margin and the interval on that side of 0. SAME: the whole interval is
/// within the margin. `*interval` (may be null) is that of vb_median_interval_independent: ranks 2
/// and 10 of 11, 98.8 %.
vb_comparison vb_compare(const double *log_ratios, size_t n, double margin, vb_interval *interval);

/// The cost of work of size n: offset + n / rate.
typedef struct vb_linear_cost {
  double offset;    ///< s
  double rate;      ///< 1/s, > 0
  double deviation; ///< greatest |measured / fitted - 1|
} vb_linear_cost;

/// Fits times [s] at sizes by least squares of relative errors. False where there are fewer than 3
/// points, two of different size among them, a time is not positive, or the times do not grow.
bool vb_fit_linear_cost(const double *sizes, const double *times, size_t n, vb_linear_cost *out);

#endif
