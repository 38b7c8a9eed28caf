// SPDX-License-Identifier: GPL-3.0-or-later
/// What a backend says where there is no device for it.
#ifndef VIPER_BACKEND_NO_DEVICE_H
#define VIPER_BACKEND_NO_DEVICE_H

/// What its message begins with. "auto" then takes the next backend without a word; why any other
/// failure of a device (as for lack of memory) made it take the next, is told as a warning.
#define VIPER_NO_DEVICE "there is no CUDA device here"

#endif
