// SPDX-License-Identifier: GPL-3.0-or-later
/// Every opcode against values by hand, done by all lanes of a warp, by many and by few of them:
/// these are computed by different code.
#include "machine.hpp"
#include "test.h"

#include <cstring>

using namespace emulator;

namespace {

/// A statement, the register whose value is looked at, and its value. Operands are numbers: PTX
/// allows that.
struct Row {
  const char *statement, *result;
  uint64_t value;
};

const Row rows[] = {
    // Integers wrap; division by 0 gives all ones.
    {"add.s32 %r1, 2147483647, 1;", "r", 0x80000000},
    {"add.s64 %d1, 4294967295, 1;", "d", 0x100000000},
    {"add.s16 %h1, 32767, 2;", "h", 0x8001},
    {"sub.s32 %r1, 3, 5;", "r", 0xfffffffe},
    {"sub.s64 %d1, 3, 5;", "d", 0xfffffffffffffffe},
    {"mul.lo.s32 %r1, 65537, 65537;", "r", 0x20001},
    {"mul.lo.s64 %d1, 4294967297, 4294967297;", "d", 0x200000001},
    {"mul.hi.s32 %r1, -2, 3;", "r", 0xffffffff},
    {"mul.hi.u32 %r1, 4294967295, 4294967295;", "r", 0xfffffffe},
    {"mul.hi.u64 %d1, 18446744073709551615, 2;", "d", 1},
    {"mul.wide.s32 %d1, -3, 5;", "d", 0xfffffffffffffff1},
    {"mul.wide.u32 %d1, 4294967295, 2;", "d", 0x1fffffffe},
    {"mul.wide.u16 %r1, 65535, 65535;", "r", 0xfffe0001},
    {"mul.wide.s16 %r1, -1, 7;", "r", 0xfffffff9},
    {"mad.lo.s32 %r1, 7, 6, -2;", "r", 40},
    {"mad.wide.s32 %d1, -7, 6, 2;", "d", 0xffffffffffffffd8},
    {"div.s32 %r1, -7, 2;", "r", 0xfffffffd},
    {"div.u32 %r1, 7, 2;", "r", 3},
    {"div.s32 %r1, 7, 0;", "r", 0xffffffff},
    {"rem.s32 %r1, -7, 2;", "r", 0xffffffff},
    {"rem.u32 %r1, 7, 4;", "r", 3},
    {"min.s32 %r1, -1, 1;", "r", 0xffffffff},
    {"min.u32 %r1, -1, 1;", "r", 1},
    {"max.s32 %r1, -1, 1;", "r", 1},
    {"max.u64 %d1, -1, 1;", "d", 0xffffffffffffffff},
    {"neg.s32 %r1, 5;", "r", 0xfffffffb},
    {"abs.s32 %r1, -5;", "r", 5},
    // Bits
    {"and.b32 %r1, 12, 10;", "r", 8},
    {"or.b64 %d1, 12, 10;", "d", 14},
    {"xor.b32 %r1, 12, 10;", "r", 6},
    {"not.b32 %r1, 12;", "r", 0xfffffff3},
    {"shl.b32 %r1, 3, 31;", "r", 0x80000000},
    {"shl.b32 %r1, 3, 32;", "r", 0},
    {"shl.b64 %d1, 3, 32;", "d", 0x300000000},
    {"shr.u32 %r1, -1, 28;", "r", 15},
    {"shr.s32 %r1, -16, 2;", "r", 0xfffffffc},
    {"shr.s32 %r1, -16, 40;", "r", 0xffffffff},
    {"shr.u64 %d1, -1, 64;", "d", 0},
    {"shf.l.wrap.b32 %r1, 2147483648, 1, 1;", "r", 3},
    {"shf.r.wrap.b32 %r1, 2, 1, 1;", "r", 0x80000001},
    {"bfi.b32 %r1, 5, 255, 4, 3;", "r", 0xdf},
    {"bfi.b64 %d1, 1, 2, 32, 32;", "d", 0x100000002},
    {"bfe.u32 %r1, 2868, 4, 4;", "r", 3},
    {"bfe.s32 %r1, 240, 4, 4;", "r", 0xffffffff},
    {"prmt.b32 %r1, 67305985, 134678021, 29728;", "r", 0x08050301},
    {"lop3.b32 %r1, 12, 10, 6, 150;", "r", 12 ^ 10 ^ 6},
    {"popc.b32 %r1, 255;", "r", 8},
    {"popc.b64 %r1, -1;", "r", 64},
    {"clz.b32 %r1, 1;", "r", 31},
    {"clz.b64 %r1, 0;", "r", 64},
    {"brev.b32 %r1, 1;", "r", 0x80000000},
    {"bmsk.clamp.b32 %r1, 4, 8;", "r", 0xff0},
    // Floats: 1.5 is 3fc00000, 2 is 40000000; of double 3ff8.., 4000..
    {"add.f32 %f1, 0f3fc00000, 0f40000000;", "f", 0x40600000},
    {"sub.f64 %g1, 0d3ff8000000000000, 0d4000000000000000;", "g", 0xbfe0000000000000},
    {"mul.f32 %f1, 0f3fc00000, 0f40000000;", "f", 0x40400000},
    {"mul.ftz.f32 %f1, 0f00000001, 0f3f800000;", "f", 0},
    {"mul.f32 %f1, 0f00000001, 0f3f800000;", "f", 1},
    {"div.rn.f32 %f1, 0f3f800000, 0f40400000;", "f", 0x3eaaaaab},
    {"div.rn.f64 %g1, 0d3ff0000000000000, 0d4008000000000000;", "g", 0x3fd5555555555555},
    {"fma.rn.f32 %f1, 0f3f800001, 0f3f800001, 0fbf800002;", "f",
     0x28800000}, // 2^-46, lost without fma
    {"fma.rn.f64 %g1, 0d3ff8000000000000, 0d4000000000000000, 0d3ff0000000000000;", "g",
     0x4010000000000000},
    {"min.f32 %f1, 0f7fc00000, 0f3f800000;", "f", 0x3f800000}, // of no number and 1
    {"min.f32 %f1, 0f00000000, 0f80000000;", "f", 0x80000000},
    {"max.f32 %f1, 0f80000000, 0f00000000;", "f", 0},
    {"max.f64 %g1, 0d3ff8000000000000, 0d4000000000000000;", "g", 0x4000000000000000},
    {"neg.f32 %f1, 0f3fc00000;", "f", 0xbfc00000},
    {"abs.f64 %g1, 0dbff8000000000000;", "g", 0x3ff8000000000000},
    {"sqrt.rn.f32 %f1, 0f40000000;", "f", 0x3fb504f3},
    {"sqrt.rn.f64 %g1, 0d4000000000000000;", "g", 0x3ff6a09e667f3bcd},
    {"rcp.rn.f64 %g1, 0d4008000000000000;", "g", 0x3fd5555555555555},
    {"rsqrt.approx.f32 %f1, 0f40800000;", "f", 0x3f000000},
    {"ex2.approx.f32 %f1, 0f40400000;", "f", 0x41000000},
    {"lg2.approx.f32 %f1, 0f41000000;", "f", 0x40400000},
    {"sin.approx.f32 %f1, 0f00000000;", "f", 0},
    {"cos.approx.f32 %f1, 0f00000000;", "f", 0x3f800000},
    {"copysign.f32 %f1, 0fbf800000, 0f40000000;", "f", 0xc0000000},
    // Conversions round as asked and do not leave the type.
    {"cvt.s64.s32 %d1, -2;", "d", 0xfffffffffffffffe},
    {"cvt.u64.u32 %d1, -2;", "d", 0xfffffffe},
    {"cvt.u32.u64 %r1, 4294967298;", "r", 2},
    {"cvt.s16.s8 %h1, 255;", "h", 0xffff},
    {"cvt.u32.u16 %r1, 65535;", "r", 65535},
    {"cvt.rn.f32.s32 %f1, -3;", "f", 0xc0400000},
    {"cvt.rn.f64.u32 %g1, 4294967295;", "g", 0x41efffffffe00000},
    {"cvt.rzi.s32.f32 %r1, 0fc0200000;", "r", 0xfffffffe}, // -2.5
    {"cvt.rmi.f32.f32 %f1, 0fc0200000;", "f", 0xc0400000},
    {"cvt.rpi.f32.f32 %f1, 0fc0200000;", "f", 0xc0000000},
    {"cvt.rni.s32.f64 %r1, 0d4004000000000000;", "r", 2},  // 2.5
    {"cvt.rzi.s32.f32 %r1, 0f4f800000;", "r", 0x7fffffff}, // 2^32
    {"cvt.rzi.u32.f32 %r1, 0fbf800000;", "r", 0},
    {"cvt.rzi.s32.f32 %r1, 0f7fc00000;", "r", 0},
    {"cvt.rn.f32.f64 %f1, 0d3ff0000010000001;", "f", 0x3f800001},
    {"cvt.f64.f32 %g1, 0f3fc00000;", "g", 0x3ff8000000000000},
    {"cvt.sat.f32.f32 %f1, 0f40000000;", "f", 0x3f800000},
    // Comparisons; with what is no number only the unordered ones hold.
    {"setp.lt.s32 %p1, -1, 1; selp.b32 %r1, 1, 0, %p1;", "r", 1},
    {"setp.lo.u32 %p1, -1, 1; selp.b32 %r1, 1, 0, %p1;", "r", 0},
    {"setp.ge.f64 %p1, 0d3ff8000000000000, 0d3ff8000000000000; selp.b64 %d1, 7, 8, %p1;", "d", 7},
    {"setp.ne.f32 %p1, 0f7fc00000, 0f3f800000; selp.b32 %r1, 1, 0, %p1;", "r", 0},
    {"setp.neu.f32 %p1, 0f7fc00000, 0f3f800000; selp.b32 %r1, 1, 0, %p1;", "r", 1},
    {"setp.leu.f32 %p1, 0f7fc00000, 0f3f800000; selp.b32 %r1, 1, 0, %p1;", "r", 1},
    {"setp.gt.f32 %p1, 0f7fc00000, 0f3f800000; selp.b32 %r1, 1, 0, %p1;", "r", 0},
    {"setp.nan.f32 %p1, 0f7fc00000, 0f3f800000; selp.b32 %r1, 1, 0, %p1;", "r", 1},
    {"setp.ltu.ftz.f32 %p1, 0f00000000, 0f00000001; selp.b32 %r1, 1, 0, %p1;", "r", 0},
    {"setp.eq.s32 %p1, 1, 1; not.pred %p2, %p1; or.pred %p1, %p2, %p1; selp.b32 %r1, 1, 0, %p1;",
     "r", 1},
    {"setp.eq.s32 %p1, 1, 1; mov.u32 %r1, 5; @%p1 mov.u32 %r1, 6; @!%p1 mov.u32 %r1, 7;", "r", 6},
    // Moves of vectors
    {"mov.b64 %d1, {1, 2};", "d", 0x200000001},
    {"mov.b64 {%r2, %r1}, 8589934593;", "r", 2},
    {"mov.b32 %r1, {3, 4};", "r", 0x40003},
    {"mov.b32 %f1, 1069547520;", "f", 0x3fc00000},
    // A loop, and lanes that go different ways
    {"mov.u32 %r1, 0; L: add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 9; @%p1 bra L;", "r", 9},
    {"mov.u32 %r2, %tid.x; and.b32 %r2, %r2, 1; setp.eq.s32 %p1, %r2, 0; @%p1 bra A; mov.u32 %r1, "
     "4; bra.uni B; A: "
     "mov.u32 %r1, 4; B: add.s32 %r1, %r1, 1;",
     "r", 5},
    // Memory: 16 bytes at %d9 for each thread
    {"st.global.v2.u32 [%d9], {17, 18}; ld.global.u64 %d1, [%d9];", "d", 0x1200000011},
    {"st.global.u32 [%d9+4], 18; ld.global.u16 %h1, [%d9+4];", "h", 18},
    {"st.global.u8 [%d9], 255; ld.global.s8 %h1, [%d9];", "h", 0xffffffff},
    {"st.global.u32 [%d9], -3; ld.global.s32 %d1, [%d9];", "d", 0xfffffffffffffffd},
    {"st.global.u32 [%d9], -3; ld.global.u32 %d1, [%d9];", "d", 0xfffffffd},
    {"st.u64 [%d9], 77; ld.u64 %d1, [%d9];", "d", 77},
    {"st.global.u32 [%d9], 5; atom.global.add.u32 %r1, [%d9], 3; ld.global.u32 %r2, [%d9]; "
     "mad.lo.s32 %r1, %r1, 10, %r2;",
     "r", 58},
    {"st.global.u64 [%d9], 5; atom.global.max.u64 %d2, [%d9], 9; ld.global.u64 %d1, [%d9];", "d",
     9},
    {"st.global.s32 [%d9], -5; atom.global.min.s32 %r2, [%d9], 1; ld.global.u32 %r1, [%d9];", "r",
     0xfffffffb},
    {"st.global.u64 [%d9], 5; atom.global.or.b64 %d2, [%d9], 8; ld.global.u64 %d1, [%d9];", "d",
     13},
    {"st.global.u32 [%d9], 5; atom.global.exch.b32 %r1, [%d9], 8;", "r", 5},
    {"st.global.u32 [%d9], 5; atom.global.cas.b32 %r2, [%d9], 5, 8; ld.global.u32 %r1, [%d9];", "r",
     8},
    {"st.global.f32 [%d9], 0f3fc00000; red.global.add.f32 [%d9], 0f40000000; ld.global.f32 %f1, "
     "[%d9];",
     "f", 0x40600000},
};

std::string module_of(const Row &row) {
  std::string wide = row.result[0] == 'd' || row.result[0] == 'g' ? "b64"
                     : row.result[0] == 'h'                       ? "b16"
                                                                  : "b32";
  return std::string(".target sm_90\n.entry k(\n.param .u64 out,\n.param .u64 room\n)\n{\n") +
         ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %d<20>; "
         ".reg .f64 %g<9>;\n" +
         "ld.param.u64 %d10, [out]; ld.param.u64 %d11, [room]; mov.u32 %r8, %tid.x; mul.wide.u32 "
         "%d12, %r8, 16;\n" +
         "add.s64 %d9, %d11, %d12; mul.wide.u32 %d13, %r8, 8; add.s64 %d8, %d10, %d13;\n" +
         row.statement + "\nst.global." + wide + " [%d8], %" + row.result + "1;\nret;\n}\n";
}

/// Runs a row by so many threads; what lanes past them hold must stay.
void check_row(const Row &row, unsigned threads) {
  Memory memory;
  Module module;
  read_module(module_of(row), &module);
  Kernel *k = &module.kernels.at("k");
  read_code(k);
  uint64_t *out = (uint64_t *)memory.allocate(WARP * sizeof *out, Place::DEVICE);
  char *room = memory.allocate(WARP * 16, Place::DEVICE);
  memset(out, 0, WARP * sizeof *out);
  Launch launch = {k, 1, threads, 0, false, std::vector<char>(32)};
  memcpy(&launch.arguments[0], &out, 8);
  memcpy(&launch.arguments[8], &room, 8);
  run_launch(launch, &memory);
  uint64_t mask = row.result[0] == 'h' ? 0xffff : ~0ull;
  for (unsigned t = 0; t < WARP; t++)
    ck_assert_msg(out[t] == (t < threads ? row.value & mask : 0), "%s: lane %u of %u has %llx",
                  row.statement, t, threads, (unsigned long long)out[t]);
}

START_TEST(opcodes_have_values_by_hand) {
  check_row(rows[_i], WARP);
  check_row(rows[_i], 20);
  check_row(rows[_i], 3);
}
END_TEST

START_TEST(what_is_unknown_is_a_fault) {
  static const char *const statements[] = {"frobnicate.b32 %r1, 1;", "add.s32 %r1, %r2, nothing;",
                                           "bra nowhere;", "add.s32 %d1, 1, 2;", "bar.sync 1, 32;"};
  for (const char *statement : statements) {
    bool found = false;
    Module module;
    Row row = {statement, "r", 0};
    read_module(module_of(row), &module);
    try {
      read_code(&module.kernels.at("k"));
    } catch (const Fault &) {
      found = true;
    }
    ck_assert_msg(found, "%s", statement);
  }
}
END_TEST

TCase *opcodes() {
  TCase *test = tcase_create("opcodes");
  tcase_add_loop_test(test, opcodes_have_values_by_hand, 0, sizeof rows / sizeof *rows);
  tcase_add_test(test, what_is_unknown_is_a_fault);
  return test;
}

} // namespace

VB_TEST_MAIN("emulator opcodes", opcodes())
