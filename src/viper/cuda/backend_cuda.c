// SPDX-License-Identifier: GPL-3.0-or-later
/// The CUDA backend: memory, state in and out. Built only where there is nvcc.
#include "viper/cuda/backend_cuda.h"

#include "viper/backend/cost.h"
#include "viper/backend/no_device.h"
#include "viper/skin/skin.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

viper_cuda_at_first viper_cuda_first = {.columns_at_once = VIPER_COLUMNS_AT_ONCE};

static void destroy(void *self) {
  viper_cuda *b = self;
  if (!b)
    return;
  if (b->stream)
    cudaStreamSynchronize(b->stream);
  viper_cuda_drop_graph(b);
  for (int k = 0; k < VIPER_SLOTS; k++)
    if (b->taken[k])
      cudaEventDestroy(b->taken[k]);
  cudaEvent_t event[] = {b->first, b->last, b->sync_first};
  for (size_t k = 0; k < sizeof event / sizeof *event; k++)
    if (event[k])
      cudaEventDestroy(event[k]);
  cudaFree(b->d_workspace);
  cudaFree(b->d_moving);
  cudaFree(b->d_bodies);
  viper_skin_cuda_destroy(b->skin);
  viper_contact_cuda_destroy(b->contact);
  viper_bundle_cuda_destroy(b->bundles);
  free(b->queued);
  cudaFreeHost(b->h_state);
  cudaFreeHost(b->h_moving);
  if (b->stream)
    cudaStreamDestroy(b->stream);
  viper_blocks_free(&b->blocks);
  viper_coops_destroy(&b->coops);
  viper_body_groups_destroy(&b->body_groups);
  free(b);
}

/// Whether the build has the kernels that are asked for.
static vb_status check_kernels(const viper_cuda *b, vb_error *error) {
#ifdef VIPER_CUDA_FEW
  const bool statics = false;
#else
  const bool statics = true;
#endif
  if (b->is_static && b->fast)
    return vb_error_set(error, VB_UNAVAILABLE,
                        "backend cuda has dynamics static in arithmetic strict alone; take backend "
                        "cpu");
  if (b->is_static && !statics)
    return vb_error_set(error, VB_UNAVAILABLE,
                        "this build has no CUDA kernels of dynamics static: take backend cpu, or "
                        "build with CUDA_ARCHS=all");
  if (!b->kernels)
    return vb_error_set(error, VB_UNAVAILABLE,
                        "this build has no CUDA kernels of fast arithmetic in double: take strict "
                        "arithmetic, or build with CUDA_ARCHS=all");
  return VB_OK;
}

/// Notes the device's name and number, and what it can hold.
static vb_status ask_device(viper_cuda *b, viper_device_limits *limits, vb_error *error) {
  struct cudaDeviceProp p;
  int n_devices, device, version = 0;
  cudaError_t code = cudaGetDeviceCount(&n_devices);
  if (code == cudaErrorInsufficientDriver && cudaDriverGetVersion(&version) == cudaSuccess &&
      version == 0)
    return vb_error_set(error, VB_UNAVAILABLE,
                        VIPER_NO_DEVICE " (no NVIDIA driver found); take backend auto or cpu");
  if (code == cudaErrorInsufficientDriver)
    return vb_error_set(error, VB_UNAVAILABLE,
                        "the driver of the CUDA device is too old: this program needs one for CUDA "
                        "%d (%s); take backend auto or cpu",
                        CUDART_VERSION / 1000,
                        CUDART_VERSION >= 13000 ? "r580 or later" : "r525 or later");
  if (code || n_devices < 1)
    return vb_error_set(error, VB_UNAVAILABLE, VIPER_NO_DEVICE " (%s%s); take backend auto or cpu",
                        cudaGetErrorString(code ? code : cudaErrorNoDevice),
                        getenv("CUDA_VISIBLE_DEVICES") ? ", and CUDA_VISIBLE_DEVICES is set" : "");
  vb_status status = check_kernels(b, error);
  if (status)
    return status;
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
      .columns_at_once = viper_cuda_first.columns_at_once,
  };
  TRY(b->kernels->prepare(b->method, b->is_static, limits->shared_of_block,
                          &limits->threads_of_multiprocessor, &b->device_blocks));
  b->device_blocks *= p.multiProcessorCount;
  b->cache = (double)p.l2CacheSize;
  return VB_OK;
}

static vb_status plan(viper_cuda *b, const viper_backend_setup *setup,
                      const viper_device_limits *limits, vb_error *error) {
  bool direct = viper_method_has(b->method, VIPER_FACTORS);
  double epsilon = b->api->bytes_of_real == 4 ? FLT_EPSILON : DBL_EPSILON; // as on the CPU
  const viper_grouping grouping = {.direct = direct, .tolerance = b->fast ? 2 * epsilon : 0};
  vb_status status = viper_body_groups_create(b->model, &grouping, &b->body_groups, error);
  if (!status)
    status = viper_body_groups_complete(b->model, direct, &b->body_groups, error);
  if (!status)
    status = viper_coops_create(&b->body_groups, b->method, b->api->bytes_of_real, limits,
                                &b->coops, error);
  if (!status)
    status = b->api->create(b->model, &b->body_groups, setup->settings, &b->blocks.model, error);
  return status;
}

/// Makes the memory, and brings topology and rest data to the device.
static vb_status allocate(viper_cuda *b, vb_error *error) {
  const viper_coop_class *last = b->coops.n > 0 ? &b->coops.item[b->coops.n - 1] : NULL;
  size_t workspace =
      last && last->coop_size == 0 ? last->n_workspace * (size_t)b->api->bytes_of_real : 0;
  TRY(cudaStreamCreateWithFlags(&b->stream, cudaStreamNonBlocking));
  TRY(cudaEventCreate(&b->first));
  TRY(cudaEventCreate(&b->last));
  TRY(cudaEventCreate(&b->sync_first));
  TRY(cudaMalloc((void **)&b->d_workspace, workspace + 1));
  TRY(cudaMalloc((void **)&b->d_bodies, (b->model->n_bodies + 1) * sizeof *b->d_bodies));
  for (int k = 0; k < VIPER_SLOTS; k++)
    TRY(cudaEventCreateWithFlags(&b->taken[k], cudaEventDisableTiming));
  vb_status status = viper_blocks_bring(&b->blocks, error);
  if (status)
    return status;
  b->moving = b->api->moving(b->blocks.model);
  TRY(cudaMallocHost((void **)&b->h_state, b->blocks.bytes.room + 1));
  return viper_cuda_send(b->d_bodies, b->coops.body, b->model->n_bodies * sizeof *b->d_bodies,
                         error);
}

/// What joins bodies between iterations: contact, bundles, or both.
static vb_status create_joining(viper_cuda *b, const viper_backend_setup *setup,
                                int n_multiprocessors, vb_error *error) {
  const viper_contact_host host = {&b->body_groups, &b->coops,         b->blocks.device,
                                   b->d_bodies,     n_multiprocessors, b->stream};
  vb_status status = VB_OK;
  if (viper_has_bundles(b->model))
    status = viper_bundle_cuda_create(setup, &host, b->kernels->end, &b->bundles, error);
  if (status || !viper_has_contact(b->model))
    return status;
  b->queued = reallocarray(NULL, VIPER_QUEUED, sizeof *b->queued);
  if (!b->queued)
    return vb_error_memory(error);
  status = viper_contact_cuda_create(setup, &host, &b->contact, error);
  if (!status && b->bundles)
    viper_contact_cuda_join(b->contact, viper_bundle_cuda_pass, b->bundles);
  return status;
}

static vb_status create(const viper_backend_setup *setup, void **out, vb_error *error) {
  viper_device_limits limits;
  bool joined = viper_has_contact(setup->model) || viper_has_bundles(setup->model);
  if (setup->settings->integrator == VIPER_MIDPOINT)
    return vb_error_set(error, VB_UNAVAILABLE,
                        "backend cuda has no integrator midpoint; take backend cpu");
  if (setup->settings->contact_solve == VIPER_BY_NEWTON)
    return vb_error_set(error, VB_UNAVAILABLE, "contact_solve newton takes backend cpu");
  if (viper_has_penalty(setup->settings) && viper_has_bundles(setup->model))
    return vb_error_set(error, VB_UNAVAILABLE, "bundle_solve penalty takes backend cpu");
  if (viper_has_bundle_rows(setup->settings) && viper_has_bundles(setup->model))
    return vb_error_set(error, VB_UNAVAILABLE, "bundle_solve newton takes backend cpu");
  viper_cuda *b = calloc(1, sizeof *b);
  if (!b)
    return vb_error_memory(error);
  b->model = setup->model;
  b->method = setup->settings->method;
  b->is_static = setup->settings->dynamics == VIPER_STATIC;
  b->fast = setup->variant->arithmetic == VIPER_FAST_SUMS;
  b->api = setup->variant->precision == VIPER_FLOAT ? &viper_upload_f32 : &viper_upload_f64;
  b->kernels = VIPER_BODY_KERNELS_FOR(kernels, setup);
  vb_status status = ask_device(b, &limits, error);
  if (!status && joined)
    status = viper_contact_cuda_limits(setup, &limits, error);
  if (!status)
    status = plan(b, setup, &limits, error);
  if (!status)
    status = allocate(b, error);
  if (!status && joined)
    status = create_joining(b, setup, limits.n_multiprocessors, error);
  if (!status && setup->skin->n_vertices > 0)
    status = viper_skin_cuda_create(setup, b->blocks.device, b->stream, &b->skin, error);
  if (status) {
    destroy(b);
    return status;
  }
  *out = b;
  return VB_OK;
}

static vb_status put(void *self, const viper_state *state, vb_error *error) {
  viper_cuda *b = self;
  TRY(cudaStreamSynchronize(b->stream));
  b->api->put(b->blocks.model, state, b->h_state);
  TRY(cudaMemcpyAsync(b->blocks.room, b->h_state, b->blocks.bytes.room, cudaMemcpyHostToDevice,
                      b->stream));
  TRY(cudaStreamSynchronize(b->stream));
  b->fetched = true;
  b->n_settled = b->n_sure = b->n_queued = 0;
  vb_status status = b->bundles ? viper_bundle_cuda_put(b->bundles, state, error) : VB_OK;
  return status || !b->contact ? status : viper_contact_cuda_reset(b->contact, state->kept, error);
}

static vb_status keep(void *self, double *out, vb_error *error) {
  return viper_contact_cuda_keep(((viper_cuda *)self)->contact, out, error);
}

static vb_status get(void *self, viper_state *state, vb_error *error) {
  viper_cuda *b = self;
  if (!b->fetched)
    TRY(cudaMemcpyAsync(b->h_state, b->blocks.room, b->blocks.bytes.room, cudaMemcpyDeviceToHost,
                        b->stream));
  TRY(cudaStreamSynchronize(b->stream));
  b->fetched = b->reads_follow = true;
  b->api->get(b->blocks.model, b->h_state, state);
  return VB_OK;
}

static vb_status skin(void *self, double *vertices, double *volume, vb_error *error) {
  return viper_skin_cuda_read(((viper_cuda *)self)->skin, vertices, volume, error);
}

/// Whether the whole grid works on the bodies of a kind.
static bool is_for_device(const viper_coops *coops, const viper_body_group *group) {
  const viper_coop_class *last = coops->n > 0 ? &coops->item[coops->n - 1] : NULL;
  for (int32_t b = 0; last && last->coop_size == 0 && b < last->n_bodies; b++)
    if (coops->body[last->first + b] == group->body[0])
      return true;
  return false;
}

static void contact(const void *self, double out[VIPER_N_CONTACT]) {
  viper_contact_cuda_report(((const viper_cuda *)self)->contact, out);
}

static vb_status contact_forces(const void *self, const double *node, double *on_body,
                                double *on_plane, double work[2], vb_error *error) {
  return viper_contact_cuda_forces(((const viper_cuda *)self)->contact, node, on_body, on_plane,
                                   work, error);
}

static vb_status bundled_residual(void *self, double h, const double *load, const double *active,
                                  double *out, vb_error *error) {
  return viper_bundle_cuda_residual(((viper_cuda *)self)->bundles, h, load, active, out, error);
}

/// Bundles, contacts and surfaces are not counted.
static void cost(const void *self, const viper_settings *settings, double *bytes,
                 double *operations) {
  const viper_cuda *b = self;
  viper_step_cost(b->model, NULL, &b->body_groups, settings, b->api->bytes_of_real, bytes,
                  operations);
  for (size_t k = 0;
       viper_method_has(settings->method, VIPER_FACTORS) && k < b->body_groups.n_groups; k++) {
    const viper_body_group *group = &b->body_groups.group[k];
    if (!is_for_device(&b->coops, group))
      continue; // its factor lies in shared memory
    double factor =
        b->api->bytes_of_real * viper_factor_entries(group->elimination, group->model->n_nodes);
    if (group->elimination->submatrices.n > 1) // all but one submatrix are factored twice
      factor *= 2 - 1.0 / group->elimination->submatrices.n;
    if (factor > b->cache)
      *bytes += 2.0 * settings->substeps * settings->iterations * group->n_bodies * factor;
  }
  if (b->contact || b->bundles)
    *bytes = *operations = NAN;
}

static vb_status device(void *self, vb_device *out, vb_error *error) {
  viper_cuda *b = self;
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
    .keep = keep,
    .step = viper_cuda_step,
    .sync = viper_cuda_sync,
    .bundled_residual = bundled_residual,
    .contact = contact,
    .contact_forces = contact_forces,
    .cost = cost,
    .skin = skin,
    .device = device,
};
