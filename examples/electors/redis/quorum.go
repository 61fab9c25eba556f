// From coordgen v0.1.0, elector/redis/quorum.go 2a2838cc12bc. This file is yours.

package redis

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
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
		p, err := e.poll(ctx, take, e.own, e.ttl.Milliseconds())
		if err != nil {
			return 0, false, err
		}
		if p.holder == e.own {
			term, err := e.settle(ctx, p)
			return term, err == nil, err
		}
		if p.votes[e.own] > 0 || p.pending > 0 {
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
	term := slices.Max(p.terms)
	p.terms = slices.DeleteFunc(p.terms, func(other int64) bool { return other != term })
	if len(p.terms) >= e.majority() {
		return uint64(term), nil
	}
	p, err := e.poll(ctx, raise, e.own, term)
	if err == nil && p.holder != e.own {
		err = errors.New("the key was lost before its term was settled")
	}
	return uint64(term), err
}

// give frees the servers that this instance holds.
func (e *Elector) give(ctx context.Context) error {
	_, err := e.poll(ctx, give, e.own)
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
		if holder == '' or holder == own then
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
	holder  string         // whom a majority names, "" for nobody
	votes   map[string]int // how many servers name whom
	terms   []int64        // of the servers that this instance has
	pending int            // how many servers have not answered yet
}

// poll has all servers run a script, and waits for their answers only until they
// can't change the result any more. It is an error when less than a majority
// answers.
func (e *Elector) poll(ctx context.Context, script *redis.Script, args ...any) (poll, error) {
	answers := e.ask(ctx, script, args)
	p := poll{votes: map[string]int{}, pending: len(e.servers)}
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
			p.votes[a.holder]++
			if a.holder == e.own {
				p.terms = append(p.terms, a.term)
			}
		}
		most := 0
		for holder, n := range p.votes {
			if most = max(most, n); n >= e.majority() {
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

// A server is one of the quorum.
type server struct {
	client redis.UniversalClient
	turn   chan struct{} // holds one token, so that calls arrive in the order in which they are made
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
		go func() {
			ctx, cancel := context.WithDeadline(ctx, deadline)
			defer cancel()
			answers <- s.run(ctx, script, e.keys, args)
		}()
	}
	return answers
}

func (s *server) run(ctx context.Context, script *redis.Script, keys []string, args []any) answer {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return answer{err: ctx.Err()}
	}
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
