// From coordgen v0.1.0, elector/kubernetes/elector.go b24a23d8ad4f. This file is yours.

// Package kubernetes elects a leader among the instances of a program by a Lease
// object of Kubernetes.
package kubernetes

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	client "k8s.io/client-go/kubernetes/typed/coordination/v1"

	"github.com/coordgen/coordgen/runtime/elector"
)

// A Config says who takes part in which election.
type Config struct {
	// Identity names this instance. Required.
	Identity string
	// Name is that of the Lease object. All instances that contend for one
	// leadership have the same, in the same namespace. Required.
	Name string

	// TTL is how long others leave the leadership to an instance that does not
	// renew. It is rounded up to seconds. It defaults to 15 seconds.
	TTL time.Duration
	// Margin is how much earlier the instance gives it up, for clocks that do not
	// run equally fast. It defaults to a tenth of TTL.
	Margin time.Duration
	// Logger is told of callbacks that fail. It defaults to [slog.Default].
	Logger *slog.Logger
}

// An Elector is an [elector.Fenced] over Kubernetes. The leader is whom the Lease
// object names, unless it goes unchanged for as long as it says: nobody there
// expires it, each instance sees to that by its own clock. Every change is for the
// version of the object that was read.
//
// The term is the object's resourceVersion after the write by which the leadership
// began. Versions are numbers that rise also when the object is deleted, other than
// its count of transitions.
type Elector struct {
	lease  *elector.Lease
	client client.LeaseInterface
	config Config
	own    string // what the object names while this instance leads

	mu   sync.Mutex
	seen string    // the object's version
	at   time.Time // when this elector saw it first
}

var _ elector.Fenced = (*Elector)(nil)

// New returns an elector that does not lead. The client is for the namespace of the
// Lease object, as from clientset.CoordinationV1().Leases("my-namespace").
func New(client client.LeaseInterface, config Config) (*Elector, error) {
	if config.Name == "" {
		return nil, errors.New("elector: the Lease object has no name; set Config.Name")
	}
	config.TTL = cmp.Or(config.TTL, 15*time.Second)
	lease, err := elector.NewLease(elector.LeaseConfig{
		Identity: config.Identity, TTL: config.TTL, Margin: config.Margin, Logger: config.Logger,
	})
	if err != nil {
		return nil, err
	}
	// An instance that was started anew under its old name is another one.
	own := config.Identity + "_" + rand.Text()
	return &Elector{lease: lease, client: client, config: config, own: own}, nil
}

// Identity names this instance.
func (e *Elector) Identity() string { return e.lease.Identity() }

// IsLeader says whether this instance leads, by its own clock.
func (e *Elector) IsLeader() bool { return e.lease.IsLeader() }

// Term is the number of the present leadership, 0 without one.
func (e *Elector) Term() uint64 { return e.lease.Term() }

// OnLeaderChange has f called when this instance gains or loses the leadership.
func (e *Elector) OnLeaderChange(f elector.LeaderChangeCallback) (remove func()) {
	return e.lease.OnLeaderChange(f)
}

// CurrentLeader asks the API server who leads. It names nobody once this elector has
// seen that the leader does not renew.
func (e *Elector) CurrentLeader(ctx context.Context) (string, error) {
	return e.lease.Ask(ctx, func(ctx context.Context) (string, error) {
		lease, err := e.client.Get(ctx, e.config.Name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return "", nil
		}
		if err != nil || e.expired(lease) {
			return "", err
		}
		return identity(lease), nil
	})
}

// TryAcquire makes one attempt to lead.
func (e *Elector) TryAcquire(ctx context.Context) (bool, error) { return e.lease.Acquire(ctx, e.take) }

// Renew prolongs the leadership, if this instance has it.
func (e *Elector) Renew(ctx context.Context) (bool, error) {
	return e.lease.Renew(ctx, func(ctx context.Context) (bool, error) {
		return e.change(ctx, func(*coordinationv1.LeaseSpec) {})
	})
}

// Release gives the leadership up, if this instance has it.
func (e *Elector) Release(ctx context.Context) error { return e.lease.Release(ctx, e.give) }

// Close releases, and waits for callbacks that are under way, as long as ctx or
// [elector.DefaultTimeout] allow. The elector can't be used any more then.
func (e *Elector) Close(ctx context.Context) error { return e.lease.Close(ctx, e.give) }

// take writes this instance's name into the object where it has none, or that of an
// instance that does not renew, or this instance's own: it may have lapsed here and
// not there, or have come with an answer that was lost.
func (e *Elector) take(ctx context.Context) (term uint64, won bool, err error) {
	lease, err := e.client.Get(ctx, e.config.Name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		lease = &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: e.config.Name}}
		e.begin(&lease.Spec)
		lease, err = e.client.Create(ctx, lease, metav1.CreateOptions{})
	case err != nil:
	case holder(lease) != e.own && !e.expired(lease):
		return 0, false, nil
	default:
		e.begin(&lease.Spec)
		lease, err = e.client.Update(ctx, lease, metav1.UpdateOptions{})
	}
	if apierrors.IsAlreadyExists(err) || apierrors.IsConflict(err) { // a rival was faster
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	term, err = strconv.ParseUint(lease.ResourceVersion, 10, 64)
	if err != nil {
		return 0, false, fmt.Errorf("resourceVersion is no number: %w", err)
	}
	return term, true, nil
}

// begin makes the object that of a new leadership of this instance. The times are for
// people to read.
func (e *Elector) begin(spec *coordinationv1.LeaseSpec) {
	now := metav1.NowMicro()
	seconds := int32((e.config.TTL + time.Second - 1) / time.Second)
	transitions := int32(0)
	if spec.LeaseTransitions != nil {
		transitions = *spec.LeaseTransitions + 1
	}
	spec.HolderIdentity, spec.LeaseDurationSeconds, spec.LeaseTransitions = &e.own, &seconds, &transitions
	spec.AcquireTime, spec.RenewTime = &now, &now
}

// give takes this instance's name out of the object.
func (e *Elector) give(ctx context.Context) error {
	_, err := e.change(ctx, func(spec *coordinationv1.LeaseSpec) { spec.HolderIdentity = nil })
	return err
}

// change writes the object if it names this instance, and says whether it did. It
// starts over when somebody else writes it meanwhile, a label perhaps.
func (e *Elector) change(ctx context.Context, edit func(*coordinationv1.LeaseSpec)) (bool, error) {
	for {
		lease, err := e.client.Get(ctx, e.config.Name, metav1.GetOptions{})
		switch {
		case apierrors.IsNotFound(err):
			return false, nil
		case err != nil:
			return false, err
		case holder(lease) != e.own:
			return false, nil
		}
		now := metav1.NowMicro()
		lease.Spec.RenewTime = &now
		edit(&lease.Spec)
		_, err = e.client.Update(ctx, lease, metav1.UpdateOptions{})
		if !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) {
			return err == nil, err
		}
	}
}

// expired says whether nobody leads by this object: it names nobody, or this elector
// has seen it unchanged for as long as it says. Its times are by another's clock and
// say nothing here.
func (e *Elector) expired(lease *coordinationv1.Lease) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if lease.ResourceVersion != e.seen {
		e.seen, e.at = lease.ResourceVersion, time.Now()
	}
	seconds := lease.Spec.LeaseDurationSeconds
	return holder(lease) == "" || seconds == nil || time.Since(e.at) >= time.Duration(*seconds)*time.Second
}

// holder is what the object names, "" for nobody.
func holder(lease *coordinationv1.Lease) string {
	if lease.Spec.HolderIdentity == nil {
		return ""
	}
	return *lease.Spec.HolderIdentity
}

// identity is that of the holder, without what tells it from others of its name.
func identity(lease *coordinationv1.Lease) string {
	name := holder(lease)
	if i := strings.LastIndexByte(name, '_'); i >= 0 {
		return name[:i]
	}
	return name
}
