package compat_test

import (
	"testing"

	"github.com/coordgen/coordgen/internal/compat"
	"github.com/coordgen/coordgen/internal/lock"
	"github.com/coordgen/coordgen/internal/model"
)

// Whatever a lock says, its versions can be compared with each other.
func FuzzCheck(f *testing.F) {
	f.Add("lock 1\nschema s v1\nmessage s.A v1 go=A reserved=7\nfield s.A.b v1 number=1 type=message:s.A key=b go=B\nfield s.A.b v2 removed\nschema s v2\n")
	f.Add("lock 1\nschema \"\" v1\nschema \"\" v2\nenum E v1 go=E\nvalue E.A v1 number=0 key=a go=EA\nvalue E.A v2 number=1 key=b go=EA\nmessage M v1 go=M\nfield M.f v1 number=1 type=enum:E key=f go=F default=\"\\\"a\\\"\"\nfield M.f v2 number=1 type=enum:Gone key=f go=F oneof=o member=MF\nservice S v1\ncallback S.R v1 input=message:M topic=t func=F const=C\ncallback S.R v2 input=message:N topic=u func=F const=C addressed_by=f\n")
	f.Fuzz(func(_ *testing.T, text string) {
		l, _ := lock.Parse("a.proto.lock", []byte(text))
		h := compat.History{Whole: true}
		for _, version := range l.Versions() {
			h.Versions = append(h.Versions, l.Restore("a.proto", version, lock.Among{Locks: map[string]*lock.Lock{"b.proto": l}}))
		}
		for _, next := range h.Versions {
			compat.Check([]compat.History{h}, &model.Schema{Files: []*model.File{next}}, compat.Options{Mode: compat.FullTransitive, Codecs: compat.All})
		}
	})
}
