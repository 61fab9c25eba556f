module github.com/coordgen/coordgen/examples/electors/zookeeper

go 1.26.0

replace github.com/coordgen/coordgen => ../../..

require (
	github.com/coordgen/coordgen v0.0.0-00010101000000-000000000000
	github.com/go-zookeeper/zk v1.0.4
	github.com/stretchr/testify v1.12.1
	go.uber.org/goleak v1.3.0
)

require go.yaml.in/yaml/v3 v3.0.6 // indirect
