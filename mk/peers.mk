# SPDX-License-Identifier: GPL-3.0-or-later
# Other packages of rods, reference/peers: each in a virtual environment of its own below build/peers.

COMMANDS += peers peers-pin systems

# Names of peers between commas; by default all. PEERS_FLAGS="--tier full" runs more cases and more segments.
PEERS ?=

peers: all ## run other packages (or those of PEERS=) on problems with certified answers; needs pip
	@VIPERBENCH=$(abspath $(BIN)) python3 reference/peers/run.py --out $(OUT) $(PEERS:%=--only %) $(PEERS_FLAGS)

systems: all ## which system for which job: all entries and other packages on all problems; needs half an hour
	@$(BIN) score --out $(OUT)/score > /dev/null
	@VIPERBENCH=$(abspath $(BIN)) python3 reference/peers/run.py --out $(OUT) $(PEERS:%=--only %) $(PEERS_FLAGS)
	@/usr/bin/python3 reference/peers/check_systems.py
	@/usr/bin/python3 reference/peers/systems.py $(OUT)
	@VIPERBENCH_HOME=$(CURDIR) $(BIN) plot reference/peers/systems.lua --out $(OUT)

peers-pin: ## pin versions of other packages with hashes; BUMP="mujoco=3.17.1 newton=1.8.1" takes these
	@python3 reference/peers/pin.py $(BUMP)
