# SPDX-License-Identifier: GPL-3.0-or-later
# The Debian packages that each command needs, and how they are installed.

CLANG     := $(findstring clang,$(CC))
PKGS_run  := $(if $(CLANG),clang libomp-dev,gcc) libc6-dev pkg-config libhdf5-dev libgsl-dev \
             liblua5.4-dev libjansson-dev libmd-dev libmd4c-dev liblapack-dev libsuitesparse-dev libopenblas0-serial \
             libpng-dev libfreetype-dev zlib1g-dev gnuplot-nox tetgen fonts-dejavu-core
PKGS_test := $(PKGS_run) $(if $(CLANG),,g++) check python3-numpy python3-h5py python3-matplotlib hdf5-tools
PKGS_extend := $(PKGS_test) patch
PKGS_lint := $(PKGS_extend) clang-format clang-tidy cppcheck
PKGS_dist := $(PKGS_test) binutils xz-utils
PKGS_fuzz := $(PKGS_run) clang libclang-rt-dev libomp-dev
PKGS_ci   := $(PKGS_lint) valgrind $(PKGS_dist) $(PKGS_fuzz) python3-paraview chromium

COMMANDS += deps

deps: need-ci ## install every package that any command needs

need-%:
	@DEPS=$(DEPS) .ci/install $(PKGS_$*)
