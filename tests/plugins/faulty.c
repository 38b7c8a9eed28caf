// SPDX-License-Identifier: GPL-3.0-or-later
/// A plug-in that is at fault in the way that the environment variable VB_FAULT names: the
/// mass-spring rod of the template with one function replaced. Without the variable it is that rod,
/// with a residual of 0, steps that it says converge, and an option
/// that does nothing.
#define vb_plugin mass_spring
#include "../../src/solver/template/mass_spring.c"
#undef vb_plugin

#include "../../src/solver/plugin/channel.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

__attribute__((visibility("default"))) const vb_solver *vb_plugin(void);

static vb_solver faulty;
static vb_solver_description about;
static vb_option_info option[2];
static vb_field field[N_FIELDS];
static char word[16] = "a";

static bool is(const char *fault) {
  const char *asked = getenv("VB_FAULT");
  return asked && strcmp(asked, fault) == 0;
}

__attribute__((noinline)) static void crash(void) {
  *(volatile int *)16 = 0;
}

__attribute__((constructor)) static void opened(void) {
  if (is("crash when opened"))
    crash();
  if (is("exit when opened"))
    exit(7);
}

/// Uses all of the stack.
__attribute__((noinline)) static int deeper(int depth) {
  volatile char room[4096];
  room[0] = (char)depth;
  return depth < 1000000000 ? deeper(depth + 1) + room[0] : 0;
}

/// The head of the memory that is shared with the host, which is not this plug-in's.
static vb_channel_head *head(void) {
  return mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE, MAP_SHARED, VB_FD_MEMORY,
              0);
}

/// Answers the host in place of the program.
static void forge(vb_status status) {
  head()->status = (uint32_t)status;
  send(VB_FD_SOCKET, "!", 1, 0);
  pause();
}

/// Writes to the head, from a process of its own, as long as that lives.
static void scribble(void) {
  volatile uint8_t *at = (volatile uint8_t *)head();
  if (fork())
    return;
  for (uint64_t seed = 1;; seed = seed * UINT64_C(6364136223846793005) + 1)
    at[(seed >> 32) % sizeof(vb_channel_head)] = (uint8_t)(seed >> 56);
}

/// Writes to descriptors and memory that are the host's.
static void meddle(void) {
  static const char much[1000] = "?";
  if (is("step truncates the shared memory"))
    for (int i = 0; i < 2; i++)
      (void)!ftruncate(VB_FD_MEMORY, 0);
  if (is("step sends a byte"))
    send(VB_FD_SOCKET, "!", 1, 0);
  if (is("step sends much"))
    send(VB_FD_SOCKET, much, sizeof much, 0);
  if (is("step sends nothing"))
    send(VB_FD_SOCKET, much, 0, 0);
  if (is("step makes up an answer"))
    forge((vb_status)77);
  if (is("step answers without a reason"))
    forge(VB_FAILED);
  if (is("step tells of less memory"))
    head()->bytes = (uint64_t)sysconf(_SC_PAGESIZE) + 1, forge(VB_OK);
  if (is("step tells of more memory"))
    head()->bytes = UINT64_MAX / 2, forge(VB_OK);
  if (is("step answers without an end"))
    memset(head()->message, 'x', sizeof head()->message + 1000), forge(VB_FAILED);
}

/// Starts processes that stay: one, and one that has left its group, its session and its parent.
static void leave_processes(void) {
  for (int daemon = 0; daemon < 2; daemon++) {
    if (fork())
      continue;
    if (daemon && (setsid() < 0 || fork()))
      _exit(0);
    for (;;)
      pause();
  }
}

static const vb_solver_description *describe_faulty(const vb_solver *solver) {
  static int asked;
  (void)solver;
  asked++;
  if (is("describe crashes"))
    crash();
  if (is("describe changes"))
    about.long_name = asked % 2 ? "odd" : "even";
  return is("describe null") ? NULL : &about;
}

static vb_status create_faulty(const vb_solver *solver, const vb_scene *scene,
                               const vb_option *options, size_t n_options, void **out,
                               vb_error *error) {
  static int made;
  if (is("create crashes"))
    crash();
  if (is("create refuses"))
    return vb_error_set(error, VB_UNAVAILABLE, "this rod is not for me");
  if (is("create says nothing"))
    return VB_BAD_INPUT;
  if (is("create writes and fails")) {
    *out = &faulty;
    return vb_error_set(error, VB_BAD_INPUT, "not today");
  }
  if (is("create writes nothing"))
    return VB_OK;
  vb_option mine[8];
  size_t n = 0;
  for (size_t i = 0; i < n_options && n < 8; i++) {
    bool known = strcmp(options[i].name, "word") == 0;
    if (!known && !(is("create takes anything") && strcmp(options[i].name, "substeps") != 0))
      mine[n++] = options[i];
  }
  vb_status status = create(solver, scene, mine, n, out, error);
  if (!status && is("instances differ"))
    ((rod *)*out)->now.x[0] += 1e-12 * made++;
  return status;
}

static vb_status set_option_faulty(void *self, const char *name, const char *value,
                                   vb_error *error) {
  if (is("set_option takes anything"))
    return VB_OK;
  if (is("set_option needs an error") && strcmp(name, "substeps") != 0) {
    error->status = VB_BAD_INPUT;
    strcpy(error->message, "no");
    return VB_BAD_INPUT;
  }
  if (is("set_option changes the state"))
    ((rod *)self)->now.v[3] += 1;
  if (strcmp(name, "word") == 0)
    return vb_error_set(error, VB_BAD_INPUT, "the word is fixed");
  return set_option(self, name, value, error);
}

static vb_status get_option_faulty(void *self, const char *name, char *out, size_t size,
                                   vb_error *error) {
  if (is("get_option never ends")) {
    memset(out, 'x', size);
    return VB_OK;
  }
  if (is("get_option writes too much"))
    memset(out, 0, size + 1);
  if (is("get_option counts"))
    return snprintf(out, size, "%d", ++((rod *)self)->substeps), VB_OK;
  if (strcmp(name, "word") == 0)
    return snprintf(out, size, "%s", word), VB_OK;
  return get_option(self, name, out, size, error);
}

static vb_status step_faulty(void *self, int64_t n, vb_error *error) {
  rod *r = self;
  bool later = *r->now.n_steps >= 6; // some go wrong only after a while
  const char *fault = getenv("VB_FAULT");
  if (is("step never moves"))
    return VB_OK;
  if (later)
    meddle();
  if (is("step scribbles") && *r->now.n_steps == 6)
    scribble();
  if (fault && strncmp(fault, "step leaves processes", 21) == 0 && *r->now.n_steps == 0)
    leave_processes();
  if (is("step leaves processes and crashes") && later)
    crash();
  if (is("step crashes") && later)
    crash();
  if (is("step aborts") && later)
    abort();
  if (is("step exits") && later)
    exit(3);
  if (is("step overflows the stack") && later)
    return deeper(0) ? VB_OK : VB_FAILED;
  if (is("step is killed") && later)
    raise(SIGKILL);
  while ((is("step hangs") || is("step leaves processes and hangs")) && later)
    pause();
  if (is("step takes memory"))
    memset(malloc((size_t)4 << 30), 1, 1);
  while (is("step computes for ever"))
    ;
  if (is("step writes to the scene"))
    ((vb_world *)vb_scene_world(r->scene))->step = 1;
  if (is("step fails") && later)
    return vb_error_set(error, VB_FAILED, "the spring is broken");
  if (is("step makes up a status") && later)
    return (vb_status)42;
  if (is("step crashes in large scenes") && r->n_nodes > 6)
    crash();
  if (is("step counts calls") && n > 0)
    n = 1;
  return step(self, n, error);
}

static vb_status sync_faulty(void *self, vb_divergence *divergence, vb_error *error) {
  vb_status status = sync_steps(self, divergence, error);
  if (is("sync is unsure"))
    memset(&divergence->diverged, 77, 1);
  if (is("sync writes too much"))
    memset(divergence + 1, 0, 1);
  if (is("sync tells of divergence") && *((rod *)self)->now.n_steps >= 6)
    *divergence = (vb_divergence){true, 6, "the faulty rod was told to diverge"};
  return status;
}

static size_t state_size_faulty(const void *self) {
  static size_t asked;
  return state_size(self) + (is("state_size grows") ? asked++ : 0);
}

static vb_status save_faulty(void *self, void *out, vb_error *error) {
  rod *r = self;
  if (is("save is short")) {
    memcpy(out, r->now.x, r->now.bytes - 16);
    return VB_OK;
  }
  vb_status status = save(self, out, error);
  if (is("save forgets velocities"))
    memset((double *)out + 3 * r->n_nodes, 0, 3 * r->n_nodes * sizeof(double));
  return status;
}

static vb_status restore_faulty(void *self, const void *from, vb_error *error) {
  if (is("restore writes"))
    memset((char *)from, 0, 1);
  return is("restore does nothing") ? VB_OK : restore(self, from, error);
}

static size_t count_faulty(const void *self, size_t at) {
  if (is("count of nodes is odd") && at == SCALE)
    return count(self, at) + 1;
  return is("count of all") && at >= N_FIELDS ? 1 : count(self, at);
}

static vb_status read_faulty(void *self, size_t at, double *out, vb_error *error) {
  rod *r = self;
  size_t n = 3 * r->n_nodes;
  if (is("read of anything") && at >= N_FIELDS)
    return VB_OK;
  if (is("read is short") && at == POSITION) {
    memcpy(out, r->now.x, (n - 1) * sizeof *out);
    return VB_OK;
  }
  vb_status status = read_field(self, at, out, error);
  if (at != POSITION)
    return status;
  if (is("read gives NaN") && *r->now.n_steps >= 6)
    out[4] = NAN;
  if (is("read writes beyond the end"))
    out[n] = 0;
  if (is("read writes far beyond the end"))
    memset(out + n, 0, 64);
  if (is("read writes before the begin"))
    out[-1] = 0;
  if (is("read writes far before the begin"))
    out[-600] = 0;
  if (is("read changes the state"))
    r->now.v[3] += 1e-9;
  if (is("read fails and writes"))
    return vb_error_set(error, VB_FAILED, "not now");
  return status;
}

static vb_status energies_faulty(void *self, double *out, vb_error *error) {
  vb_status status = energies(self, out, error);
  if (is("energies give infinity") && *((rod *)self)->now.n_steps >= 6)
    out[KINETIC] = INFINITY;
  return status;
}

static vb_status work_faulty(void *self, double *out, vb_error *error) {
  return is("work is not written") ? VB_OK : work(self, out, error);
}

static vb_status convergence_faulty(void *self, vb_convergence *out, vb_error *error) {
  static int64_t asked;
  (void)error;
  *out = (vb_convergence){.evaluated = *((rod *)self)->now.n_steps, .worst = 0.5, .tolerance = 1};
  if (is("convergence misses more than there are"))
    out->missed = out->evaluated + 1;
  if (is("convergence is not finite"))
    out->worst = NAN;
  if (is("convergence does not end"))
    memset(out->what, 'x', sizeof out->what);
  if (is("convergence writes too much"))
    memset(out + 1, 0, 1);
  if (is("convergence counts questions"))
    out->evaluated += asked++;
  return VB_OK;
}

static vb_status residual_faulty(void *self, double *out, vb_error *error) {
  (void)self, (void)error;
  *out = is("residual begins above 0") ? 0.5 : 0;
  return VB_OK;
}

static vb_status reactions_faulty(void *self, double *force, double *torque, vb_error *error) {
  vb_status status = reactions(self, force, torque, error);
  if (is("reactions write beyond the end"))
    memset(torque + 3 * ((rod *)self)->n_drivers, 0, 64);
  return status;
}

static vb_status timings_faulty(void *self, double *out, vb_error *error) {
  static double falling = 1e6;
  vb_status status = timings(self, out, error);
  if (is("timings run back"))
    *out = falling -= 1;
  return status;
}

static void destroy_faulty(void *self) {
  if (is("destroy crashes"))
    crash();
  destroy(self);
}

/// Faults of what the plug-in says of itself.
static void spoil_description(void) {
  if (is("option is the host's"))
    option[1].name = "time_limit";
  if (is("default is not allowed"))
    option[1].default_value = "c";
  if (is("field twice"))
    field[VELOCITY].name = "position";
  if (is("field without unit"))
    field[VELOCITY].unit = NULL;
  if (is("field name with a slash"))
    field[VELOCITY].name = "a/b";
  if (is("field nowhere"))
    field[VELOCITY].location = (vb_location)99;
}

static void spoil_solver(void) {
  if (is("version"))
    faulty.version = 2;
  if (is("scene version"))
    faulty.scene_version = 99;
  if (is("missing functions"))
    faulty.step = NULL, faulty.read = NULL;
  if (is("no describe"))
    faulty.describe = NULL;
}

const vb_solver *vb_plugin(void) {
  if (is("no solver"))
    return NULL;
  faulty = *mass_spring();
  about = *describe(&faulty);
  memcpy(field, about.fields, sizeof field);
  option[0] = about.options[0];
  option[1] = (vb_option_info){"word", "a", "a|b", 0, 0, false, false, "does nothing"};
  about.name = "faulty";
  about.fields = field;
  about.options = option;
  about.n_options = 2;
  about.has_residual = true;
  faulty.describe = describe_faulty;
  faulty.create = create_faulty;
  faulty.set_option = set_option_faulty;
  faulty.get_option = get_option_faulty;
  faulty.step = step_faulty;
  faulty.sync = sync_faulty;
  faulty.state_size = state_size_faulty;
  faulty.save = save_faulty;
  faulty.restore = restore_faulty;
  faulty.count = count_faulty;
  faulty.read = read_faulty;
  faulty.energies = energies_faulty;
  faulty.work = work_faulty;
  faulty.residual = residual_faulty;
  faulty.reactions = reactions_faulty;
  faulty.timings = timings_faulty;
  faulty.destroy = destroy_faulty;
  faulty.convergence = convergence_faulty;
  spoil_description();
  spoil_solver();
  return &faulty;
}
