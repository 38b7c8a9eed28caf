// SPDX-License-Identifier: GPL-3.0-or-later
/// The CUDA backend: memory, streams and graphs. Built only where there is nvcc. All of a step is
/// queued without waiting for the device: one graph, made once for the settings at hand, or the
/// same kernels one by one.
#include "solver/solver.h"
#include "viper/cost.h"
#include "viper/cuda/image.h"
#include "viper/cuda/kernels.h"
#include "viper/cuda/skin_cuda.h"
#include "viper/cuda/try.h"
#include "viper/skin.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Steps whose moving pins and loads may wait in line for the device.
#define SLOTS 32

typedef struct backend {
  const viper_model *model;
  viper_method method;
  bool fast;
  viper_kinds kinds;
  viper_teams teams;
  const viper_image_api *api;
  const viper_kernels *kernels;
  void *image;
  const void *device; ///< viper_device
  viper_image_bytes bytes;
  int grid_blocks;       ///< of a team that is the grid
  double cache;          ///< bytes of the second-level cache of the device
  viper_skin_cuda *skin; ///< null where the scene has no surface
  // On the device
  char *d_rest, *d_state, *d_near, *d_moving;
  int32_t *d_bodies;
  // On the host, pinned
  char *h_state;
  char *h_moving; ///< [SLOTS][substeps] blocks `moving`
  cudaEvent_t taken[SLOTS];
  cudaStream_t stream;
  cudaGraphExec_t graph;
  viper_settings captured; ///< what the graph was made for
  double captured_h;
  int room;                     ///< substeps that there is room for in d_moving and h_moving
  int64_t slot;                 ///< number of the next step
  cudaEvent_t first, last;      ///< around the steps since the latest call of `device`
  cudaEvent_t sync_first;       ///< before the first step since the latest sync
  bool first_noted, sync_noted; ///< whether they have been recorded
  bool fetched;                 ///< whether h_state holds the current state
  bool reads_follow;            ///< the state was read after the latest sync
  int64_t n_settled;            ///< steps told at the latest sync
  vb_device info;
} backend;

static void destroy(void *self) {
  backend *b = self;
  if (!b)
    return;
  if (b->stream)
    cudaStreamSynchronize(b->stream);
  if (b->graph)
    cudaGraphExecDestroy(b->graph);
  for (int k = 0; k < SLOTS; k++)
    if (b->taken[k])
      cudaEventDestroy(b->taken[k]);
  cudaEvent_t event[] = {b->first, b->last, b->sync_first};
  for (size_t k = 0; k < sizeof event / sizeof *event; k++)
    if (event[k])
      cudaEventDestroy(event[k]);
  void *memory[] = {b->d_rest, b->d_state, b->d_near, b->d_moving, b->d_bodies};
  for (size_t k = 0; k < sizeof memory / sizeof *memory; k++)
    cudaFree(memory[k]);
  viper_skin_cuda_destroy(b->skin);
  cudaFreeHost(b->h_state);
  cudaFreeHost(b->h_moving);
  if (b->stream)
    cudaStreamDestroy(b->stream);
  if (b->api)
    b->api->destroy(b->image);
  viper_teams_destroy(&b->teams);
  viper_kinds_destroy(&b->kinds);
  free(b);
}

/// Whether this backend can work on a scene, and by the method asked for.
static vb_status check_scene(const viper_backend_setup *setup, vb_error *error) {
  static const vb_tag known[] = {VB_SET_WORLD, VB_SET_BODY, VB_SET_NODE,           VB_SET_SEGMENT,
                                 VB_SET_JOINT, VB_SET_PIN,  VB_SET_DRIVER,         VB_SET_LOAD,
                                 VB_SET_CURVE, VB_SET_KEY,  VB_SET_SURFACE_VERTEX, VB_SET_TRIANGLE};
  for (int tag = 1; tag < VB_SET_COUNT; tag++) {
    bool knows = vb_scene_count(setup->model->scene, (vb_tag)tag) == 0;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
      knows = knows || known[k] == (vb_tag)tag;
    if (!knows)
      return vb_error_set(error, VB_UNAVAILABLE,
                          "the cuda backend does not know the set \"%s\"; take backend auto or cpu",
                          vb_tag_name((vb_tag)tag));
  }
  return VB_OK;
}

/// Notes the device's name and number, and what it can hold.
static vb_status ask_device(backend *b, viper_device_limits *limits, vb_error *error) {
  struct cudaDeviceProp p;
  int n_devices, device;
  cudaError_t code = cudaGetDeviceCount(&n_devices);
  if (code || n_devices < 1)
    return vb_error_set(error, VB_UNAVAILABLE,
                        "there is no CUDA device here (%s); take backend auto or cpu",
                        cudaGetErrorString(code ? code : cudaErrorNoDevice));
  TRY(cudaGetDevice(&device));
  TRY(cudaGetDeviceProperties(&p, device));
  snprintf(b->info.name, sizeof b->info.name, "%.*s", (int)sizeof b->info.name - 1, p.name);
  char *out = b->info.uuid + snprintf(b->info.uuid, sizeof b->info.uuid, "GPU");
  for (int k = 0; k < 16; k++)
    out += sprintf(out, "%s%02x", k == 0 || k == 4 || k == 6 || k == 8 || k == 10 ? "-" : "",
                   (unsigned char)p.uuid.bytes[k]);
  *limits = (viper_device_limits){
      .n_multiprocessors = p.multiProcessorCount,
      .shared_of_block = p.sharedMemPerBlockOptin,
      .shared_of_multiprocessor = p.sharedMemPerMultiprocessor,
      .shared_reserved = p.reservedSharedMemPerBlock,
  };
  TRY(b->kernels->prepare(b->method, limits->shared_of_block, &limits->lanes_of_multiprocessor,
                          &b->grid_blocks));
  b->grid_blocks *= p.multiProcessorCount;
  b->cache = (double)p.l2CacheSize;
  return VB_OK;
}

static vb_status plan(backend *b, const viper_device_limits *limits, vb_error *error) {
  bool direct = b->method == VIPER_DIRECT;
  double epsilon = b->api->bytes_of_real == 4 ? FLT_EPSILON : DBL_EPSILON; // as on the CPU
  vb_status status =
      viper_kinds_create(b->model, false, direct, b->fast ? 2 * epsilon : 0, &b->kinds, error);
  if (!status)
    status = viper_kinds_close(b->model, direct, &b->kinds, error);
  if (!status)
    status =
        viper_teams_create(&b->kinds, b->method, b->api->bytes_of_real, limits, &b->teams, error);
  if (!status)
    status = b->api->create(b->model, &b->kinds, &b->image, error);
  if (!status)
    b->bytes = b->api->bytes(b->image);
  return status;
}

static vb_status allocate(backend *b, vb_error *error) {
  const viper_team_class *last = b->teams.n > 0 ? &b->teams.item[b->teams.n - 1] : NULL;
  size_t near = last && last->lanes == 0 ? last->n_near * (size_t)b->api->bytes_of_real : 0;
  TRY(cudaStreamCreateWithFlags(&b->stream, cudaStreamNonBlocking));
  TRY(cudaEventCreate(&b->first));
  TRY(cudaEventCreate(&b->last));
  TRY(cudaEventCreate(&b->sync_first));
  TRY(cudaMalloc((void **)&b->d_rest, b->bytes.rest + 1));
  TRY(cudaMalloc((void **)&b->d_state, b->bytes.state + 1));
  TRY(cudaMalloc((void **)&b->d_near, near + 1));
  TRY(cudaMalloc((void **)&b->d_bodies, (b->model->n_bodies + 1) * sizeof *b->d_bodies));
  TRY(cudaMallocHost((void **)&b->h_state, b->bytes.state + 1));
  for (int k = 0; k < SLOTS; k++)
    TRY(cudaEventCreateWithFlags(&b->taken[k], cudaEventDisableTiming));
  return VB_OK;
}

/// Brings topology and rest data to the device.
static vb_status upload(backend *b, vb_error *error) {
  char *rest = calloc(1, b->bytes.rest + 1);
  if (!rest)
    return vb_error_memory(error);
  b->device = b->api->fill(b->image, rest, b->d_rest, b->d_state);
  cudaError_t code = cudaMemcpy(b->d_rest, rest, b->bytes.rest, cudaMemcpyHostToDevice);
  free(rest);
  TRY(code);
  TRY(cudaMemcpy(b->d_bodies, b->teams.body, b->model->n_bodies * sizeof *b->d_bodies,
                 cudaMemcpyHostToDevice));
  return VB_OK;
}

static vb_status create(const viper_backend_setup *setup, void **out, vb_error *error) {
  viper_device_limits limits;
  vb_status status = check_scene(setup, error);
  backend *b = status ? NULL : calloc(1, sizeof *b);
  if (!b)
    return status ? status : vb_error_memory(error);
  b->model = setup->model;
  b->method = setup->method;
  b->fast = setup->fast;
  b->api = setup->precision == 32 ? &viper_image_f32 : &viper_image_f64;
  if (setup->precision == 32)
    b->kernels = setup->fast ? &viper_kernels_f32_fast : &viper_kernels_f32_strict;
  else
    b->kernels = setup->fast ? &viper_kernels_f64_fast : &viper_kernels_f64_strict;
  status = ask_device(b, &limits, error);
  if (!status)
    status = plan(b, &limits, error);
  if (!status)
    status = allocate(b, error);
  if (!status)
    status = upload(b, error);
  if (!status && setup->skin->n_vertices > 0)
    status = viper_skin_cuda_create(setup, b->device, b->stream, &b->skin, error);
  if (status) {
    destroy(b);
    return status;
  }
  *out = b;
  return VB_OK;
}

static vb_status put(void *self, const viper_state *state, vb_error *error) {
  backend *b = self;
  TRY(cudaStreamSynchronize(b->stream));
  b->api->put(b->image, state, b->h_state);
  TRY(cudaMemcpyAsync(b->d_state, b->h_state, b->bytes.state, cudaMemcpyHostToDevice, b->stream));
  TRY(cudaStreamSynchronize(b->stream));
  b->fetched = true;
  b->n_settled = 0;
  return VB_OK;
}

/// Queues a copy of the state.
static vb_status fetch(backend *b, vb_error *error) {
  TRY(cudaMemcpyAsync(b->h_state, b->d_state, b->bytes.state, cudaMemcpyDeviceToHost, b->stream));
  return VB_OK;
}

static vb_status get(void *self, viper_state *state, vb_error *error) {
  backend *b = self;
  vb_status status = b->fetched ? VB_OK : fetch(b, error);
  if (status)
    return status;
  TRY(cudaStreamSynchronize(b->stream));
  b->fetched = b->reads_follow = true;
  b->api->get(b->image, b->h_state, state);
  return VB_OK;
}

/// Queues the kernels of a step of length `h`.
static vb_status queue_step(backend *b, const viper_settings *settings, double h, vb_error *error) {
  double substep = h / settings->substeps, damping = vb_scene_world(b->model->scene)->damping;
  double rate = 1 / (substep * (1 + damping * substep));
  for (int k = 0; k < settings->substeps; k++) {
    if (b->bytes.moving > 0) // bounds that move are the first
      TRY(cudaMemcpyAsync(b->d_rest, b->d_moving + (size_t)k * b->bytes.moving, b->bytes.moving,
                          cudaMemcpyDeviceToDevice, b->stream));
    for (size_t c = 0; c < b->teams.n; c++) {
      const viper_team_class *team = &b->teams.item[c];
      int of_block = team->lanes ? team->threads / team->lanes : 1;
      int blocks = team->lanes ? (team->n_bodies + of_block - 1) / of_block : b->grid_blocks;
      TRY(b->kernels->substep(b->device, settings, substep, rate, team, blocks,
                              b->d_bodies + team->first, b->d_near, b->stream));
    }
    TRY(b->kernels->end(b->device, k + 1 == settings->substeps, b->stream));
  }
  return VB_OK;
}

/// Whether the graph at hand is that of a step with these settings.
static bool is_captured(const backend *b, const viper_settings *s, double h) {
  return b->graph && b->captured_h == h && b->captured.iterations == s->iterations &&
         b->captured.substeps == s->substeps && b->captured.tolerance == s->tolerance;
}

/// Makes the graph of a step.
static vb_status capture(backend *b, const viper_settings *settings, double h, vb_error *error) {
  cudaGraph_t graph = NULL;
  TRY(cudaStreamBeginCapture(b->stream, cudaStreamCaptureModeThreadLocal));
  vb_status status = queue_step(b, settings, h, error);
  cudaError_t code = cudaStreamEndCapture(b->stream, &graph);
  if (b->graph)
    cudaGraphExecDestroy(b->graph);
  b->graph = NULL;
  if (!status && !code)
    code = cudaGraphInstantiate(&b->graph, graph, 0);
  if (graph)
    cudaGraphDestroy(graph);
  if (status)
    return status;
  TRY(code);
  b->captured = *settings;
  b->captured_h = h;
  return VB_OK;
}

/// Makes room for what moves in a step of so many substeps.
static vb_status make_room(backend *b, int substeps, vb_error *error) {
  if (b->bytes.moving == 0 || b->room >= substeps)
    return VB_OK;
  TRY(cudaStreamSynchronize(b->stream));
  cudaFree(b->d_moving);
  cudaFreeHost(b->h_moving);
  b->d_moving = b->h_moving = NULL;
  b->room = 0;
  if (b->graph) // knows the old places
    cudaGraphExecDestroy(b->graph);
  b->graph = NULL;
  TRY(cudaMalloc((void **)&b->d_moving, (size_t)substeps * b->bytes.moving));
  TRY(cudaMallocHost((void **)&b->h_moving, SLOTS * (size_t)substeps * b->bytes.moving));
  b->room = substeps;
  return VB_OK;
}

/// Sends where drivers and loads will be in each substep. Waits only where the device is SLOTS
/// steps behind.
static vb_status send_moving(backend *b, int substeps, double time, double h, vb_error *error) {
  size_t slot = (size_t)(b->slot % SLOTS), bytes = (size_t)substeps * b->bytes.moving;
  if (b->bytes.moving == 0)
    return VB_OK;
  char *out = b->h_moving + slot * (size_t)b->room * b->bytes.moving;
  if (b->slot >= SLOTS)
    TRY(cudaEventSynchronize(b->taken[slot]));
  for (int k = 0; k < substeps; k++)
    b->api->move(b->image, time + k * h + h, out + (size_t)k * b->bytes.moving);
  TRY(cudaMemcpyAsync(b->d_moving, out, bytes, cudaMemcpyHostToDevice, b->stream));
  TRY(cudaEventRecord(b->taken[slot], b->stream));
  b->slot++;
  return VB_OK;
}

/// Notes on the device's clock that steps begin, unless that is noted.
static vb_status note_begin(backend *b, vb_error *error) {
  if (!b->first_noted)
    TRY(cudaEventRecord(b->first, b->stream));
  if (!b->sync_noted)
    TRY(cudaEventRecord(b->sync_first, b->stream));
  b->first_noted = b->sync_noted = true;
  return VB_OK;
}

static vb_status step(void *self, const viper_settings *settings, double time, double h,
                      vb_error *error) {
  backend *b = self;
  vb_status status = make_room(b, settings->substeps, error);
  if (!status && !settings->stream && !is_captured(b, settings, h))
    status = capture(b, settings, h, error);
  if (!status)
    status = note_begin(b, error);
  if (!status)
    status = send_moving(b, settings->substeps, time, h / settings->substeps, error);
  if (!status && settings->stream)
    status = queue_step(b, settings, h, error);
  if (status)
    return status;
  if (!settings->stream)
    TRY(cudaGraphLaunch(b->graph, b->stream));
  TRY(cudaEventRecord(b->last, b->stream));
  b->fetched = false;
  return VB_OK;
}

static vb_status sync_steps(void *self, double *timer, viper_progress *progress, vb_error *error) {
  backend *b = self;
  float milliseconds = 0;
  // The block begins with how far the run has come. All of it where reads followed last time, too.
  if (!b->fetched)
    TRY(cudaMemcpyAsync(b->h_state, b->d_state, b->reads_follow ? b->bytes.state : b->api->control,
                        cudaMemcpyDeviceToHost, b->stream));
  TRY(cudaStreamSynchronize(b->stream));
  if (b->sync_noted)
    TRY(cudaEventElapsedTime(&milliseconds, b->sync_first, b->last));
  timer[VIPER_TIMER_SOLVE] += 1e-3 * (double)milliseconds;
  *progress = b->api->progress(b->h_state, b->n_settled);
  b->n_settled += progress->n_steps;
  b->fetched = b->fetched || b->reads_follow;
  b->reads_follow = b->sync_noted = false;
  return VB_OK;
}

static vb_status skin(void *self, double *vertices, double *volume, vb_error *error) {
  return viper_skin_cuda_read(((backend *)self)->skin, vertices, volume, error);
}

/// Whether the whole grid works on the bodies of a kind.
static bool is_for_grid(const viper_teams *teams, const viper_kind *kind) {
  const viper_team_class *last = teams->n > 0 ? &teams->item[teams->n - 1] : NULL;
  for (int32_t b = 0; last && last->lanes == 0 && b < last->n_bodies; b++)
    if (teams->body[last->first + b] == kind->body[0])
      return true;
  return false;
}

static void cost(const void *self, const viper_settings *settings, double *bytes,
                 double *operations) {
  const backend *b = self;
  viper_step_cost(b->model, NULL, &b->kinds, settings, b->api->bytes_of_real, bytes, operations);
  for (size_t k = 0; settings->method == VIPER_DIRECT && k < b->kinds.n_kinds; k++) {
    const viper_kind *kind = &b->kinds.kind[k];
    if (!is_for_grid(&b->teams, kind))
      continue; // its factor lies in shared memory
    double factor =
        b->api->bytes_of_real * viper_factor_entries(kind->elimination, kind->model->n_nodes);
    if (factor > b->cache)
      *bytes += 2.0 * settings->substeps * settings->iterations * kind->n_bodies * factor;
  }
}

static vb_status device(void *self, vb_device *out, vb_error *error) {
  backend *b = self;
  vb_device info = b->info;
  float milliseconds = 0;
  TRY(cudaStreamSynchronize(b->stream));
  if (b->first_noted)
    TRY(cudaEventElapsedTime(&milliseconds, b->first, b->last));
  info.seconds = b->first_noted ? 1e-3 * (double)milliseconds : NAN;
  b->first_noted = false;
  *out = info;
  return VB_OK;
}

const viper_backend viper_backend_cuda = {
    .name = "cuda",
    .create = create,
    .destroy = destroy,
    .put = put,
    .get = get,
    .step = step,
    .sync = sync_steps,
    .cost = cost,
    .skin = skin,
    .device = device,
};
