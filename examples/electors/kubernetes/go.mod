module github.com/coordgen/coordgen/examples/electors/kubernetes

go 1.26.0

replace github.com/coordgen/coordgen => ../../..

require github.com/coordgen/coordgen v0.0.0-00010101000000-000000000000

require (
	github.com/stretchr/testify v1.12.1 // indirect
	go.uber.org/goleak v1.3.0 // indirect
	k8s.io/api v0.37.2 // indirect
	k8s.io/apimachinery v0.37.2 // indirect
	k8s.io/client-go v0.37.2 // indirect
)
