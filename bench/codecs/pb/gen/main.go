// Gen writes the Go code of bench.proto that protobuf's own plugins make, as
// bench/go.mod pins them. It runs in the folder of that code, by "go generate".
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/pluginpb"

	"github.com/coordgen/coordgen/bench/plugin"
)

// pkg is the import path of the code, as the schema has it.
const pkg = "github.com/coordgen/coordgen/bench/codecs/pb"

func main() {
	ctx := context.Background()
	// Messages at the top are pooled, so that they have ResetVT, which keeps memory.
	pool := ",pool=" + pkg + ".Heartbeat,pool=" + pkg + ".Notice,pool=" + pkg + ".Order"
	err := errors.Join(
		run(ctx, "protoc-gen-go", ""),
		run(ctx, "protoc-gen-go-vtproto", ",features=marshal+unmarshal+unmarshal_unsafe+size+pool"+pool),
	)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run writes what a plugin makes of the schema.
func run(ctx context.Context, name, options string) error {
	request, err := plugin.Request(ctx, filepath.FromSlash("../schema"), []string{"bench.proto"}, "module="+pkg+options)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "tool", name)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(request), os.Stderr
	answer, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	var response pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(answer, &response); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if response.Error != nil {
		return fmt.Errorf("%s: %s", name, strings.TrimSpace(response.GetError()))
	}
	for _, file := range response.File {
		if err := os.WriteFile(file.GetName(), []byte(file.GetContent()), 0o600); err != nil {
			return err
		}
	}
	return nil
}
