# SPDX-License-Identifier: GPL-3.0-or-later
# How much of the program its tests run, as gcc counts it.

COMMANDS += coverage

# Counts are added atomically: threads would lose some, and gcov, which infers how often a branch was taken from others,
# would see branches taken that never were. Confined processes cannot write theirs, so all tests run as on a kernel that
# cannot confine; then those of confinement as they are. Where a test forbids to write, complaints of this would be output.
# Without -fexpensive-optimizations gcc fuses nothing, and fast arithmetic would be that of strict.
COVERAGE := BUILD=build-coverage NVCC= CC='$(if $(CLANG),gcc,$(CC))' OPT='-O1 --coverage -fprofile-update=atomic' \
  LANES_OPT='-O1 -fexpensive-optimizations'
COUNTING := LIMIT=1800 CK_TIMEOUT_MULTIPLIER=10 GCOV_ERROR_FILE=/dev/null VB_PROGRAM=build-coverage/bin/viperbench
# Kernels are no part of a build without CUDA; these compile some for the host, or need a device.
KERNEL_TESTS := cuda_pairs cuda_device cuda_device_studies cuda_compile
coverage: all ## run the tests, built in build-coverage/ to count what they run, and compare lines and branches by folder with tests/coverage.txt
	$(SUBMAKE) $(FAKES)
	@python3 tests/coverage.py --self-test
	@! [ -d build-coverage ] || find build-coverage -name '*.gcda' -delete
	+@$(COUNTING) RUNNER='python3 tests/support/without_locks.py' \
	  $(MAKE) --no-print-directory $(COVERAGE) LEAVE='$(KERNEL_TESTS) $(LEAVE)' test
	@$(COUNTING) LOGS=build-coverage/tests/logs/confined VIPERBENCH_HOME=$(CURDIR) tests/run.sh \
	  $(addprefix build-coverage/tests/test_,confine h5_reader)
	@JOBS=$(JOBS) python3 tests/coverage.py build-coverage
