// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/cuda/bundle/host.h"

int viper_bundle_substep(const viper_bundle_executor *executor, void *self,
                         const viper_settings *settings, bool last) {
  // Bodies that seek the minimum of Phi have the inertia of the prediction that bundles moved; the
  // others that of the one which the substep began with, until its end.
  bool follows = viper_method_has(settings->method, VIPER_SEEKS_MINIMUM);
  viper_settings one = *settings;
  one.iterations = 1;
  int code = executor->bodies(self, VIPER_BODIES_BEGIN, settings);
  for (int iteration = 0; iteration < settings->iterations && !code; iteration++) {
    bool ends = iteration + 1 == settings->iterations;
    int pass = (iteration == 0 ? VIPER_PASS_FIRST : 0) | (ends ? VIPER_PASS_LAST : 0) |
               (follows || ends ? VIPER_PASS_INERTIA : 0);
    one.continued = iteration > 0;
    code = executor->bodies(self, VIPER_BODIES_ITERATE, &one);
    code = code ? code : executor->pass(self, pass);
  }
  code = code ? code : executor->bodies(self, VIPER_BODIES_LEAVE, settings);
  return code ? code : executor->end(self, last);
}
