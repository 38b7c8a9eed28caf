// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "render": pictures of recorded frames, without a display.
#include "base/nearest_word.h"
#include "base/output_policy.h"
#include "base/process_pool.h"
#include "base/scratch.h"
#include "base/signals.h"
#include "cli/cli.h"
#include "cli/movie.h"
#include "render/picture.h"

#include <errno.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)

_Static_assert(VB_COLOR_SCALE == 0 && VB_COLOR_VOLUME == 1 && VB_COLOR_BODY == 2 &&
                   VB_COLOR_MATERIAL == 3,
               "colors are in the order of --color");
_Static_assert(VB_LIGHT_SOFT == 0 && VB_LIGHT_HARD == 1 && VB_LIGHT_FLAT == 2,
               "lights are in the order of --light");

typedef struct settings {
  vb_picture_plan plan;
  const char *run;
  const char *frame;
  const char *frames; ///< or null
  const char *out;    ///< or null
  int show;           ///< 0: surface, 1: capsules
  const char *ground; ///< in place of those recorded, or null
  const char *movie;  ///< or null
  double rate;        ///< of its pictures [1/s]
  double speed;       ///< seconds of the scene in one of the movie
  bool quiet;
  bool force;
} settings;

/// Reads up to `most` finite numbers between commas; how many there are, or -1.
static int read_numbers(const char *text, int most, double *out) {
  for (int n = 0; n < most; n++) {
    char *end;
    out[n] = strtod(text, &end);
    if (end == text || !isfinite(out[n]))
      return -1;
    if (!*end)
      return n + 1;
    if (*end != ',')
      return -1;
    text = end + 1;
  }
  return -1;
}

static vb_status take_size(const vb_cli_given *given, void *place, vb_error *error) {
  vb_picture_plan *plan = place;
  int end = 0;
  if (sscanf(given->text, "%9dx%9d%n", &plan->width, &plan->height, &end) == 2 &&
      !given->text[end] && plan->width > 0 && plan->height > 0 &&
      plan->width <= VB_IMAGE_MAX_SIDE && plan->height <= VB_IMAGE_MAX_SIDE)
    return VB_OK;
  return vb_cli_refuse(
      given, "WIDTHxHEIGHT in pixels, each 1 to " TEXT(VB_IMAGE_MAX_SIDE) ", such as 1000x800",
      error);
}

static vb_status take_view(const vb_cli_given *given, void *place, vb_error *error) {
  vb_view *view = place;
  double v[4] = {0, 0, view->zoom, view->lens};
  if (read_numbers(given->text, 4, v) < 2 || fabs(v[1]) > 90 || v[2] <= 0 || v[3] < 0 || v[3] > 150)
    return vb_cli_refuse(given,
                         "AZIMUTH,ELEVATION[,ZOOM[,LENS]] (degrees, elevation from -90 to 90, zoom "
                         "above 0, lens from 0, an orthographic projection, to 150)",
                         error);
  view->azimuth = v[0];
  view->elevation = v[1];
  view->zoom = v[2];
  view->lens = v[3];
  return VB_OK;
}

static vb_status take_look_at(const vb_cli_given *given, void *place, vb_error *error) {
  vb_view *view = place;
  view->aimed = true;
  if (read_numbers(given->text, 3, view->look_at) == 3)
    return VB_OK;
  return vb_cli_refuse(given, "a point X,Y,Z in meters", error);
}

static vb_status take_limits(const vb_cli_given *given, void *place, vb_error *error) {
  vb_picture_plan *plan = place;
  plan->limited = true;
  if (read_numbers(given->text, 2, plan->limits) == 2 && plan->limits[0] < plan->limits[1])
    return VB_OK;
  return vb_cli_refuse(given, "two numbers LOW,HIGH with the lower first", error);
}

static vb_status take_rate(const vb_cli_given *given, void *place, vb_error *error) {
  if (read_numbers(given->text, 1, place) == 1 && *(double *)place > 0 && *(double *)place <= 1000)
    return VB_OK;
  return vb_cli_refuse(given, "pictures per second, up to 1000", error);
}

static vb_status take_speed(const vb_cli_given *given, void *place, vb_error *error) {
  if (read_numbers(given->text, 1, place) == 1 && *(double *)place > 0)
    return VB_OK;
  return vb_cli_refuse(given, "a number above 0, such as 0.1 for a tenth of real time", error);
}

static const vb_cli_option options[] = {
    {VB_OPTION_RUN, VB_AT(run)},
    {VB_OPTION_FRAME, vb_take_text, VB_AT(frame)},
    {"frames", "A:B[:STEP]", "render: frames A to B, with --out NAME-%04d.png", 6, vb_take_text,
     VB_AT(frames)},
    {"movie", "FILE", "render: make a movie of all frames, or of --frames, by ffmpeg", 6,
     vb_take_text, VB_AT(movie)},
    {"rate", "N", "render: pictures per second of the movie (30)", 6, take_rate, VB_AT(rate)},
    {"speed", "X", "render: scene seconds per second of the movie (1)", 6, take_speed,
     VB_AT(speed)},
    {"out", "DIR", "render: the picture", 2, vb_take_text, VB_AT(out)},
    {"size", "SIZE", "render: WIDTHxHEIGHT in pixels (1000x800)", 6, take_size, VB_AT(plan)},
    {"color", "scale|volume_error|body|material", "render: quantity shown by colors (material)", 6,
     vb_take_word, VB_AT(plan.coloring)},
    {"light", "soft|hard|flat", "render: soft or hard shadows, or colors without shading (soft)", 6,
     vb_take_word, VB_AT(plan.light)},
    {"limits", "LOW,HIGH", "render: color limits (those of the drawn frames)", 6, take_limits,
     VB_AT(plan)},
    {"view", "AZ,EL[,ZOOM[,LENS]]", "render: the camera, angles in degrees (30,20,1,30)", 6,
     take_view, VB_AT(plan.view)},
    {"look-at", "X,Y,Z", "render: center of the picture", 6, take_look_at, VB_AT(plan.view)},
    {"show", "surface|pills", "render: what to draw of rods with a surface (surface)", 6,
     vb_take_word, VB_AT(show)},
    {"ground", "Z|none", "render: a ground at this height in place of half-planes", 6, vb_take_text,
     VB_AT(ground)},
    {"plain", NULL, "render: no legend", 6, vb_take_switch, VB_AT(plan.plain)},
    {VB_OPTION_QUIET, VB_AT(quiet)},
    {VB_OPTION_FORCE, VB_AT(force)},
    {0}};

/// Frames first, first + step, ... up to last.
typedef struct frames {
  size_t first, last, step;
} frames;

/// Frame `text` of `n`: a number, from the end where negative, or "last".
static vb_status read_frame(const char *option, const char *text, size_t length, size_t n,
                            const char *path, size_t *out, vb_error *error) {
  char word[32] = "", *end = word;
  bool last = length == 4 && strncmp(text, "last", 4) == 0;
  snprintf(word, sizeof word, "%.*s", (int)length, text);
  long long k = last ? -1 : strtoll(word, &end, 10);
  if (!last && (end == word || *end || length >= sizeof word))
    return vb_bad_input(error, "--%s needs numbers of frames or last, not \"%s\"", option, text);
  if (k >= (long long)n || k < -(long long)n)
    return vb_bad_input(error, "%s has no frame %lld; it has %zu, counted from 0", path, k, n);
  *out = k < 0 ? n - (size_t)-k : (size_t)k;
  return VB_OK;
}

/// Reads A:B or A:B:STEP.
static vb_status read_frames(const char *text, size_t n, const char *path, frames *out,
                             vb_error *error) {
  const char *middle = strchr(text, ':'), *end = middle ? strchr(middle + 1, ':') : NULL;
  char *rest = NULL;
  long long step = end ? strtoll(end + 1, &rest, 10) : 1;
  if (!middle || step < 1 || (end && (rest == end + 1 || *rest)))
    return vb_bad_input(
        error, "--frames needs FIRST:LAST or FIRST:LAST:STEP, such as 0:last:2, not \"%s\"", text);
  size_t length = end ? (size_t)(end - middle - 1) : strlen(middle + 1);
  vb_status status =
      read_frame("frames", text, (size_t)(middle - text), n, path, &out->first, error);
  if (!status)
    status = read_frame("frames", middle + 1, length, n, path, &out->last, error);
  if (!status && out->last < out->first)
    status = vb_bad_input(error, "--frames %s: the last comes before the first", text);
  out->step = (size_t)step;
  return status;
}

static vb_status choose_frames(const settings *s, const vb_recording *r, frames *out,
                               vb_error *error) {
  if (s->frames)
    return read_frames(s->frames, r->time.n, r->place.path, out, error);
  *out = (frames){0, r->time.n - 1, 1};
  if (s->movie && r->time.n)
    return VB_OK;
  vb_status status =
      read_frame("frame", s->frame, strlen(s->frame), r->time.n, r->place.path, &out->first, error);
  out->last = out->first;
  out->step = 1;
  return status;
}

/// Where a name has its frame's number: "%04d" and the like. Null where it has no or several.
static const char *find_number(const char *name, size_t *length) {
  const char *at = strchr(name, '%');
  if (!at)
    return NULL;
  *length = 1 + strspn(at + 1, "0123456789") + 1;
  bool valid = at[*length - 1] == 'd' && *length <= 5 && !strchr(at + 1, '%');
  return valid ? at : NULL;
}

static vb_status name_picture(const settings *s, const vb_recording *r, size_t k, char *out,
                              size_t size, vb_error *error) {
  size_t length = 0;
  int wrote;
  if (!s->out) {
    const char *path = r->place.path, *dot = strstr(path, ".h5");
    wrote = snprintf(out, size, "%.*s%s%s-%04zu.png", (int)(dot ? dot - path : (long)strlen(path)),
                     path, r->place.run ? "-" : "", r->place.run ? r->place.run : "", k);
  } else if (strchr(s->out, '%')) {
    const char *at = find_number(s->out, &length);
    if (!at)
      return vb_bad_input(error, "--out needs one number in its name, such as %%04d, not \"%s\"",
                          s->out);
    int width = (int)strtol(at + 1, NULL, 10);
    wrote = snprintf(out, size, "%.*s%0*zu%s", (int)(at - s->out), s->out, width, k, at + length);
  } else {
    wrote = snprintf(out, size, "%s", s->out);
  }
  return wrote < (int)size ? VB_OK : vb_bad_input(error, "the name is too long");
}

/// Takes the view that the run's study gives, unless the command line has one.
static void take_study_view(vb_cli *cli, vb_run_location place) {
  settings *s = cli->settings;
  vb_array list;
  vb_error none = {0};
  bool there = false;
  if (vb_cli_find(cli, "view") || vb_run_has(place, "scenario/view", &there, &none) || !there ||
      vb_run_array(place, "scenario/view", VB_NO_FRAME, &list, &none))
    return;
  const double *v = list.values;
  if (list.n * list.width == 4 && vb_array_is_finite(&list) && fabs(v[1]) <= 90 && v[2] > 0 &&
      v[3] >= 0 && v[3] <= 150) {
    s->plan.view.azimuth = v[0];
    s->plan.view.elevation = v[1];
    s->plan.view.zoom = v[2];
    s->plan.view.lens = v[3];
  }
  vb_array_free(&list);
}

/// Adds or takes away what --ground says.
static vb_status set_ground(const char *text, vb_recording *r, vb_error *error) {
  double height;
  if (!text)
    return VB_OK;
  r->n_grounds = 0;
  if (strcmp(text, "none") == 0)
    return VB_OK;
  if (read_numbers(text, 1, &height) != 1)
    return vb_bad_input(error, "--ground needs a height in meters or none, not \"%s\"", text);
  vb_ground *ground = realloc(r->ground, sizeof *ground);
  if (!ground)
    return vb_error_memory(error);
  r->ground = ground;
  *ground = (vb_ground){{0, 0, 1}, height};
  r->n_grounds = 1;
  return VB_OK;
}

/// Of an index file the run that is named, or its only one. `*names` holds what `place` borrows.
static vb_status choose_run(const char *path, const char *run, vb_run_location *place,
                            vb_texts *names, vb_error *error) {
  bool index;
  *place = (vb_run_location){path, NULL};
  vb_status status = vb_results_has(path, "/scenario/runs", &index, error);
  if (!status && !index && run)
    status = vb_bad_input(error, "%s is the file of one run; leave out --run", path);
  if (status || !index)
    return status;
  status = vb_results_texts(path, "/scenario/runs", names, error);
  for (size_t i = 0; !status && i < names->n; i++)
    if (run ? strcmp(names->texts[i], run) == 0 : names->n == 1)
      place->run = names->texts[i];
  if (status || place->run)
    return status;
  if (names->n == 0)
    return vb_bad_input(error, "%s is the index of no runs", path);
  const char *near = run ? vb_nearest_word(run, (const char *const *)names->texts, names->n) : NULL;
  if (near)
    return vb_bad_input(error, "%s has no run \"%s\"; did you mean \"%s\"?", path, run, near);
  return vb_bad_input(error,
                      "%s is the index of %zu run%s%s%s; choose one by --run NAME (\"%s\" is the "
                      "first)",
                      path, names->n, names->n == 1 ? "" : "s", run ? ", none of them " : "",
                      run ? run : "", names->texts[0]);
}

/// The pictures of one call, drawn several at a time.
typedef struct album {
  const settings *asked;
  const vb_picture_setting *setting;
  const vb_recording *recording;
  frames frames;
  const char *folder;  ///< of a movie's pictures, or null
  vb_movie_plan times; ///< of a movie
  size_t *first;       ///< (n) of a movie: the first picture of each frame that is drawn
  vb_error *errors;    ///< one per picture, in memory that child processes share
  size_t n_drawn;      ///< pictures that processes have finished
  bool alone;          ///< in this process
} album;

/// Number of the frame that is drawn as number `i`.
static size_t frame_of(const album *a, size_t i) {
  if (a->first)
    return a->times.frame[a->first[i]];
  return a->frames.first + i * a->frames.step;
}

static vb_status name_of(const album *a, size_t i, char *out, size_t size, vb_error *error) {
  if (a->folder)
    return vb_movie_name_picture(a->folder, a->first[i], out, size, error);
  return name_picture(a->asked, a->recording, frame_of(a, i), out, size, error);
}

static void draw_one(void *context, size_t i) {
  const album *a = context;
  const vb_recording *r = a->recording;
  char path[4096], subject[4200];
  vb_error *error = &a->errors[i];
  vb_image image;
  bool mute;
  if (!a->alone)
    omp_set_num_threads(1); // the other processors draw other frames
  if (name_of(a, i, path, sizeof path, error) ||
      vb_picture_draw(&a->asked->plan, a->setting, r, frame_of(a, i), &image, &mute, error))
    return;
  const char *slash = strrchr(r->place.path, '/');
  snprintf(subject, sizeof subject, "frame %zu of %s%s%s", frame_of(a, i),
           slash ? slash + 1 : r->place.path, r->place.run ? ", run " : "",
           r->place.run ? r->place.run : "");
  vb_status status =
      vb_image_write_png(&image, path, a->folder || a->asked->out != NULL, subject, error);
  vb_image_clear(&image);
  if (!status && mute && i == 0)
    fprintf(stderr, "viperbench: fonts-dejavu-core is not installed; the legend has no text\n");
}

static void note_end(void *context, size_t i, int ended) {
  album *a = context;
  bool good = WIFEXITED(ended) && WEXITSTATUS(ended) == EXIT_SUCCESS;
  a->n_drawn += good && !a->errors[i].status;
  if (!a->errors[i].status && !good)
    vb_error_write(&a->errors[i], VB_FAILED, "the process that drew frame %zu ended early",
                   frame_of(a, i));
}

/// What a signal left.
static vb_status tell_stop(const album *a, size_t n, vb_error *error) {
  if (a->folder)
    return vb_error_set(error, VB_INTERRUPTED,
                        "stopped: %s is not written; %zu of its %zu frames were drawn",
                        a->asked->movie, a->n_drawn, n);
  return vb_error_set(error, VB_INTERRUPTED, "stopped: %zu of %zu pictures are written", a->n_drawn,
                      n);
}

/// Draws `n` pictures: one here, several in processes.
static vb_status draw_pictures(album *a, size_t n, vb_error *error) {
  size_t *items = calloc(n, sizeof *items);
  if (!items)
    return vb_error_memory(error);
  for (size_t i = 0; i < n; i++)
    items[i] = i;
  int most = omp_get_num_procs();
  vb_pool pool = {.jobs = (size_t)most < n ? most : (int)n,
                  .run_item = draw_one,
                  .ended = note_end,
                  .context = a};
  a->alone = n == 1;
  vb_status status = VB_OK;
  if (a->alone) {
    draw_one(a, 0);
  } else {
    vb_signals_install();
    status = vb_pool_run(&pool, items, n, error);
  }
  free(items);
  if (!status && vb_signal_caught())
    status = tell_stop(a, n, error);
  for (size_t i = 0; !status && i < n; i++) {
    char path[4096];
    if (a->errors[i].status) {
      *error = a->errors[i];
      status = error->status;
    } else if (!a->folder && !a->asked->quiet && !name_of(a, i, path, sizeof path, error)) {
      printf("%s\n", path);
    }
  }
  return status;
}

/// Makes sure that no file is in the place of the movie or of one of the `n` pictures.
static vb_status check_outputs(const album *a, size_t n, vb_error *error) {
  const vb_output_policy policy = {(char **)&a->recording->place.path, 1, .force = a->asked->force};
  char path[4096];
  vb_status status = VB_OK;
  if (a->asked->movie)
    return vb_output_check(&policy, a->asked->movie, error);
  for (size_t i = 0; !status && i < n; i++) {
    status = name_of(a, i, path, sizeof path, error);
    if (!status)
      status = vb_output_check(&policy, path, error);
  }
  return status;
}

/// Chooses the frame of each picture of a movie; `*n` is how many differ. Tells how long it will
/// be.
static vb_status plan_movie(album *a, size_t *n, vb_error *error) {
  const settings *s = a->asked;
  vb_movie_plan *t = &a->times;
  vb_status status = vb_movie_plan_make(a->recording->time.values, a->frames.first, a->frames.last,
                                        a->frames.step, s->speed, s->rate, t, error);
  if (status)
    return status;
  a->first = calloc(t->n, sizeof *a->first);
  if (!a->first)
    return vb_error_memory(error);
  *n = 0;
  for (size_t j = 0; j < t->n; j++)
    if (j == 0 || t->frame[j] != t->frame[j - 1])
      a->first[(*n)++] = j;
  if (!s->quiet) {
    printf("%s: %.3g s at %g times real time; %zu pictures, %g a second, of %zu frames\n", s->movie,
           (double)t->n / s->rate, s->speed, t->n, s->rate, *n);
    fflush(stdout);
  }
  return VB_OK;
}

/// Gives a picture that shows the frame before once more its own name.
static vb_status repeat_pictures(const album *a, vb_error *error) {
  char from[4096], to[4096];
  vb_status status = VB_OK;
  for (size_t j = 1; !status && j < a->times.n; j++) {
    if (a->times.frame[j] != a->times.frame[j - 1])
      continue;
    status = vb_movie_name_picture(a->folder, j - 1, from, sizeof from, error);
    if (!status)
      status = vb_movie_name_picture(a->folder, j, to, sizeof to, error);
    if (!status && link(from, to) < 0)
      status = vb_error_set(error, VB_CANNOT_WRITE, "cannot write %s: %s", to, strerror(errno));
  }
  return status;
}

/// Draws the pictures of a movie in a temporary folder, and joins them.
static vb_status draw_movie(album *a, size_t n, vb_error *error) {
  char folder[VB_SCRATCH_PATH];
  vb_status status = vb_scratch_make(folder, error);
  if (status)
    return status;
  a->folder = folder;
  status = draw_pictures(a, n, error);
  if (!status)
    status = repeat_pictures(a, error);
  if (!status)
    status = vb_movie_write(folder, a->asked->rate, a->asked->movie, error);
  vb_scratch_remove(folder);
  a->folder = NULL;
  return status;
}

/// Draws the pictures, and joins them where a movie is asked for.
static vb_status draw_all(album *a, vb_error *error) {
  size_t n = (a->frames.last - a->frames.first) / a->frames.step + 1;
  vb_status status = check_outputs(a, n, error);
  if (!status && a->asked->movie)
    status = vb_movie_check(error);
  if (!status && a->asked->movie)
    status = plan_movie(a, &n, error);
  if (status)
    return status;
  a->errors =
      mmap(NULL, n * sizeof *a->errors, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (a->errors == MAP_FAILED)
    return vb_error_memory(error);
  status = a->asked->movie ? draw_movie(a, n, error) : draw_pictures(a, n, error);
  munmap(a->errors, n * sizeof *a->errors);
  return status;
}

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  vb_picture_setting setting;
  vb_run_location place = {NULL, NULL};
  vb_texts names = {0};
  vb_recording r = {.n_grounds = 0};
  frames f = {0, 0, 1};
  size_t length;
  if (s->movie && s->out)
    return vb_bad_input(error, "render takes --out or --movie, not both");
  if (s->frames && s->out && !find_number(s->out, &length))
    return vb_bad_input(
        error, "--frames needs a number in the name of --out, such as %%04d, not \"%s\"", s->out);
  vb_status status = choose_run(cli->arguments[0], s->run, &place, &names, error);
  if (!status)
    status = vb_recording_open(place, s->show == 1, &r, error);
  if (!status)
    take_study_view(cli, place);
  if (!status)
    status = set_ground(s->ground, &r, error);
  if (!status)
    status = choose_frames(s, &r, &f, error);
  if (!status)
    status = vb_picture_prepare(&s->plan, &r, f.first, f.last, f.step, &setting, error);
  album pictures = {.asked = s, .setting = &setting, .recording = &r, .frames = f};
  if (!status)
    status = draw_all(&pictures, error);
  free(pictures.first);
  free(pictures.times.frame);
  vb_recording_close(&r);
  vb_texts_free(&names);
  return status;
}

VB_VERB(render, "FILE", "draw frames as PNG pictures", .least = 1, .wants = "a results file",
        .options = options,
        VB_SETTINGS(.plan = {.width = 1000,
                             .height = 800,
                             .view = {30, 20, 1, 30, false, {0}},
                             .coloring = VB_COLOR_MATERIAL},
                    .frame = "-1", .rate = 30, .speed = 1),
        .examples =
            "viperbench render results/free_flight.h5 --color scale\n"
            "viperbench render results/free_flight.h5 --movie flight.mp4\n"
            "viperbench render results/shockwave.h5 --run pulse --movie pulse.mp4 --speed 0.1\n"
            "viperbench render results/free_flight.h5 --frames 0:last --out movie-%04d.png\n");
