// SPDX-License-Identifier: GPL-3.0-or-later
/// Substeps of scenes in which something joins bodies between their iterations: contact, bundles,
/// or both.
#include "viper/cuda/bundle/host.h"

/// Runs a call unless one before it failed.
#define THEN(call)                                                                                 \
  do {                                                                                             \
    if (!code)                                                                                     \
      code = (call);                                                                               \
  } while (0)

/// Contacts between capsules, after nodes were gathered.
static int find_contacts(const viper_contact_executor *w, void *self, bool smooth) {
  int code = 0;
  THEN(w->phase(self, VIPER_CONTACT_PAIRS));
  THEN(w->phase(self, VIPER_CONTACT_TOUCHES));
  if (smooth)
    THEN(w->phase(self, VIPER_CONTACT_SMOOTH));
  THEN(w->phase(self, VIPER_CONTACT_COLOR));
  THEN(w->phase(self, VIPER_CONTACT_ARRANGE));
  return code;
}

/// What a pass over bundles does in iteration `k`. Bodies that seek the minimum of Phi have the
/// inertia of the prediction that bundles moved; the others that of the one which the substep began
/// with, until its end.
static int bundle_pass(const viper_settings *settings, int k) {
  bool ends = k + 1 == settings->iterations;
  bool follows = viper_method_has(settings->method, VIPER_SEEKS_MINIMUM);
  return (k == 0 ? VIPER_PASS_FIRST : 0) | (ends ? VIPER_PASS_LAST : 0) |
         (follows || ends ? VIPER_PASS_INERTIA : 0);
}

/// Contacts are processed last; where they are averaged with an iteration's displacements, bundles
/// are.
static int iterate_with_contacts(const viper_contact_executor *w, void *self,
                                 const viper_settings *settings) {
  // Bodies that seek the minimum of Phi take the prediction that contacts pushed; the others' is
  // pushed in the end.
  bool follows = viper_method_has(settings->method, VIPER_SEEKS_MINIMUM);
  bool averaged = settings->contact == VIPER_CONTACT_AVERAGED;
  bool centers = viper_method_has(settings->method, VIPER_LOSES_MOMENTUM);
  bool between = w->bundles && !averaged; // bodies and contacts
  viper_settings one = *settings;
  int code = 0;
  one.iterations = 1;
  one.in_parts = true;
  for (int iteration = 0; iteration < settings->iterations; iteration++) {
    bool hat = follows || iteration + 1 == settings->iterations;
    one.continued = iteration;
    THEN(w->bodies(self, centers && !between ? VIPER_BODIES_CENTER : VIPER_BODIES_ITERATE, &one));
    if (between)
      THEN(w->bundles(self, bundle_pass(settings, iteration)));
    if (centers && between)
      THEN(w->phase(self, VIPER_CONTACT_CENTER));
    THEN(w->phase(self, hat ? VIPER_CONTACT_PASS_HAT : VIPER_CONTACT_PASS));
    if (w->bundles && averaged)
      THEN(w->bundles(self, bundle_pass(settings, iteration)));
  }
  return code;
}

int viper_contact_substep(const viper_contact_executor *executor, void *self, bool between,
                          bool driven, const viper_settings *settings, bool last) {
  bool warm = viper_has_warm_start(settings);
  int code = 0;
  if (warm && settings->fresh_contacts)
    THEN(executor->phase(self, VIPER_CONTACT_FORGET));
  THEN(executor->bodies(self, VIPER_BODIES_BEGIN, settings));
  THEN(executor->phase(self, VIPER_CONTACT_GATHER));
  if (between)
    THEN(find_contacts(executor, self, settings->contact_normal == VIPER_SMOOTH_NORMAL));
  else
    THEN(executor->phase(self, VIPER_CONTACT_FRAMES));
  if (warm)
    THEN(executor->phase(self, VIPER_CONTACT_BEGIN));
  THEN(iterate_with_contacts(executor, self, settings));
  THEN(executor->phase(self, VIPER_CONTACT_SETTLE));
  if (between) {
    THEN(executor->phase(self, VIPER_CONTACT_SUSPECT));
    THEN(executor->phase(self, VIPER_CONTACT_TRUNCATE));
  }
  if (driven)
    THEN(executor->phase(self, VIPER_CONTACT_WORK));
  THEN(executor->bodies(self, VIPER_BODIES_LEAVE, settings));
  THEN(executor->end(self, last));
  return code;
}

int viper_bundle_substep(const viper_bundle_executor *executor, void *self,
                         const viper_settings *settings, bool last) {
  viper_settings one = *settings;
  one.iterations = 1;
  one.in_parts = true;
  int code = executor->bodies(self, VIPER_BODIES_BEGIN, settings);
  for (int iteration = 0; iteration < settings->iterations && !code; iteration++) {
    one.continued = iteration;
    THEN(executor->bodies(self, VIPER_BODIES_ITERATE, &one));
    THEN(executor->pass(self, bundle_pass(settings, iteration)));
  }
  THEN(executor->bodies(self, VIPER_BODIES_LEAVE, settings));
  THEN(executor->end(self, last));
  return code;
}
