package scaffold

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/coordgen/coordgen/internal/version"
	"github.com/coordgen/coordgen/templates"
)

// A Backend is one that an elector can be written for.
type Backend struct {
	Name string
	// Doc says in a line what the elector uses.
	Doc string
	// Clients are the modules that the elector and its test need, with the
	// versions that they were tested with.
	Clients []string
	// Test is the command that tests the elector, in its folder.
	Test string
}

// ElectorBackends returns the backends, by name.
func ElectorBackends() []Backend {
	return []Backend{
		{
			Name:    "consul",
			Doc:     "Consul, a session and the lock of a key",
			Clients: []string{"github.com/hashicorp/consul/api@v1.34.5"},
			Test:    "COORDGEN_CONSUL_ADDR=127.0.0.1:8500 go test -race -tags servers .",
		},
		{
			Name: "custom",
			Doc:  "a skeleton for a backend that is not listed",
			Test: "go test -race .",
		},
		{
			Name:    "etcd",
			Doc:     "etcd, a key that is tied to a lease",
			Clients: []string{"go.etcd.io/etcd/client/v3@v3.7.3", "go.etcd.io/etcd/server/v3@v3.7.3"},
			Test:    "go test -race .",
		},
		{
			Name:    "kubernetes",
			Doc:     "Kubernetes, a Lease object",
			Clients: []string{"k8s.io/client-go@v0.37.2"},
			Test:    "COORDGEN_KUBERNETES_CONFIG=$HOME/.kube/config go test -race -tags servers .",
		},
		{
			Name:    "nats",
			Doc:     "NATS JetStream, a key in a bucket with a TTL",
			Clients: []string{"github.com/nats-io/nats.go@v1.55.0", "github.com/nats-io/nats-server/v2@v2.15.3"},
			Test:    "go test -race .",
		},
		{
			Name:    "postgres",
			Doc:     "PostgreSQL, a row and an advisory lock",
			Clients: []string{"github.com/jackc/pgx/v5@v5.13.0"},
			Test:    "COORDGEN_POSTGRES_URL=postgres://postgres@127.0.0.1:5432/postgres go test -race -tags servers .",
		},
		{
			Name:    "redis",
			Doc:     "Redis, a single server or a quorum of several",
			Clients: []string{"github.com/redis/go-redis/v9@v9.23.0"},
			Test:    "COORDGEN_REDIS_ADDR=127.0.0.1:6379 go test -race -tags servers .",
		},
		{
			Name:    "zookeeper",
			Doc:     "ZooKeeper, ephemeral sequential nodes",
			Clients: []string{"github.com/go-zookeeper/zk@v1.0.4"},
			Test:    "COORDGEN_ZOOKEEPER_ADDR=127.0.0.1:2181 go test -race -tags servers .",
		},
	}
}

// Elector returns the files of an elector over a backend, in a package of that
// name. The first line of each says where it is from, as [OriginOf] reads it.
func Elector(backend, pkg string) ([]File, error) {
	set := path.Join("elector", backend)
	files, err := Render(set, struct{ Package string }{pkg})
	if err != nil {
		return nil, err
	}
	for i, f := range files {
		text, err := fs.ReadFile(templates.Files, path.Join(set, f.Name+suffix))
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(text)
		o := Origin{Version: version.Current(), Template: path.Join(set, f.Name), Sum: hex.EncodeToString(sum[:6])}
		files[i].Content = append([]byte(o.line()), f.Content...)
	}
	return files, nil
}

// An Origin says of which text a file of the user's was made.
type Origin struct {
	// Version is that of the coordgen that wrote the file.
	Version string
	// Template is its name, and Sum that of its text: where two versions of
	// coordgen have the same sum, nothing has changed from one to the other.
	Template, Sum string
}

var originLine = regexp.MustCompile(`^(?://|<!--) From coordgen (\S+), (\S+) ([0-9a-f]{12})\. .*\n+`)

// line is the line that says so, at the beginning of a file.
func (o Origin) line() string {
	line := fmt.Sprintf("From coordgen %s, %s %s. This file is yours.", o.Version, o.Template, o.Sum)
	if strings.HasSuffix(o.Template, ".go") {
		return "// " + line + "\n\n"
	}
	return "<!-- " + line + " -->\n\n"
}

// OriginOf reads where a file is from, and returns the rest of its text. The zero
// Origin means that the file does not say.
func OriginOf(text []byte) (Origin, []byte) {
	m := originLine.FindSubmatch(text)
	if m == nil {
		return Origin{}, text
	}
	return Origin{Version: string(m[1]), Template: string(m[2]), Sum: string(m[3])}, text[len(m[0]):]
}
