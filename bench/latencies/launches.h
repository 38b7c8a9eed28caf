// SPDX-License-Identifier: GPL-3.0-or-later
// The clock, and the gaps between launches.
#ifndef VB_BENCH_LATENCIES_LAUNCHES_H
#define VB_BENCH_LATENCIES_LAUNCHES_H

#include "samples.h"

namespace {

struct Large {
  char bytes[2048];
};

__global__ void spin(long long cycles, Large unused) {
  (void)unused;
  for (unsigned long long from = now(); (long long)(now() - from) < cycles;)
    ;
}

__global__ void spin_small(long long cycles) {
  for (unsigned long long from = now(); (long long)(now() - from) < cycles;)
    ;
}

const int LAUNCHES = 200;

void launch_all(cudaStream_t stream, int blocks, long long cycles, bool large) {
  static const Large zeros = {};
  for (int i = 0; i < LAUNCHES; i++)
    if (large)
      spin<<<blocks, 128, 0, stream>>>(cycles, zeros);
    else
      spin_small<<<blocks, 128, 0, stream>>>(cycles);
  CHECK(cudaGetLastError());
}

/// Microseconds of each launch, between two events; by a graph where there is one.
std::vector<double> time_launches(cudaStream_t stream, cudaGraphExec_t graph, int blocks,
                                  long long cycles, bool large) {
  cudaEvent_t event[2];
  std::vector<double> out;
  CHECK(cudaEventCreate(&event[0]));
  CHECK(cudaEventCreate(&event[1]));
  for (int sample = 0; sample < SAMPLES; sample++) {
    float ms;
    CHECK(cudaEventRecord(event[0], stream));
    if (graph)
      CHECK(cudaGraphLaunch(graph, stream));
    else
      launch_all(stream, blocks, cycles, large);
    CHECK(cudaEventRecord(event[1], stream));
    CHECK(cudaEventSynchronize(event[1]));
    CHECK(cudaEventElapsedTime(&ms, event[0], event[1]));
    if (sample > 0)
      out.push_back(1e3 * ms / LAUNCHES);
  }
  CHECK(cudaEventDestroy(event[0]));
  CHECK(cudaEventDestroy(event[1]));
  return out;
}

cudaGraphExec_t captured(cudaStream_t stream, int blocks, long long cycles, bool large) {
  cudaGraph_t graph;
  cudaGraphExec_t out;
  launch_all(stream, blocks, 1, large); // loads the kernel, which a capture does not allow
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  launch_all(stream, blocks, cycles, large);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&out, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  return out;
}

/// MHz, by a kernel that runs for some ms.
double measure_clock(cudaStream_t stream) {
  const long long cycles = 400000;
  std::vector<double> us = time_launches(stream, nullptr, 1, cycles, false);
  for (double &x : us)
    x = (double)cycles / x;
  print("clock", us, "MHz, with the gaps of launches");
  std::sort(us.begin(), us.end());
  return us[us.size() / 2];
}

/// What a launch takes beyond 10 000 cycles of its kernel, which are longer than the host takes.
void measure_launches(int multiprocessors) {
  const long long cycles = 10000;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  double mhz = measure_clock(stream);
  for (int blocks : {1, multiprocessors})
    for (bool large : {false, true}) {
      cudaGraphExec_t graph = captured(stream, blocks, cycles, large);
      for (bool by_graph : {false, true}) {
        std::vector<double> us =
            time_launches(stream, by_graph ? graph : nullptr, blocks, cycles, large);
        for (double &x : us)
          x -= (double)cycles / mhz;
        print(std::string("gap.") + (by_graph ? "graph" : "stream") + ".blocks_" +
                  std::to_string(blocks) + (large ? ".parameters_2_KiB" : ".parameters_8_bytes"),
              us, "us of a launch");
      }
      CHECK(cudaGraphExecDestroy(graph));
    }
  CHECK(cudaStreamDestroy(stream));
}

} // namespace

#endif
