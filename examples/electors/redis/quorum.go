// From coordgen v0.1.0, elector/redis/quorum.go 6e81f2e74085. This file is yours.

package redis

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// take makes one attempt: it takes each server that is free. When rivals do so at
// the same time and no one gets a majority, each gives back what it got and tries
// again a little later.
func (e *Elector) take(ctx context.Context) (term uint64, won bool, err error) {
	const rounds = 10
	for round := 1; ; round++ {
		begun := time.Now()
		e.count++
		e.held = fmt.Sprintf("%s.%d %s", e.own, e.count, e.Identity())
		p, err := e.poll(ctx, take, e.held, e.ttl.Milliseconds(), e.own)
		if err != nil {
			return 0, false, err
		}
		if p.holder == e.held {
			term, err := e.settle(ctx, p)
			return term, err == nil, err
		}
		if len(p.terms[e.held]) > 0 || p.pending > 0 {
			if err := e.give(ctx); err != nil {
				return 0, false, err
			}
		}
		if p.holder != "" || round == rounds {
			return 0, false, nil
		}
		select {
		case <-ctx.Done():
			return 0, false, ctx.Err()
		case <-time.After(rand.N(time.Duration(round)*time.Since(begun) + time.Millisecond)):
		}
	}
}

// settle finds the term of a leadership that was taken. Each server has counted it
// for itself, and a majority of them is to know the highest of their numbers: any
// later majority has one of these servers in it, and goes beyond.
func (e *Elector) settle(ctx context.Context, p poll) (uint64, error) {
	terms := p.terms[e.held]
	term := slices.Max(terms)
	terms = slices.DeleteFunc(terms, func(other int64) bool { return other != term })
	if len(terms) >= e.majority() {
		return uint64(term), nil
	}
	p, err := e.poll(ctx, raise, e.held, term)
	if err == nil && p.holder != e.held {
		err = errors.New("the key was lost before its term was settled")
	}
	return uint64(term), err
}

// give frees the servers that this instance holds.
func (e *Elector) give(ctx context.Context) error {
	_, err := e.poll(ctx, give, e.held)
	return err
}

// Each script returns who holds the key after it has run, and the term. A script
// runs as a whole: nothing comes between its calls.
func script(change string) *redis.Script {
	return redis.NewScript(`
		local own, holder, term = ARGV[1], redis.call('GET', KEYS[1]) or '', 0
		` + change + `
		return {holder, term}`)
}

var (
	// take also takes what is there as its own, after an answer that was lost, and
	// gives it a new term.
	take = script(`
		if holder == '' or string.sub(holder, 1, #ARGV[3]) == ARGV[3] then
			redis.call('SET', KEYS[1], own, 'PX', ARGV[2])
			holder, term = own, redis.call('INCR', KEYS[2])
		end`)
	raise = script(`
		if holder == own and tonumber(redis.call('GET', KEYS[2]) or 0) < tonumber(ARGV[2]) then
			redis.call('SET', KEYS[2], ARGV[2])
		end`)
	extend = script(`
		if holder == own then
			redis.call('PEXPIRE', KEYS[1], ARGV[2])
		end`)
	give = script(`
		if holder == own then
			redis.call('DEL', KEYS[1])
			holder = ''
		end`)
	look = script(``)
)

// A poll is what servers have answered.
type poll struct {
	holder  string             // whom a majority names, "" for nobody
	terms   map[string][]int64 // of the servers that name somebody, by whom they name
	pending int                // how many servers have not answered yet
}

// poll has all servers run a script, and waits for their answers only until they
// can't change the result any more. It is an error when less than a majority
// answers.
func (e *Elector) poll(ctx context.Context, script *redis.Script, args ...any) (poll, error) {
	answers := e.ask(ctx, script, args)
	p := poll{terms: map[string][]int64{}, pending: len(e.servers)}
	var errs []error
	for p.pending > 0 {
		select {
		case <-ctx.Done():
			return p, errors.Join(append(errs, ctx.Err())...)
		case a := <-answers:
			p.pending--
			if a.err != nil {
				errs = append(errs, a.err)
				break
			}
			p.terms[a.holder] = append(p.terms[a.holder], a.term)
		}
		most := 0
		for holder, terms := range p.terms {
			if most = max(most, len(terms)); len(terms) >= e.majority() {
				p.holder = holder
				return p, nil
			}
		}
		if most+p.pending < e.majority() {
			break
		}
	}
	if len(errs)+p.pending >= e.majority() {
		return p, errors.Join(errs...)
	}
	return p, nil
}

func (e *Elector) majority() int { return len(e.servers)/2 + 1 }

// A server is one of the quorum. Calls arrive there in the order in which they are
// made.
type server struct {
	client redis.UniversalClient
	mu     sync.Mutex
	last   chan struct{} // is closed when the call has ended that was made last
}

func newServer(client redis.UniversalClient) *server {
	s := &server{client: client, last: make(chan struct{})}
	close(s.last)
	return s
}

// queue puts a call behind those that were made before. Its turn comes when they
// have ended, and it closes end when it has.
func (s *server) queue() (turn <-chan struct{}, end chan<- struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.last
	s.last = make(chan struct{})
	return before, s.last
}

// idle is closed when no call is under way.
func (s *server) idle() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

// An answer is that of one server.
type answer struct {
	holder string
	term   int64
	err    error
}

// ask has all servers run a script. A server that is slow goes on with it after
// the others have decided.
func (e *Elector) ask(ctx context.Context, script *redis.Script, args []any) <-chan answer {
	answers := make(chan answer, len(e.servers))
	deadline, _ := ctx.Deadline() // there always is one
	ctx = context.WithoutCancel(ctx)
	for _, s := range e.servers {
		turn, end := s.queue()
		go func() {
			ctx, cancel := context.WithDeadline(ctx, deadline)
			defer cancel()
			defer close(end)
			select {
			case <-turn:
				answers <- s.run(ctx, script, e.keys, args)
			case <-ctx.Done():
				answers <- answer{err: ctx.Err()}
				<-turn
			}
		}()
	}
	return answers
}

func (s *server) run(ctx context.Context, script *redis.Script, keys []string, args []any) answer {
	reply, err := script.Run(ctx, s.client, keys, args...).Slice()
	if err != nil {
		return answer{err: err}
	}
	holder, isString := reply[0].(string)
	term, isNumber := reply[1].(int64)
	if !isString || !isNumber {
		return answer{err: fmt.Errorf("the server answers %v", reply)}
	}
	return answer{holder: holder, term: term}
}
