// SPDX-License-Identifier: GPL-3.0-or-later
/// The version of the program (semantic versioning). Its commit is in results/provenance.h.
#ifndef VB_BASE_VERSION_H
#define VB_BASE_VERSION_H

/// Version of the program (semver); results/provenance.h has the commit.
#define VB_VERSION "1.0.0"

#endif
