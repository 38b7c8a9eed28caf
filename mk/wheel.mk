# SPDX-License-Identifier: GPL-3.0-or-later
# A Python wheel and a Debian package, both without CUDA and for all instruction sets.

COMMANDS += wheel wheel-check deb
PKGS_wheel := $(PKGS_dist) python3-venv
PKGS_deb   := $(PKGS_run) dpkg-dev

# The newest glibc that the wheel may need: Ubuntu 22.04 has 2.35, Debian 12 has 2.36.
WHEEL_PLATFORM := manylinux_2_35_$(shell uname -m)
WHEEL_BUILD    := $(BUILD)/wheel
WHEEL_FOLDER   := $(WHEEL_BUILD)/folder
WHEEL          := dist/viperbench-$(VERSION)-py3-none-$(WHEEL_PLATFORM).whl
PACKER         := $(BUILD)/packer
DEB            := dist/viperbench_$(VERSION)_$(shell dpkg --print-architecture 2>/dev/null || echo amd64).deb
PORTABLE       := NVCC= INSTRUCTIONS=all BUILD=$(WHEEL_BUILD)

$(PACKER)/bin/wheel:
	@python3 -m venv $(PACKER) && $(PACKER)/bin/pip install -q wheel auditwheel || \
	  { echo 'A wheel is packed and checked by the Python packages wheel and auditwheel, which pip cannot install here.'; exit 3; }

wheel: need-wheel ## make a Python wheel with the program, its libraries and studies, in dist/; needs pip
	$(SUBMAKE) $(PORTABLE) $(WHEEL_BUILD)/bin/viperbench $(WHEEL_BUILD)/bin/libviperbench.so
	$(SUBMAKE) $(PACKER)/bin/wheel
	@VERSION='$(VERSION)' COMMIT='$(COMMIT)' DIRTY='$(DIRTY)' COMPILER='$(call version,$(CC) --version)' CUDA=none \
	  PYTHON_LIB=$(WHEEL_BUILD)/bin/libviperbench.so .ci/dist $(WHEEL_FOLDER) $(WHEEL_BUILD)/bin/viperbench
	@VERSION='$(VERSION)' PLATFORM=$(WHEEL_PLATFORM) PACKER=$(PACKER)/bin .ci/wheel $(WHEEL_FOLDER) dist

wheel-check: wheel ## the same, then test it in new virtual environments, and in Debian 12 and 13
	@tests/system/wheel.sh $(WHEEL)

deb: need-deb ## make a Debian package in dist/, for the release of Debian or Ubuntu on which it is made
	+@$(MAKE) --no-print-directory $(PORTABLE) install PREFIX=/usr DESTDIR=$(abspath $(WHEEL_BUILD))/deb >/dev/null
	@VERSION='$(VERSION)' .ci/deb $(WHEEL_BUILD)/deb $(DEB)
