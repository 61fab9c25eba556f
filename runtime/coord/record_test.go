package coord

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

type beatOf struct{}
type noticeOf struct{}

func TestRecordWithoutMessagesIsUnknown(t *testing.T) {
	r := &record[beatOf, noticeOf]{}
	assert.Equal(t, StatusUnknown, r.status(time.Now(), time.Second))
	assert.Empty(t, r.subscriptions())
}

// An age must survive a step of the wall clock, which only the monotonic reading
// does; time.Time shows it as "m=".
func TestRecordKeepsMonotonicTimes(t *testing.T) {
	r := &record[beatOf, noticeOf]{}
	now := time.Now()
	r.takeHeartbeat(&beatOf{}, Heartbeat{InstanceID: "a", SentAt: now.Round(0)}, now, time.Second)
	r.takeNotice(&noticeOf{}, Shutdown{InstanceID: "a", InitiatedAt: now.Round(0), Deadline: now.Add(time.Minute).Round(0)}, now, time.Second)
	assert.Contains(t, r.receivedAt.String(), "m=")
	assert.Contains(t, r.endsAt.String(), "m=")
	assert.Equal(t, time.Minute, r.remaining(now))
}

// Times at the ends of what the wire carries must not wrap around.
func TestRecordOutlastsAbsurdClocks(t *testing.T) {
	const timeout = 15 * time.Second
	first, last := time.Date(1, 1, 1, 0, 0, 0, 1, time.UTC), time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	start := time.Now()
	for name, absurd := range map[string]time.Time{"first": first, "last": last} {
		t.Run(name, func(t *testing.T) {
			r, now := &record[beatOf, noticeOf]{}, start
			beat := func(sent time.Time) {
				r.takeHeartbeat(&beatOf{}, Heartbeat{InstanceID: "a", SentAt: sent}, now, timeout)
			}
			beat(absurd)
			assert.Equal(t, StatusHealthy, r.status(now, timeout))

			now = now.Add(timeout + 1)
			beat(now.Round(0))
			assert.Equal(t, StatusHealthy, r.status(now, timeout))
			if name == "last" { // offsets shrink at once, but grow only when a clock was set
				assert.Zero(t, r.offset)
			}
			r.takeNotice(&noticeOf{}, Shutdown{InstanceID: "a", InitiatedAt: now.Round(0), Deadline: last}, now, timeout)
			assert.Equal(t, StatusDraining, r.status(now, timeout))
			now = now.Add(timeout)
			beat(now.Round(0))
			assert.Equal(t, StatusDraining, r.status(now, timeout))
		})
	}
}
