module github.com/coordgen/coordgen/tools/services

go 1.26.0
