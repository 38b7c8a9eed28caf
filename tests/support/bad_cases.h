// SPDX-License-Identifier: GPL-3.0-or-later
/// Bad inputs in files, so that one is added without C:
///
///   -- in: scene            what the cases below stand in (a frame), until the next such line
///   -- error: needs "step"  a part of the message, and the begin of a case
///   s:rod{GOOD STUFF}       the input; a word of capitals that is in the list stands for its text
#ifndef VB_TESTS_SUPPORT_BAD_CASES_H
#define VB_TESTS_SUPPORT_BAD_CASES_H

#include "base/arena.h"
#include "base/text.h"
#include "test.h"

#include <glob.h>

/// A word of capitals, and its text. A list of them ends with a null.
typedef struct case_word {
  const char *word, *text;
} case_word;

/// A text with one "@" in the place of a case. A list of them ends with a null.
typedef struct case_frame {
  const char *name, *text;
  const char *file, *command; ///< that the text is written to, and that reads it; or null
} case_frame;

typedef struct bad_case {
  char *place; ///< "FILE:LINE"
  char *message, *text;
  const case_frame *frame;
} bad_case;

typedef struct bad_cases {
  const case_frame *frames;
  const case_word *words;
  bad_case *list;
  size_t n;
} bad_cases;

/// Cases are read before there is a test that could fail.
static inline void demand(bool good, const char *place, const char *what) {
  if (good)
    return;
  fprintf(stderr, "%s: %s\n", place, what);
  exit(EXIT_FAILURE);
}

/// Adds a text whose words are replaced.
static inline void put_words(FILE *out, const case_word *words, const char *text) {
  while (*text) {
    size_t n = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    const case_word *word = words;
    while (word->word && (strlen(word->word) != n || strncmp(word->word, text, n) != 0))
      word++;
    if (word->word)
      fputs(word->text, out);
    else
      fprintf(out, "%.*s", (int)(n ? n : 1), text);
    text += n ? n : 1;
  }
}

/// The frame of that name.
static inline const case_frame *find_frame(const bad_cases *cases, const char *name) {
  const case_frame *frame = cases->frames;
  while (frame->name && strcmp(frame->name, name) != 0)
    frame++;
  demand(frame->name != NULL, name, "is nothing for a case to stand in");
  return frame;
}

/// The text of a case in its frame.
static inline char *surround(const bad_cases *cases, const case_frame *frame, const char *text) {
  char *whole = NULL;
  size_t size;
  FILE *out = open_memstream(&whole, &size);
  const char *middle = strchr(frame->text, '@');
  fprintf(out, "%.*s", (int)(middle - frame->text), frame->text);
  put_words(out, cases->words, text);
  fputs(middle + 1, out);
  demand(fclose(out) == 0, frame->name, "no memory");
  return whole;
}

/// Ends the case that is being read: blank lines at its end are none of it.
static inline void end_case(bad_cases *cases, const case_frame *frame, char *text) {
  size_t n = strlen(text);
  while (n > 0 && text[n - 1] == '\n')
    text[--n] = '\0';
  bad_case *last = cases->n > 0 ? &cases->list[cases->n - 1] : NULL;
  if (last && !last->text) {
    last->frame = frame;
    last->text = surround(cases, frame, text);
  }
  text[0] = '\0';
}

static inline void read_cases(const char *path, bad_cases *cases) {
  char line[512], name[32], text[2048] = "";
  int number = 0;
  const case_frame *frame = cases->frames;
  FILE *file = fopen(path, "r");
  demand(file != NULL, path, "cannot be opened");
  while (fgets(line, sizeof line, file)) {
    number++;
    if (strncmp(line, "-- in: ", 7) == 0) {
      end_case(cases, frame, text);
      snprintf(name, sizeof name, "%.*s", (int)strcspn(line + 7, "\n"), line + 7);
      frame = find_frame(cases, name);
    } else if (strncmp(line, "-- error: ", 10) == 0) {
      end_case(cases, frame, text);
      bad_case *added = VB_APPEND(cases->list, cases->n);
      demand(added && asprintf(&added->place, "%s:%d", path, number) > 0, path, "no memory");
      added->message = strndup(line + 10, strcspn(line + 10, "\n"));
    } else {
      demand(vb_text_add(text, sizeof text, "%s", line), path, "a case is too long");
    }
  }
  end_case(cases, frame, text);
  fclose(file);
}

/// All cases of the files that are like `pattern`, by name. Without a frame they stand in the
/// first.
static inline bad_cases find_cases(const char *pattern, const case_frame *frames,
                                   const case_word *words) {
  bad_cases cases = {.frames = frames, .words = words};
  glob_t found;
  demand(glob(pattern, 0, NULL, &found) == 0, pattern, "there is no such file");
  for (size_t i = 0; i < found.gl_pathc; i++)
    read_cases(found.gl_pathv[i], &cases);
  globfree(&found);
  return cases;
}

#endif
