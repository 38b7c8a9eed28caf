// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "help": a page for each verb, the man page and completion for shells, from the same
// tables.
#include "base/version.h"
#include "cli/cli.h"
#include "cli/page.h"
#include "cli/solver_page.h"

#include <stdio.h>
#include <string.h>

typedef struct settings {
  bool man;
  int shell; ///< -1: none
} settings;

static const vb_cli_option options[] = {
    {"man", NULL, "help: print the man page (roff)", 7, vb_take_switch, VB_AT(man)},
    {"completion", "bash|zsh|fish", "help: print the completion for this shell", 7, vb_take_word,
     VB_AT(shell)},
    {0}};

/// Whether the verb is a word, and no option that stands alone.
static bool is_word(const vb_verb *verb) {
  return verb->name[0] != '-';
}

static void print_options(const vb_verb *verb, vb_option_visit *visit) {
  vb_page_options(verb, visit, (void *)verb);
}

/// Prints text between single quotes of a shell, without those that it has.
static void print_quoted(const char *text) {
  putchar('\'');
  for (; *text; text++)
    putchar(*text == '\'' ? ' ' : *text);
  putchar('\'');
}

static void print_man_text(const char *text) {
  for (; *text; text++)
    fputs(*text == '-' ? "\\-" : *text == '\\' ? "\\e" : (char[]){*text, '\0'}, stdout);
}

static void print_man_option(const vb_cli_option *option, const char *help, void *context) {
  (void)context;
  fputs(".TP\n.B \\-\\-", stdout);
  print_man_text(option->name);
  printf("%s%s\n", option->value ? " " : "", option->value ? option->value : "");
  print_man_text(help);
  putchar('\n');
}

static void print_man(void) {
  printf(".TH VIPERBENCH 1 \"\" \"viperbench %s\"\n.SH NAME\nviperbench \\- tests and benchmarks "
         "simulations of elastic rods\n.SH SYNOPSIS\n.B viperbench\nCOMMAND [ARGUMENT...]\n"
         ".SH COMMANDS\n",
         VB_VERSION);
  for (const vb_verb *const *v = vb_verbs; *v; v++) {
    if (!is_word(*v))
      continue;
    for (int k = 0; k < 2 && (*v)->help[k][0]; k++) {
      fputs(".SS ", stdout);
      print_man_text((*v)->help[k][0]);
      putchar('\n');
      print_man_text((*v)->help[k][1]);
      fputs(".\n", stdout);
    }
    print_options(*v, print_man_option);
    if ((*v)->examples) {
      fputs(".PP\nExamples:\n.nf\n", stdout);
      print_man_text((*v)->examples);
      fputs(".fi\n", stdout);
    }
  }
  fputs(".SH EXIT STATUS\n", stdout);
  print_man_text(VB_EXIT_CODES);
  putchar('\n');
}

/// Prints the words of which an option takes one, with blanks between them: those that its value
/// lists, the solvers, the names of their options, or the choices of their option of that name.
static void print_values(const vb_cli_option *option) {
  if (option->value && strchr(option->value, '|') &&
      !strpbrk(option->value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    for (const char *c = option->value; *c; c++)
      putchar(*c == '|' ? ' ' : *c);
  else if (option->value &&
           (strcmp(option->value, "NAME") == 0 || strcmp(option->name, "option") == 0))
    vb_cli_print_choices(stdout, option->name);
}

static void print_bash_value(const vb_cli_option *option, const char *help, void *context) {
  (void)help, (void)context;
  if (!option->value)
    return;
  printf(" --%s) values='", option->name);
  print_values(option);
  fputs("' ;;", stdout);
}

static void print_bash_option(const vb_cli_option *option, const char *help, void *context) {
  (void)help, (void)context;
  printf(" --%s", option->name);
}

/// Completion for bash: verbs, then the options of the verb, studies and files.
static void print_bash(void) {
  fputs("# Completion of viperbench for bash.\n_viperbench() {\n  local "
        "cur=${COMP_WORDS[COMP_CWORD]} "
        "verb=${COMP_WORDS[1]} options values=\n"
        "  local before=${COMP_WORDS[COMP_CWORD - 1]}\n"
        "  [ \"$before\" != = ] || before=${COMP_WORDS[COMP_CWORD - 2]}\n  if [ \"$COMP_CWORD\" = "
        "1 ]; then\n"
        "    COMPREPLY=($(compgen -W \"",
        stdout);
  for (const vb_verb *const *v = vb_verbs; *v; v++)
    printf("%s ", (*v)->name);
  fputs("--help --version\" -- \"$cur\"))\n    return\n  fi\n  case $verb in\n", stdout);
  for (const vb_verb *const *v = vb_verbs; *v; v++) {
    printf("    %s) options='", (*v)->name);
    print_options(*v, print_bash_option);
    fputs(" --help'; case $before in", stdout);
    print_options(*v, print_bash_value);
    fputs(" esac ;;\n", stdout);
  }
  fputs(
      "  esac\n  if [ -n \"$values\" ]; then\n"
      "    COMPREPLY=($(compgen -W \"$values\" -- \"$cur\"))\n    return\n  fi\n"
      "  case $cur in\n    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$cur\")) ;;\n"
      "    *) COMPREPLY=($(compgen -f -- \"$cur\"))\n"
      "       case $verb in run|join|info|bench|plot)\n"
      "         COMPREPLY+=($(compgen -W \"$(\"${COMP_WORDS[0]}\" list --names 2>/dev/null)\" -- "
      "\"$cur\")) ;;\n       esac ;;\n  esac\n}\ncomplete -o filenames -F _viperbench viperbench\n",
      stdout);
}

static void print_zsh_value(const vb_cli_option *option, const char *help, void *context) {
  (void)help, (void)context;
  if (!option->value)
    return;
  printf(" --%s) values=(", option->name);
  print_values(option);
  fputs(") ;;", stdout);
}

static void print_zsh_option(const vb_cli_option *option, const char *help, void *context) {
  (void)help, (void)context;
  printf(" --%s", option->name);
}

static void print_zsh(void) {
  fputs("#compdef viperbench\n# Completion of viperbench for zsh.\n_viperbench() {\n"
        "  local -a verbs options values\n  verbs=(\n",
        stdout);
  for (const vb_verb *const *v = vb_verbs; *v; v++)
    if (is_word(*v)) {
      char line[300];
      snprintf(line, sizeof line, "%s:%s", (*v)->name, (*v)->help[0][1]);
      fputs("    ", stdout);
      print_quoted(line);
      putchar('\n');
    }
  fputs("  )\n  if (( CURRENT == 2 )); then\n    _describe command verbs\n    return\n  fi\n"
        "  case $words[2] in\n",
        stdout);
  for (const vb_verb *const *v = vb_verbs; *v; v++)
    if (is_word(*v)) {
      printf("    %s) options=(", (*v)->name);
      print_options(*v, print_zsh_option);
      fputs(" --help); case $words[CURRENT-1] in", stdout);
      print_options(*v, print_zsh_value);
      fputs(" esac ;;\n", stdout);
    }
  fputs("  esac\n  if (( $#values )); then\n    compadd -- $values\n    return\n  fi\n"
        "  compadd -- $options\n  case $words[2] in\n    run|join|info|bench|plot) compadd "
        "-- "
        "${(f)\"$($words[1] list --names 2>/dev/null)\"} ;;\n  esac\n  _files\n}\n_viperbench "
        "\"$@\"\n",
        stdout);
}

static void print_fish_option(const vb_cli_option *option, const char *help, void *context) {
  const vb_verb *verb = context;
  printf("complete -c viperbench -n '__fish_seen_subcommand_from %s' -l %s %s-d ", verb->name,
         option->name, option->value ? "-r " : "");
  if (option->value) {
    fputs("-a '", stdout);
    print_values(option);
    fputs("' ", stdout);
  }
  print_quoted(help);
  putchar('\n');
}

static void print_fish(void) {
  puts("# Completion of viperbench for fish.");
  for (const vb_verb *const *v = vb_verbs; *v; v++)
    if (is_word(*v)) {
      printf("complete -c viperbench -n __fish_use_subcommand -a %s -d ", (*v)->name);
      print_quoted((*v)->help[0][1]);
      putchar('\n');
      print_options(*v, print_fish_option);
    }
  puts("complete -c viperbench -n '__fish_seen_subcommand_from run join info bench plot' -a "
       "'(viperbench list --names 2>/dev/null)'");
}

static void print_overview(void) {
  vb_page_overview(stdout);
  vb_page_exit_codes(stdout);
}

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  static void (*const print[])(void) = {print_bash, print_zsh, print_fish};
  if (cli->n_arguments + s->man + (s->shell >= 0) > 1)
    return vb_bad_input(error, "help takes one command, --man or --completion SHELL");
  if (s->man)
    print_man();
  else if (s->shell >= 0)
    print[s->shell]();
  else if (cli->n_arguments == 0)
    print_overview();
  else
    return vb_page_print(cli->arguments[0], error);
  return VB_OK;
}

VB_VERB(help, "[COMMAND]", "print the options and examples of a command", .least = 0,
        .options = options, VB_SETTINGS(.shell = -1),
        .examples = "viperbench help run\n"
                    "viperbench help --completion bash >~/.local/share/bash-completion/completions/"
                    "viperbench\n"
                    "viperbench help --man | man -l -\n");
