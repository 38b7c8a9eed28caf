# SPDX-License-Identifier: GPL-3.0-or-later
# The program on a processor without x86's vectors: tests/system/aarch64.sh.

COMMANDS += aarch64

aarch64: ## build the program for AArch64, and run tests and gold results there in qemu; skipped where Debian's packages cannot be had
	@JOBS=$(JOBS) tests/system/aarch64.sh $(BUILD)/aarch64
