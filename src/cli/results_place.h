// SPDX-License-Identifier: GPL-3.0-or-later
/// Where results go: those of a study with settings of the command line beside those of the study
/// as it is, which they do not replace.
#ifndef VB_CLI_RESULTS_PLACE_H
#define VB_CLI_RESULTS_PLACE_H

#include "cli/cli.h"

/// The settings of a command line as a name of a folder: "length=2,method=xpbd", in the order of
/// the alphabet; empty where there are none. Threads and instruction sets are none: they change no
/// result. Letters that are not fit for a name are replaced, and a hash added. The caller frees;
/// null for want of memory.
char *vb_cli_settings_name(const vb_study_request *request);

/// The folder of the results of a command line: `asked->out`; or the folder of that name in it,
/// where there are settings and either --out was not given, or results of one of the studies that
/// the arguments name are there which were made with other settings. It is made. The caller frees.
/// VB_CANNOT_WRITE where it cannot be made.
vb_status vb_cli_place_results(const vb_cli *cli, const vb_cli_results *asked, const char *settings,
                               char **out, vb_error *error);

#endif
