package main

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// kubernetes is an API server, and the etcd that it needs.
func kubernetes(ctx context.Context, h *host) error {
	etcd, err := build(ctx, "etcd", "etcd", "go.etcd.io/etcd/server/v3")
	if err != nil {
		return err
	}
	apiserver, err := build(ctx, "kubernetes", "kube-apiserver", "k8s.io/kubernetes/cmd/kube-apiserver",
		"-ldflags=-s -w -X k8s.io/component-base/version.gitVersion=v1.37.2")
	if err != nil {
		return err
	}
	ports, err := freePorts(3)
	if err != nil {
		return err
	}
	if err := os.Mkdir(h.dir, 0o750); err != nil {
		return err
	}
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	server, token := "https://127.0.0.1:"+ports[2], rand.Text()
	files := map[string]string{
		"sa.key":     string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})),
		"tokens.csv": token + `,admin,uid1,"system:masters"` + "\n",
		"config": fmt.Sprintf(`{apiVersion: v1, kind: Config, current-context: x,
  clusters: [{name: c, cluster: {server: %q, insecure-skip-tls-verify: true}}],
  users: [{name: u, user: {token: %q}}],
  contexts: [{name: x, context: {cluster: c, user: u}}]}
`, server, token),
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(h.dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	clients, peers := "http://127.0.0.1:"+ports[0], "http://127.0.0.1:"+ports[1]
	err = h.run("etcd.log", etcd, "--data-dir="+h.dir+"/etcd", "--listen-client-urls="+clients, "--advertise-client-urls="+clients,
		"--listen-peer-urls="+peers, "--initial-advertise-peer-urls="+peers, "--initial-cluster=default="+peers, "--unsafe-no-fsync", "--log-level=warn")
	if err != nil {
		return err
	}
	if err := until(ctx, fetches(clients+"/health", "", "true")); err != nil {
		return err
	}
	err = h.run("apiserver.log", apiserver, "--etcd-servers="+clients, "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1",
		"--secure-port="+ports[2], "--cert-dir="+h.dir+"/certs", "--service-cluster-ip-range=10.0.0.0/24",
		"--service-account-key-file="+h.dir+"/sa.key", "--service-account-signing-key-file="+h.dir+"/sa.key",
		"--service-account-issuer=https://kubernetes.default.svc", "--token-auth-file="+h.dir+"/tokens.csv",
		"--authorization-mode=AlwaysAllow", "--endpoint-reconciler-type=none", "--disable-admission-plugins=ServiceAccount")
	if err != nil {
		return err
	}
	h.env = []string{"COORDGEN_KUBERNETES_CONFIG=" + h.dir + "/config"}
	return until(ctx, fetches(server+"/readyz", token, "ok"))
}

// fetches says whether a page has a text. The server's certificate is its own. The
// token is "" where none is needed.
func fetches(url, token, want string) func(ctx context.Context) error {
	client := &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true},
	}}
	return func(ctx context.Context) error {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
		if err != nil {
			return err
		}
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		answer, err := client.Do(request)
		if err != nil {
			return err
		}
		defer answer.Body.Close() //nolint:errcheck // it was read
		text, err := io.ReadAll(answer.Body)
		if err == nil && !strings.Contains(string(text), want) {
			err = fmt.Errorf("%s: %s, %q", url, answer.Status, text)
		}
		return err
	}
}
