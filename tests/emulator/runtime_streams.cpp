// SPDX-License-Identifier: GPL-3.0-or-later
/// CUDA's runtime: streams, events and graphs. Work is done as late as it may be: when it is waited
/// for.
#include "runtime.hpp"

#include <chrono>

using namespace emulator;

#define CALL()                                                                                     \
  if (cudaError_t code_ = runtime().begin(__func__))                                               \
  return code_

namespace {

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// A call that would wait for what is only captured.
cudaError_t not_captured(Stream *s) {
  if (!s->capturing)
    return cudaSuccess;
  s->invalid = true;
  return runtime().end(cudaErrorStreamCaptureUnsupported);
}

bool is_known(Event *e) {
  return runtime().events.count(e) > 0;
}

bool is_known(cudaStream_t s) {
  return !s || runtime().streams.count((Stream *)s) > 0;
}

} // namespace

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned flags) {
  CALL();
  Stream *s = new Stream;
  s->blocking = !(flags & cudaStreamNonBlocking);
  runtime().streams.insert(s);
  *out = (cudaStream_t)s;
  return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t *out) {
  return cudaStreamCreateWithFlags(out, 0);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (!stream || !is_known(stream))
    return runtime().end(cudaErrorInvalidResourceHandle);
  runtime().drain((Stream *)stream);
  runtime().streams.erase((Stream *)stream);
  delete (Stream *)stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  CALL();
  if (!is_known(stream))
    return runtime().end(cudaErrorInvalidResourceHandle);
  if (cudaError_t code = not_captured(runtime().stream_of(stream)))
    return code;
  runtime().drain(runtime().stream_of(stream));
  return runtime().sticky;
}
cudaError_t cudaDeviceSynchronize(void) {
  CALL();
  if (cudaError_t code = runtime().unless_capturing(__func__))
    return code;
  runtime().drain_all();
  return runtime().sticky;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  CALL();
  Stream *s = runtime().stream_of(stream);
  if (!stream || s->capturing)
    return runtime().end(stream ? cudaErrorIllegalState : cudaErrorStreamCaptureUnsupported);
  s->capturing = true;
  s->invalid = false;
  s->captured.clear();
  runtime().capturing = s;
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *out) {
  Stream *s = runtime().stream_of(stream);
  bool was = s->capturing;
  s->capturing = false;
  runtime().capturing = nullptr;
  *out = nullptr;
  CALL();
  if (!was || s->invalid)
    return runtime().end(was ? cudaErrorStreamCaptureInvalidated : cudaErrorIllegalState);
  *out = (cudaGraph_t) new Graph{std::move(s->captured)};
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *out) {
  *out = runtime().stream_of(stream)->capturing ? cudaStreamCaptureStatusActive
                                                : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long) {
  CALL();
  *out = (cudaGraphExec_t) new Graph(*(Graph *)graph);
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete (Graph *)graph;
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
  delete (Graph *)graph;
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
  CALL();
  for (const Work &work : ((Graph *)graph)->work)
    runtime().put(stream, work);
  return runtime().sticky;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned flags) {
  CALL();
  Event *e = new Event;
  e->timed = !(flags & cudaEventDisableTiming);
  runtime().events.insert(e);
  *out = (cudaEvent_t)e;
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *out) {
  return cudaEventCreateWithFlags(out, 0);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  runtime().drain_all();
  bool known = runtime().events.erase((Event *)event) > 0;
  if (known)
    delete (Event *)event;
  return runtime().end(known ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  CALL();
  Event *e = (Event *)event;
  if (!is_known(e))
    return runtime().end(cudaErrorInvalidResourceHandle);
  e->time = -1;
  runtime().put(stream, [e] { e->time = seconds(); });
  e->stream = runtime().stream_of(stream);
  e->at = e->stream->queued;
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  CALL();
  Event *e = (Event *)event;
  if (!is_known(e))
    return runtime().end(cudaErrorInvalidResourceHandle);
  if (e->stream)
    runtime().drain(e->stream, e->at);
  return runtime().sticky;
}
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to) {
  CALL();
  Event *a = (Event *)from, *b = (Event *)to;
  if (!is_known(a) || !is_known(b) || !a->stream || !b->stream || !a->timed || !b->timed)
    return runtime().end(cudaErrorInvalidResourceHandle);
  if (a->time < 0 || b->time < 0)
    return runtime().end(cudaErrorNotReady);
  *milliseconds = (float)(1e3 * (b->time - a->time));
  return cudaSuccess;
}
}
