package main

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// yield has goroutines that let each other go first.
func yield(j *job) error {
	var group sync.WaitGroup
	for range j.width {
		group.Go(func() {
			for left := j.size / j.width; left > 0; left-- {
				runtime.Gosched()
			}
		})
	}
	group.Wait()
	return nil
}

// lock has goroutines that count under one mutex.
func lock(j *job) error {
	var mutex sync.Mutex
	var group sync.WaitGroup
	counter := 0
	for range j.width {
		group.Go(func() {
			for left := j.size / j.width; left > 0; left-- {
				mutex.Lock()
				counter++
				mutex.Unlock()
			}
		})
	}
	group.Wait()
	return check(j.size/j.width*j.width, counter)
}

// sleepers has many goroutines that sleep for a moment, and that is all.
func sleepers(j *job) error {
	var group sync.WaitGroup
	for range j.size {
		group.Go(func() { time.Sleep(time.Duration(j.width) * time.Millisecond) })
	}
	group.Wait()
	return nil
}

// hogs has a goroutine that wants to sleep for a millisecond, again and again, among others that compute without a
// pause. It counts how late it wakes, from the moment that every processor has its hog to the moment that the hogs end.
func hogs(j *job) error {
	processors := runtime.GOMAXPROCS(0)
	end := time.Now().Add(time.Duration(j.size) * time.Millisecond)
	var started atomic.Int32
	var late []time.Duration
	var group sync.WaitGroup
	group.Go(func() {
		for {
			isCounted := int(started.Load()) >= processors
			due := time.Now().Add(time.Millisecond)
			time.Sleep(time.Millisecond)
			now := time.Now()
			if now.After(end) {
				return
			}
			if isCounted {
				late = append(late, now.Sub(due))
			}
		}
	})
	for range j.width * processors {
		group.Go(func() {
			started.Add(1)
			for time.Now().Before(end) {
			}
		})
	}
	group.Wait()
	slices.Sort(late)
	p50, p99 := math.Inf(1), math.Inf(1) // it never woke
	if len(late) > 0 {
		p50, p99 = float64(late[len(late)/2]), float64(late[len(late)*99/100])
	}
	j.figure("p50", p50)
	j.figure("p99", p99)
	return nil
}
