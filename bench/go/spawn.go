package main

import "sync"

// spawn starts so many goroutines that do nothing, and waits for all.
func spawn(j *job) error {
	var group sync.WaitGroup
	for range j.size {
		group.Go(func() {})
	}
	group.Wait()
	return nil
}

// fib forks and joins, with a goroutine for every call.
func fib(j *job) error {
	return check(j.width, forkedFib(j.size))
}

func forkedFib(n int) int {
	if n < 2 {
		return n
	}
	var group sync.WaitGroup
	var parts [2]int
	group.Go(func() { parts[0] = forkedFib(n - 1) })
	group.Go(func() { parts[1] = forkedFib(n - 2) })
	group.Wait()
	return parts[0] + parts[1]
}

// skynet is a tree of goroutines with ten children each; every leaf sends its number, every node the sum of its children.
func skynet(j *job) error {
	result := make(chan int)
	go skynetNode(0, j.size, result)
	return check(j.size*(j.size-1)/2, <-result)
}

func skynetNode(number, leaves int, parent chan<- int) {
	if leaves == 1 {
		parent <- number
		return
	}
	children := make(chan int)
	share := leaves / 10
	for i := range 10 {
		go skynetNode(number+i*share, share, children)
	}
	sum := 0
	for range 10 {
		sum += <-children
	}
	parent <- sum
}
