// SPDX-License-Identifier: GPL-3.0-or-later
/// Contact functions in SIMD lanes: see viper_lanes_api. Only for sources that end in _lanes.c.
#ifndef VIPER_CPU_CONTACT_CONTACT_LANES_H
#define VIPER_CPU_CONTACT_CONTACT_LANES_H

#include "viper/cpu/contact/data.h"

#define viper_contact_begins VIPER_NAME(viper_contact_begins)
#define viper_contact_passes VIPER_NAME(viper_contact_passes)
#define viper_contact_settle VIPER_NAME(viper_contact_settle)
#define viper_contact_watch  VIPER_NAME(viper_contact_watch)

/// Before the first iteration: bodies are moved by what contacts begin with.
void viper_contact_begins(const viper_contact_set *contacts, viper_thread_group thread_group);
void viper_contact_passes(const viper_contact_set *contacts, viper_thread_group thread_group);
/// After the last pass: friction that does work is taken back; then what velocities do not count is
/// found, and what contacts leave to the next substep kept.
void viper_contact_settle(const viper_contact_set *contacts, viper_thread_group thread_group);
void viper_contact_watch(const viper_contact_candidates *candidates, viper_watches *out);

#endif
