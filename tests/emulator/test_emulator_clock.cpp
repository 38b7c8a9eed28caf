// SPDX-License-Identifier: GPL-3.0-or-later
/// The model of time on small kernels whose cycles are known: a statement is done many times, and
/// each time more takes what its latency, its unit or memory says.
/// Covers: src/bench/device_model.*
#include "bench/device_model.h"
#include "machine.hpp"
#include "test.h"

#include <cstring>

using namespace emulator;

namespace {

/// A device of numbers that tell each other apart.
Timing device() {
  Timing d = {};
  d.cache = 1 << 16;
  d.first_code = d.code = 1 << 14;
  d.plain = 4;
  d.in_double = 9;
  d.special = 20;
  d.shuffle = 11;
  d.from_shared = 30;
  d.from_first = 40;
  d.from_second = 200;
  d.double_interval = 2;
  d.special_interval = 8;
  d.kept_line = 3;
  d.far_line = 5;
  d.block_barrier = 25;
  d.warp_barrier = 7;
  return d;
}

/// What is counted of a kernel that does a statement `times` times, by so many threads. %d9 is the
/// address of a place that holds its own address, the same for all lanes; %d8 one for each lane,
/// by its number times `stride`; %r9 the same in shared memory.
KernelCounts counts_of(const char *statement, int times, unsigned threads, int stride) {
  const char *head =
      ".target sm_90\n.entry k(\n.param .u64 room\n)\n{\n.reg .pred %p<9>; .reg .b32 %r<20>; .reg "
      ".f32 %f<20>; .reg .b64 %d<20>; .reg .f64 %g<9>; .shared .align 16 .b8 s[8192];\n"
      "mov.u32 %r8, %tid.x; ld.param.u64 %d9, [room]; mov.f32 %f1, 0f3f800000; mov.f64 %g1, "
      "0d3ff0000000000000; mov.u32 %r1, 0; mov.u32 %r10, s;\n";
  std::string text = head;
  std::string by = std::to_string(stride);
  text += "mul.wide.u32 %d7, %r8, " + by + "; add.s64 %d8, %d9, %d7; mul.lo.u32 %r9, %r8, " + by +
          "; add.u32 %r9, %r9, %r10; mov.u32 %r11, 0; st.shared.b32 [%r9], %r11;\nbar.sync 0;\n";
  for (int k = 0; k < times; k++)
    text += std::string(statement) + "\n";
  text += "ret;\n}\n";
  Memory memory;
  Module module;
  read_module(text, &module);
  Kernel *k = &module.kernels.at("k");
  read_code(k);
  uint64_t *room = (uint64_t *)memory.allocate(1 << 14, Place::DEVICE);
  for (int i = 0; i < 1 << 11; i++)
    room[i] = (uint64_t)(uintptr_t)room;
  memory.wrote(room, 1 << 14);
  Launch launch = {k, 1, threads, 0, false, std::vector<char>(32)};
  memcpy(&launch.arguments[0], &room, 8);
  kernel_counts.clear();
  run_launch(launch, &memory);
  return kernel_counts.at("k");
}

struct Row {
  const char *statement;
  unsigned threads;
  int stride;
  double cycles; ///< of each time
};

const Row rows[] = {
    // Chains wait for the last result, others for the scheduler alone.
    {"fma.rn.f32 %f1, %f1, %f1, %f1;", 32, 4, 4},
    {"add.f32 %f2, %f3, %f4;", 32, 4, 1},
    {"fma.rn.f64 %g1, %g1, %g1, %g1;", 32, 4, 9},
    {"add.f64 %g2, %g3, %g4;", 32, 4, 2},
    {"rsqrt.approx.f32 %f1, %f1;", 32, 4, 20},
    {"rsqrt.approx.f32 %f2, %f3;", 32, 4, 8},
    {"div.rn.f32 %f1, %f1, %f1;", 32, 4, 6 * 4 + 20},
    {"sqrt.rn.f64 %g1, %g1;", 32, 4, 4 * 4 + 7 * 9 + 20},
    {"shfl.sync.idx.b32 %r1, %r1, 0, 31, -1;", 32, 4, 11},
    {"mov.f32 %f2, %f1; fma.rn.f32 %f1, %f2, %f2, %f2;", 32, 4, 4},
    // The more warps, the fuller the four schedulers.
    {"add.f32 %f2, %f3, %f4;", 128, 4, 1},
    {"add.f32 %f2, %f3, %f4;", 512, 4, 4},
    // Shared memory: of a word for all, of a bank each, of one bank for all.
    {"ld.shared.b32 %r3, [%r10]; add.u32 %r10, %r10, %r3;", 32, 4, 30 + 4},
    {"ld.shared.b32 %r3, [%r9]; add.u32 %r9, %r9, %r3;", 32, 4, 30 + 4},
    {"ld.shared.b32 %r3, [%r9]; add.u32 %r9, %r9, %r3;", 32, 128, 30 + 31 + 4},
    // A product that one sum alone reads is part of it, unless it is told how to round.
    {"{ .reg .f32 %h; mul.f32 %h, %f2, %f1; add.f32 %f2, %h, %f1; }", 32, 4, 4},
    {"{ .reg .f32 %h; mul.f32 %h, %f2, %f1; sub.f32 %f2, %f1, %h; }", 32, 4, 4},
    {"{ .reg .f32 %h; mul.rn.f32 %h, %f2, %f1; add.f32 %f2, %h, %f1; }", 32, 4, 8},
    {"{ .reg .f32 %h; mul.f32 %h, %f2, %f1; add.f32 %f2, %h, %h; }", 32, 4, 8},
    {"{ .reg .f32 %h; mul.f32 %h, %f2, %f1; add.f32 %f2, %h, %f1; mov.f32 %f3, %h; }", 32, 4, 8},
    // Global memory: from the first-level cache, or past it.
    {"ld.global.b64 %d9, [%d9];", 32, 4, 40},
    {"ld.volatile.global.b64 %d9, [%d9];", 32, 4, 200},
    // The first-level cache looks up a line in a cycle, for all warps of the block, and moves 64
    // bytes of what it lacks in another.
    {"ld.global.b32 %r2, [%d8];", 32, 4, 1},
    {"ld.global.b32 %r2, [%d8];", 32, 128, 32},
    {"ld.global.b32 %r2, [%d8];", 64, 128, 2 * 32},
    {"ld.volatile.global.b32 %r2, [%d8];", 32, 4, 1 + 2},
    {"ld.volatile.global.b32 %r2, [%d8];", 64, 128, 2 * (32 + 32)},
    // One that waits for the last has the latency, and its other lines and blocks.
    {"ld.global.b64 %d2, [%d8]; sub.s64 %d3, %d2, %d9; add.s64 %d8, %d8, %d3;", 32, 128,
     40 + 31 + 2 * 2 * 4},
    // A second load of the same warp follows when the first has left.
    {"ld.global.b32 %r2, [%d8]; ld.global.b64 %d2, [%d8]; sub.s64 %d3, %d2, %d9; add.s64 %d8, %d8, "
     "%d3;",
     32, 128, 32 + 40 + 31 + 2 * 2 * 4},
    // A store keeps the order of what follows, not of arithmetic.
    {"st.global.b32 [%d8], %r1;", 32, 4, 1 + 2},
    {"bar.sync 0;", 64, 4, 25 + 2 * 7 + 1},
    {"bar.sync 0;", 256, 4, 25 + 8 * 7 + 2},
};

START_TEST(cycles_are_those_by_hand) {
  const Row &row = rows[_i];
  Timing d = device();
  clock_device = &d;
  // Shorter than what the device keeps of code, so that none is fetched.
  const int few = 8, many = 16;
  double cycles = (double)counts_of(row.statement, many, row.threads, row.stride).path -
                  (double)counts_of(row.statement, few, row.threads, row.stride).path;
  ck_assert_msg(cycles == row.cycles * (many - few), "%s by %u threads: %g cycles, not %g",
                row.statement, row.threads, cycles / (many - few), row.cycles);
}
END_TEST

START_TEST(sectors_and_banks_are_counted) {
  static const struct {
    int stride;
    uint64_t sectors, lines, waves;
  } strides[] = {{4, 4, 1, 1}, {8, 8, 2, 2}, {32, 32, 8, 8}, {128, 32, 32, 32}};
  Timing d = device();
  clock_device = &d;
  for (const auto &s : strides) {
    KernelCounts none = counts_of("", 1, 32, s.stride);
    KernelCounts global = counts_of("st.global.b32 [%d8], %r1;", 1, 32, s.stride);
    KernelCounts shared = counts_of("st.shared.b32 [%r9], %r1;", 1, 32, s.stride);
    ck_assert_uint_eq(global.sectors - none.sectors, s.sectors);
    ck_assert_uint_eq(global.lines - none.lines, s.lines);
    ck_assert_uint_eq(shared.waves - none.waves, s.waves);
  }
  // What is loaded again comes from the first-level cache.
  ck_assert_uint_eq(counts_of("ld.global.b32 %r2, [%d8];", 1, 32, 4).sectors,
                    counts_of("ld.global.b32 %r2, [%d8];", 5, 32, 4).sectors);
}
END_TEST

/// Lines of code that the first-level cache does not hold come later, and later still those that
/// the multiprocessor does not hold; the first line of a kernel is jumped to.
START_TEST(long_code_is_fetched) {
  enum { TIMES = 600, LINES = TIMES * 16 / 128 };
  Timing all = device(), near = device(), far = device();
  near.first_code = 1 << 12;
  far.first_code = far.code = 1 << 12;
  double cycles[3] = {0};
  const Timing *const devices[] = {&all, &near, &far};
  for (int i = 0; i < 3; i++) {
    clock_device = devices[i];
    cycles[i] =
        (double)counts_of("add.f32 %f2, %f3, %f4;", TIMES, 32, 4).path - cycles[0] * (i > 0);
  }
  ck_assert_double_ge(cycles[1], LINES * near.kept_line);
  ck_assert_double_le(cycles[1], (LINES + 3) * near.kept_line + 8);
  ck_assert_double_ge(cycles[2], LINES * far.far_line);
  ck_assert_double_le(cycles[2], (LINES + 3) * far.far_line + far.from_second + 8);
}
END_TEST

/// A function has its place in machine code once, wherever it is called.
START_TEST(called_code_is_there_once) {
  const std::string head =
      ".target sm_90\n.func f()\n{\n.reg .f32 %a<4>;\nmov.f32 %a1, 0f3f800000;\n"
      "add.f32 %a2, %a1, %a1;\nadd.f32 %a3, %a2, %a1;\nret;\n}\n.entry k()\n{\n";
  size_t bytes[3], steps[3];
  for (int calls = 0; calls < 3; calls++) {
    std::string text = head;
    for (int k = 0; k < calls; k++)
      text += "call f, ();\n";
    Module module;
    read_module(text + "ret;\n}\n", &module);
    Kernel *k = &module.kernels.at("k");
    read_code(k);
    bytes[calls] = k->code_bytes;
    steps[calls] = k->code.size();
    for (size_t i = 0; calls == 2 && i < steps[1] - steps[0]; i++)
      ck_assert_uint_eq(k->code[i].code, k->code[i + steps[1] - steps[0]].code);
  }
  ck_assert_uint_gt(bytes[1], bytes[0]);
  ck_assert_uint_eq(bytes[2], bytes[1]);
  ck_assert_uint_eq(steps[2] - steps[1], steps[1] - steps[0]);
}
END_TEST

START_TEST(devices_are_found) {
  vb_device_model device, part;
  ck_assert(vb_device_model_find("H100", &device));
  for (const char *none : {"H1000", "H10", "", "H100/", "H100/0", "H100/-1", "H100/5", "H100/2x"})
    ck_assert_msg(!vb_device_model_find(none, &part), "%s", none);
  ck_assert(vb_device_model_find("H100/132", &part));
  ck_assert_int_eq(part.multiprocessors, 1);
  ck_assert_uint_eq(part.second, device.second / 132);
  ck_assert_double_eq(part.memory_rate * 132, device.memory_rate);
  ck_assert_double_eq(part.second_rate * 132, device.second_rate);
  for (std::string names = vb_device_model_names(); !names.empty();) {
    size_t end = names.find(", ");
    ck_assert(vb_device_model_find(names.substr(0, end).c_str(), &device));
    names = end == std::string::npos ? "" : names.substr(end + 2);
  }
}
END_TEST

TCase *cycles() {
  TCase *test = tcase_create("clock");
  tcase_add_loop_test(test, cycles_are_those_by_hand, 0, sizeof rows / sizeof *rows);
  tcase_add_test(test, sectors_and_banks_are_counted);
  tcase_add_test(test, long_code_is_fetched);
  tcase_add_test(test, called_code_is_there_once);
  tcase_add_test(test, devices_are_found);
  return test;
}

} // namespace

VB_TEST_MAIN("emulator clock", cycles())
