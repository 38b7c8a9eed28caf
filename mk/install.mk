# SPDX-License-Identifier: GPL-3.0-or-later
# The portable folder, and the installation in PREFIX.

COMMANDS += dist dist-check release install install-check

DIST := $(BUILD)/dist/viperbench-$(VERSION)-linux-$(shell uname -m)

# The tests that "make dist-check" runs there; of FEW=yes, all that it has. The build has all instruction sets, with
# FEW=yes that of this machine, whose steps "make test" tries.
FEW_DIST := statistics solver provenance results similarity neohookean_material

DIST_TESTS := $(if $(FEW),$(FEW_DIST:%=$(BUILD)/tests/test_%),$(TESTS))
dist: need-dist need-test ## make a portable folder and its archive, in build/dist/: program, libraries, studies, tests; FEW=yes: few tests
	$(SUBMAKE) $(BIN) $(PYTHON_LIB) $(DIST_TESTS) $(FAKES) $(TEST_PLUGINS)
	@VERSION='$(VERSION)' COMMIT='$(COMMIT)' DIRTY='$(DIRTY)' COMPILER='$(call version,$(CC) --version)' \
	  CUDA='$(if $(NVCC),$(addsuffix $(COMMA),$(CUDA_ARCHS:%=sm_%)) PTX,none)' PLUGINS='$(TEST_PLUGINS)' PYTHON_LIB='$(PYTHON_LIB)' .ci/dist $(DIST) $(BIN) \
	  $(DIST_TESTS) $(FAKES)
	@$(if $(FEW),echo 'Left to "make dist" without FEW: all but $(words $(FEW_DIST)) tests; instruction sets $(filter-out $(INSTRUCTIONS),$(SETS)); fast arithmetic in double')

dist-check: dist ## the same, then unpack the archive in another folder and test it there
	@TESTS='$(FEW_DIST)' tests/system/dist.sh $(DIST).tar.xz
	@tests/system/gpu.sh

release: need-ci ## run CI, then make archives of the source and of the portable folder, with checksums
	@.ci/release '$(VERSION)' $(DIST).tar.xz $(BUILD)/release

# What a plug-in needs: its headers, and a folder to begin from.
HEADERS := base/status.h scene/scene.h solver/solver.h
SHARE    = $(DESTDIR)$(PREFIX)/share

install: all ## install the program, its studies, the Python package, and what plug-in solvers need, in PREFIX
	@mkdir -p $(DESTDIR)$(PREFIX)/bin $(SHARE)/viperbench/plugin $(SHARE)/pkgconfig
	@install $(BIN) $(DESTDIR)$(PREFIX)/bin
	@for h in $(HEADERS); do install -D -m 644 src/$$h $(DESTDIR)$(PREFIX)/include/viperbench/$$h || exit 1; done
	@cp -R scenarios bench plots README.md LICENSE CITATION.cff $(SHARE)/viperbench
	@cp -R src/solver/README.md src/solver/template/. $(SHARE)/viperbench/plugin
	@rm -f $(SHARE)/viperbench/plugin/*.so
	@mkdir -p $(SHARE)/viperbench/python/viperbench $(SHARE)/viperbench/python/template $(SHARE)/viperbench/python/notebook
	@install -m 644 $(wildcard src/python/notebook/*.ipynb) $(SHARE)/viperbench/python/notebook
	@install -m 644 $(wildcard src/python/*.md) $(SHARE)/viperbench/python
	@install -m 644 $(filter-out %/__pycache__,$(wildcard src/python/template/*)) $(SHARE)/viperbench/python/template
	@install -m 644 $(wildcard src/python/viperbench/*.py) $(PYTHON_LIB) $(SHARE)/viperbench/python/viperbench
	@mkdir -p $(SHARE)/man/man1 $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions $(SHARE)/fish/vendor_completions.d
	@$(BIN) help --man >$(SHARE)/man/man1/viperbench.1
	@$(BIN) help --completion bash >$(SHARE)/bash-completion/completions/viperbench
	@$(BIN) help --completion zsh >$(SHARE)/zsh/site-functions/_viperbench
	@$(BIN) help --completion fish >$(SHARE)/fish/vendor_completions.d/viperbench.fish
	@printf '%s\n' 'Name: viperbench' 'Description: headers for plug-in solvers' \
	  'Version: $(VERSION)' \
	  'Cflags: -I$(PREFIX)/include/viperbench' >$(SHARE)/pkgconfig/viperbench.pc
	@echo "Installed in $(DESTDIR)$(PREFIX)"

install-check: ## install in build/installed, and test the installation
	@rm -rf $(BUILD)/installed
	+@$(MAKE) --no-print-directory install PREFIX=$(abspath $(BUILD)/installed) DESTDIR=
	@tests/system/install.sh $(BUILD)/installed
